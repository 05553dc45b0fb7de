"""Erasing one session with what came from it.

Its messages, its summary and the memories that rest on nothing else go whole. A memory that was also
said elsewhere loses its quotes of this session; if some of its wordings were said here only, it is
erased as well, key first, and another one says what is left.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import ErasureScope
from memory.forget.derived import derived
from memory.forget.fence import fence
from memory.forget.requests import require_all
from memory.lifecycle import lock_subject
from memory.models import (
    Erasure,
    Event,
    Evidence,
    Memory,
    Message,
    Session,
    Summary,
    TaskBoard,
    Version,
)
from memory.recall.history import open_quotes
from memory.sessions.kept import CameFrom, Past, came_from, look_back
from memory.vault import SubjectVault, open_vault
from memory.write.again import again, store_again
from memory.write.correct import ended
from memory.write.proposal import Draft


def erase_session(principal: Principal, session_id: uuid.UUID) -> Erasure:
    """Erase a session with what came from it, now; return the request.

    Raises:
        Forbidden: without a grant to forget everything there may be: what came from a session may be
            of any kind and level.
        NotFound: for another person's or agent's session.
        Gone: if it was erased before.
    """
    require_all(principal)
    with acting(principal.unlimited()):
        session = access.access_session(principal, session_id, lock=True)
        events = _locked(principal, session)
        found = came_from(session, lock=True)
        events += found.gone
        Memory.objects.filter(session_id=session.id).update(session_id=None)
        return take_out(principal, found, events, ErasureScope.SESSION, session_id=session.id)


def take_out(
    principal: Principal,
    found: CameFrom,
    events: Sequence[uuid.UUID],
    scope: ErasureScope,
    *,
    session_id: uuid.UUID | None = None,
) -> Erasure:
    """Erase ``events`` and what rests on them, and store what is left of the memories as others.

    Call it inside ``acting(principal.unlimited())``.
    """
    vault = open_vault(principal)
    left = [_left(vault, memory, own, events) for memory, own in found.reworded]
    request = fence(
        principal,
        [*found.whole, *(memory for memory, _ in found.reworded)],
        carriers=False,
        events=events,
        session_id=session_id,
        scope=scope,
    )
    for one in left:
        if one.draft is not None:
            store_again(principal, vault, one.draft, [one.former], one.quotes)
    return request


def _locked(principal: Principal, session: Session) -> list[uuid.UUID]:
    """Return the session's events once nobody reads one of them for memories any more."""
    messages = Message.objects.filter(session=session).order_by("sequence")
    list(messages.select_for_update(of=("self",)).values_list("id"))
    lock_subject(principal)
    said = Event.objects.filter(subject_id=session.subject_id, session_id=session.id)
    return list(said.order_by("received_at", "id").values_list("id", flat=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Left:
    """What a memory still says without the session, and the quotes it then rests on."""

    former: access.OpenedMemory
    draft: Draft | None
    quotes: Sequence[tuple[Evidence, str]]


def _left(
    vault: SubjectVault, memory: Memory, own: frozenset[int], events: Sequence[uuid.UUID]
) -> _Left:
    """Take the latest wording that others than these events hold; it is true again, if it was."""
    versions = Version.objects.filter(memory=memory).exclude(number__in=own)
    version = versions.order_by("-number")[:1].get()
    fresh = Memory.objects.get(id=memory.id)  # the fence changes the other
    if version.superseded_at is not None:
        version.valid_to = ended(version)
        fresh.origin, fresh.trust = version.origin, version.trust
    former = access.open_versions(vault, [fresh], [version])[0]
    rests = Evidence.objects.filter(memory=memory).exclude(event_id__in=events)
    quotes = [(one.evidence, one.text) for one in open_quotes(vault, rests)]
    return _Left(former=former, draft=again(former), quotes=quotes)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReach:
    """What goes with a session of the ``past``: ``erased`` whole, those ``changed`` say what they said without it, and
    those ``kept`` lose their quotes of it. ``summary``: whether there is one."""

    past: Past
    messages: int
    summary: bool
    boards: int
    erased: Sequence[access.OpenedMemory]
    changed: Sequence[access.OpenedMemory]
    kept: Sequence[access.OpenedMemory]


def session_reach(principal: Principal, session_id: uuid.UUID) -> SessionReach:
    """Count and list what an erasure of a session would take along, and what would stay.

    Raises:
        Forbidden, NotFound, Gone: as for erasing it.
    """
    require_all(principal)
    with acting(principal.unlimited()):
        session = access.access_session(principal, session_id)
        found, vault = came_from(session), open_vault(principal)
        erased = [*found.whole, *derived(principal, [one.id for one in found.whole])]
        events = Event.objects.filter(subject_id=session.subject_id, session_id=session.id)
        ids = list(events.values_list("id", flat=True))
        audit.record(
            principal,
            AuditCode.MEMORY_LISTED,
            object_kind="session",
            object_id=session.id,
            result_count=len(erased),
            reason="reach",
        )
        (past,) = look_back([session], {session.id: len(erased)})
        return SessionReach(
            past=past,
            messages=len(ids),
            summary=Summary.objects.filter(session=session).exists(),
            boards=TaskBoard.objects.filter(
                subject_id=session.subject_id, event_ids__overlap=ids
            ).count(),
            erased=access.open_current(vault, erased),
            changed=access.open_current(vault, [one for one, _ in found.reworded]),
            kept=access.open_current(vault, found.quoted),
        )
