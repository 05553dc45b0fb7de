"""Erasing named messages, or one wording of a memory, with what rests on them alone."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence

from accounts.acting import acting
from accounts.choices import Action
from accounts.principal import Principal
from memory import access
from memory.choices import GONE, ErasureScope, State
from memory.errors import Gone, NotFound
from memory.forget.requests import require_all
from memory.lifecycle import lock_subject
from memory.models import Erasure, Evidence, Memory, Version
from memory.sessions.erasing import take_out
from memory.sessions.kept import CameFrom, sort


def erase_messages(principal: Principal, event_ids: Collection[uuid.UUID]) -> Erasure:
    """Erase messages, or tools' outputs, with the memories that rest on nothing else, now.

    A memory that was also said elsewhere loses its quotes of them; a wording that was said there only
    goes, and another memory says what is left. Return the request.

    Raises:
        Forbidden: without a grant to forget everything there may be: what came from a message may be
            of any kind and level.
        NotFound: if one is not there; an agent's own only.
        Gone: if one was erased before.
    """
    require_all(principal)
    with acting(principal.unlimited()):
        lock_subject(principal)
        events = [_event(principal, one) for one in sorted(set(event_ids))]
        found = resting_on(principal, events, lock=True)
        return take_out(principal, found, events, ErasureScope.MESSAGES)


def erase_wording(principal: Principal, memory_id: uuid.UUID, number: int) -> Erasure:
    """Erase one wording of a memory with the messages that carried it, now; return the request.

    The key is the memory's, so the memory goes, key first, and another one says what it said besides:
    its latest other wording, if there is one.

    Raises:
        Forbidden, NotFound, Gone: as for any access; NotFound also for a wording it never had.
    """
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = access.access_memory(principal, memory_id, action=Action.FORGET, lock=True)
        numbers = set(Version.objects.filter(memory=memory).values_list("number", flat=True))
        if number not in numbers:
            raise NotFound
        alone = len(numbers) == 1 or memory.state == State.FORGOTTEN
        found = CameFrom()
        if alone:
            found.whole.append(memory)
        else:
            found.reworded.append((memory, frozenset({number})))
        cited = Evidence.objects.filter(memory=memory, event_id__isnull=False)
        carried = cited if alone else cited.filter(version_number=number)
        events = sorted(set(carried.values_list("event_id", flat=True)))
        return take_out(principal, found, events, ErasureScope.WORDING)


def _event(principal: Principal, event_id: uuid.UUID) -> uuid.UUID:
    """Return the id of an event that may be erased: its row may stand although it was."""
    erased = access.is_erased(principal, event_id)
    try:
        found = access.access_event(principal, event_id)
    except NotFound:
        if not erased:
            raise
    else:
        if not erased:
            return found.id
    raise Gone("This message was erased.")


def resting_on(
    principal: Principal, events: Sequence[uuid.UUID], *, lock: bool = False
) -> CameFrom:
    """Return what rests on these messages and is not erased, inside ``acting``."""
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    cited = Evidence.objects.filter(**mine, event_id__in=events).values("memory_id")
    rows = Memory.objects.filter(**mine, id__in=cited).exclude(state__in=GONE)
    rows = rows.order_by("created_at", "id")
    memories = list(rows.select_for_update() if lock else rows)
    wordings: dict[uuid.UUID, dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    quotes = Evidence.objects.filter(**mine, memory__in=memories, event_id__isnull=False)
    for memory_id, number, event_id in quotes.values_list(
        "memory_id", "version_number", "event_id"
    ):
        wordings[memory_id][number].append(event_id in events)
    found = CameFrom()
    for memory in memories:
        sort(found, memory, wordings[memory.id], first_said=False)
    return found
