"""What one memory was learnt from: erased with what rests on it, or only not learnt from again.

And one wording of it: what goes with that, counted before.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import State, SuppressionBasis
from memory.errors import Forbidden, NotFound
from memory.forget.derived import derived
from memory.forget.reach import note_reach
from memory.forget.requests import require_all
from memory.forget.suppressions import suppress
from memory.models import Erasure, Event, Evidence, Memory
from memory.recall.history import Quote, Wording, quotes, wordings
from memory.sessions.taking_out import erase_messages, resting_on
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReach:
    """What goes with the messages of a memory: ``erased`` whole (the memory is among them, unless it was
    also said elsewhere), those ``changed`` say what they said without them, and those ``kept`` lose
    their quotes of them. ``quotes`` are the words that stand in the messages."""

    opened: access.OpenedMemory
    quotes: Sequence[Quote]
    messages: int
    erased: Sequence[access.OpenedMemory]
    changed: Sequence[access.OpenedMemory]
    kept: Sequence[access.OpenedMemory]


def source_reach(principal: Principal, memory_id: uuid.UUID) -> SourceReach:
    """Count and list what an erasure of a memory's messages would take along, and what would stay.

    Raises:
        Forbidden: for anybody but the person.
        NotFound, Gone: as for any access.
    """
    _require_person(principal)
    said = quotes(principal, memory_id)
    with acting(principal.unlimited()):
        memory = access.access_memory(principal, memory_id)
        events, vault = _events(memory), open_vault(principal)
        found = resting_on(principal, events)
        erased = [*found.whole, *derived(principal, [one.id for one in found.whole])]
        note_reach(principal, memory, count=len(erased))
        return SourceReach(
            opened=access.open_current(vault, [memory])[0],
            quotes=[one for one in said if one.evidence.event_id in events],
            messages=len(events),
            erased=access.open_current(vault, erased),
            changed=access.open_current(vault, [one for one, _ in found.reworded]),
            kept=access.open_current(vault, found.quoted),
        )


def erase_source(principal: Principal, memory_id: uuid.UUID) -> Erasure:
    """Erase the messages a memory was learnt from, with what rests on them alone, now.

    Raises:
        Forbidden: for anybody but the person.
        NotFound: as for any access, and if no message is left.
        Gone: as for any access.
    """
    _require_person(principal)
    require_all(principal)
    with acting(principal.unlimited()):
        events = _events(access.access_memory(principal, memory_id, action=Action.FORGET))
        if not events:
            raise NotFound
        return erase_messages(principal, events)


def unlearn_source(principal: Principal, memory_id: uuid.UUID) -> int:
    """Keep the messages a memory was learnt from from being learnt from again; return how many.

    The memory and the messages stay; a keyed digest of each message is kept to know it again.

    Raises:
        Forbidden: for anybody but the person.
        NotFound, Gone: as for any access.
    """
    _require_person(principal)
    with acting(principal.unlimited()):
        memory = access.access_memory(principal, memory_id, action=Action.FORGET)
        vault = open_vault(principal)
        rows = Event.objects.filter(subject_id=principal.person_id, id__in=_events(memory))
        digests = list(rows.values_list("digest", flat=True))
        for digest in digests:
            suppress(vault, SuppressionBasis.EVENT, digest)
        audit.record(
            principal,
            AuditCode.SOURCE_SUPPRESSED,
            object_kind="memory",
            object_id=memory.id,
            result_count=len(digests),
        )
    return len(digests)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingReach:
    """What goes with one wording of a memory: its messages, and all earlier wordings. ``left`` is what
    another memory says in its place; None where nothing is left."""

    opened: access.OpenedMemory
    wording: Wording
    left: Wording | None
    lost: Sequence[Wording]
    messages: int


def wording_reach(principal: Principal, memory_id: uuid.UUID, number: int) -> WordingReach:
    """Count and list what an erasure of one wording would take along, and what would stay.

    Raises:
        Forbidden: for anybody but the person.
        NotFound: as for any access, and for a wording it never had.
        Gone: as for any access.
    """
    _require_person(principal)
    found = wordings(principal, memory_id)
    chosen = next((one for one in found if one.version.number == number), None)
    if chosen is None:
        raise NotFound
    others = [one for one in found if one is not chosen]
    with acting(principal.unlimited()):
        memory = access.access_memory(principal, memory_id)
        alone = not others or memory.state == State.FORGOTTEN
        cited = Evidence.objects.filter(memory=memory, event_id__in=_events(memory))
        cited = cited if alone else cited.filter(version_number=number)
        note_reach(principal, memory, count=1)
        return WordingReach(
            opened=access.open_current(open_vault(principal), [memory])[0],
            wording=chosen,
            left=None if alone else others[0],
            lost=others if alone else others[1:],
            messages=cited.values("event_id").distinct().count(),
        )


def _require_person(principal: Principal) -> None:
    if not principal.is_person:
        raise Forbidden("Only the person rules what was said and what it said before.")


def _events(memory: Memory) -> list[uuid.UUID]:
    """Return the messages a memory rests on that are still there."""
    cited = Evidence.objects.filter(memory=memory, event_id__isnull=False)
    there = Event.objects.filter(
        tenant_id=memory.tenant_id, subject_id=memory.subject_id, id__in=cited.values("event_id")
    )
    return sorted(there.values_list("id", flat=True))
