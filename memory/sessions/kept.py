"""What was kept of a session: the memories that rest on its messages, alone or beside others."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Exists, Max, Min, OuterRef, Q

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import GONE, State
from memory.models import Event, Evidence, Memory, Message, Session
from memory.recall.pages import page
from memory.sessions.life import require_reading
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class CameFrom:
    """The memories that rest on a session.

    ``whole`` rest on nothing else. ``reworded`` rest on something else too, but have wordings of which
    only the session holds the words; their numbers are with them. ``quoted`` have quotes of it beside
    others, and no wording of its own. ``gone`` are messages of the session that went before it and
    are quoted still.
    """

    whole: list[Memory] = field(default_factory=list)
    reworded: list[tuple[Memory, frozenset[int]]] = field(default_factory=list)
    quoted: list[Memory] = field(default_factory=list)
    gone: set[uuid.UUID] = field(default_factory=set)

    @property
    def all(self) -> list[Memory]:
        """Every one of them, the newest first."""
        found = [*self.whole, *(memory for memory, _ in self.reworded), *self.quoted]
        return sorted(found, key=lambda one: one.created_at, reverse=True)


def came_from(session: Session, *, lock: bool = False) -> CameFrom:
    """Return what rests on a session and is not erased, inside ``acting``.

    A quote whose message is gone counts as said where the memory was first said.
    """
    mine = {"tenant_id": session.tenant_id, "subject_id": session.subject_id}
    said = Event.objects.filter(**mine, session_id=session.id).values("id")
    cited = Evidence.objects.filter(**mine, event_id__in=said).values("memory_id")
    rows = Memory.objects.filter(Q(id__in=cited) | Q(session_id=session.id), **mine)
    rows = rows.exclude(state__in=GONE).order_by("created_at", "id")
    memories = list(rows.select_for_update() if lock else rows)
    found = CameFrom()
    wordings = _wordings(session, memories, found.gone)
    for memory in memories:
        sort(found, memory, wordings[memory.id], first_said=memory.session_id == session.id)
    return found


# For each wording that has quotes: whether each of them was said in the session.
type Wordings = Mapping[int, Sequence[bool]]


def _wordings(
    session: Session, memories: Iterable[Memory], gone: set[uuid.UUID]
) -> dict[uuid.UUID, Wordings]:
    first_said = {memory.id: memory.session_id for memory in memories}
    there = Exists(Event.objects.filter(id=OuterRef("event_id")))
    rows = Evidence.objects.filter(memory_id__in=first_said, event_id__isnull=False)
    found: dict[uuid.UUID, dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for memory_id, number, event_id, said_in, is_there in rows.annotate(there=there).values_list(
        "memory_id", "version_number", "event_id", "event__session_id", "there"
    ):
        home = said_in if is_there else first_said[memory_id]
        found[memory_id][number].append(home == session.id)
        if not is_there and home == session.id:
            gone.add(event_id)
    return {memory_id: found[memory_id] for memory_id in first_said}


def sort(found: CameFrom, memory: Memory, wordings: Wordings, *, first_said: bool) -> None:
    """Put a memory among those that go whole, are reworded or lose quotes.

    ``wordings`` say of each quote whether it goes; ``first_said`` whether a memory without quotes does.
    """
    here = [one for quotes in wordings.values() for one in quotes]
    if all(here):
        if here or first_said:
            found.whole.append(memory)
        return
    own = frozenset(number for number, quotes in wordings.items() if all(quotes))
    if own and memory.state == State.FORGOTTEN:  # it goes anyway: nothing of it is stored again
        found.whole.append(memory)
    elif own:
        found.reworded.append((memory, own))
    elif any(here):
        found.quoted.append(memory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A session as a person looks back at it: when its first and its last message were said, how many it
    holds, and memories rest on it. Without a message it was when it was opened, and last active.
    """

    session: Session
    began: datetime
    ended: datetime
    messages: int
    kept: int


def look_back(sessions: Sequence[Session], kept: Mapping[uuid.UUID, int]) -> list[Past]:
    """Return sessions as a person looks back at them; ``kept`` of each so many memories."""
    said = Message.objects.filter(session_id__in=[one.id for one in sessions])
    held = said.values_list("session_id").annotate(Min("at"), Max("at"), Count("id"))
    times = {session_id: rest for session_id, *rest in held}
    found = []
    for one in sessions:
        began, ended, number = times.get(one.id, (one.opened_at, one.last_active_at, 0))
        kept_of = kept.get(one.id, 0)
        past = Past(session=one, began=began, ended=ended, messages=number, kept=kept_of)
        found.append(past)
    return found


def past_sessions(
    principal: Principal, *, limit: int, cursor: str | None
) -> tuple[list[Past], str | None]:
    """Return a page of the person's sessions, newest first, with what they hold.

    Raises:
        Forbidden: without a grant to read.
        InvalidInput: for a cursor that is not ours.
    """
    require_reading(principal)
    with acting(principal):
        rows = Session.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
        found, more = page(rows, by="opened_at", limit=limit, cursor=cursor)
        ids = [one.id for one in found]
        seen = access.memories_visible_to(principal)
        quoted = Evidence.objects.filter(event__session_id__in=ids, memory__in=seen)
        pairs = set(quoted.values_list("event__session_id", "memory_id"))
        pairs |= set(seen.filter(session_id__in=ids).values_list("session_id", "id"))
        kept = Counter(session_id for session_id, _ in pairs if session_id)
        audit.record(principal, AuditCode.SESSION_LISTED, result_count=len(found))
        return look_back(found, kept), more


def past_session(
    principal: Principal, session_id: uuid.UUID
) -> tuple[Past, list[access.OpenedMemory]]:
    """Return one session of the person's with the memories that rest on it, the newest first.

    Raises:
        Forbidden: without a grant to read.
        NotFound, Gone: as for any access.
    """
    require_reading(principal)
    with acting(principal):
        session = access.access_session(principal, session_id)
        seen = access.memories_visible_to(principal).values_list("id", flat=True)
        kept = came_from(session).all
        listed = set(seen.filter(id__in=[one.id for one in kept]))
        opened = access.open_current(
            open_vault(principal), [one for one in kept if one.id in listed]
        )
        audit.record(
            principal,
            AuditCode.MEMORY_LISTED,
            object_kind="session",
            object_id=session.id,
            result_count=len(opened),
            reason="session",
        )
        (past,) = look_back([session], {session.id: len(opened)})
    return past, opened
