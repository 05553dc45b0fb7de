"""The moves between living states: pause, use again, archive, restore, forget, take back.

One table says who may make which move and where it leads; one function makes it. Forgetting hides a
memory from every agent at once and can be taken back until a stated minute; then it is erased.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.models import AuditEvent, Subject
from accounts.principal import Principal
from memory import access, queue
from memory.choices import Reason, ReviewState, State
from memory.errors import Forbidden, StaleState
from memory.forget.derived import hidden_with, replaced
from memory.lifecycle import lock_subject, note_move, transition
from memory.models import Decision, Event, Evidence, Memory, ReviewItem
from memory.policy import WORK, WRITE


class Move(StrEnum):
    """What can be done to a memory's state."""

    PAUSE = "pause"
    RESUME = "resume"
    ARCHIVE = "archive"
    RESTORE = "restore"
    FORGET = "forget"
    UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One move: from which states, to which, by what right, and whether only by the person."""

    sources: frozenset[State]
    target: State | None
    right: Action
    person_only: bool = False


LIVING = frozenset({State.PENDING, State.ACTIVE, State.PAUSED, State.DISPUTED, State.ARCHIVED})

RULES: dict[Move, Rule] = {
    Move.PAUSE: Rule(
        sources=frozenset({State.ACTIVE}),
        target=State.PAUSED,
        right=Action.CORRECT,
        person_only=True,
    ),
    Move.RESUME: Rule(
        sources=frozenset({State.PAUSED}),
        target=State.ACTIVE,
        right=Action.CORRECT,
        person_only=True,
    ),
    Move.ARCHIVE: Rule(
        sources=frozenset({State.ACTIVE}), target=State.ARCHIVED, right=Action.FORGET
    ),
    Move.RESTORE: Rule(
        sources=frozenset({State.ARCHIVED}), target=State.ACTIVE, right=Action.FORGET
    ),
    Move.FORGET: Rule(sources=LIVING, target=State.FORGOTTEN, right=Action.FORGET),
    Move.UNDO: Rule(sources=frozenset({State.FORGOTTEN}), target=None, right=Action.FORGET),
}


def move(principal: Principal, memory_id: uuid.UUID, what: Move) -> Memory:
    """Make one move and return the memory as it then is.

    Raises:
        NotFound, Gone: as for any access.
        Forbidden: without the right, or where only the person may.
        StaleState: if the memory is not in a state the move starts from, or the undo window is over.
    """
    rule = RULES[what]
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = _access(principal, memory_id, what, rule)
        if State(memory.state) not in rule.sources:
            raise StaleState(f"A memory that is {memory.state} cannot be the object of {what}.")
        before = memory.state
        _make(principal, memory, what, rule)
        note_move(principal, memory, before=before, reason=what)
    return memory


def standing(principal: Principal, memory_id: uuid.UUID) -> Memory:
    """Return a memory as it stands, whoever moved it; for one who may move it, forgotten or not.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal.unlimited()):
        return access.access_forgotten(principal, memory_id, action=Action.FORGET)


def _access(principal: Principal, memory_id: uuid.UUID, what: Move, rule: Rule) -> Memory:
    if rule.person_only and not principal.is_person:
        raise Forbidden(f"Only the person may {what} a memory.")
    if what == Move.UNDO:
        return access.access_forgotten(principal, memory_id, action=rule.right)
    return access.access_memory(principal, memory_id, action=rule.right, lock=True)


def _make(principal: Principal, memory: Memory, what: Move, rule: Rule) -> None:
    if what == Move.FORGET:
        hide(memory)
    elif what == Move.UNDO:
        reveal(principal, memory)
    elif rule.target is not None:
        _refuse_rival(memory, rule.target)
        transition(memory, rule.target, **_anew(principal, memory, what))


def _anew(principal: Principal, memory: Memory, what: Move) -> dict[str, Any]:
    """Return what else changes: what is taken out again has no lifetime any more that was over, and
    the person's hand says that it still holds."""
    if what != Move.RESTORE:
        return {}
    now = timezone.now()
    over = memory.expires_at is not None and memory.expires_at <= now
    lifetime: dict[str, Any] = {"expires_at": None} if over else {}
    return lifetime | ({"last_confirmed_at": now} if principal.is_person else {})


def undo_window(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> datetime:
    """Return until when the person can take back what is forgotten now; then it is erased."""
    minutes = Subject.objects.values_list("undo_minutes", flat=True).get(id=subject_id)
    until = timezone.now() + timedelta(minutes=minutes)
    look_again(tenant_id, subject_id, until)
    return until


def look_again(tenant_id: uuid.UUID, subject_id: uuid.UUID, at: datetime) -> None:
    """Have a worker look when the person's undo window ends, if that may be before the next sweep."""
    if at <= timezone.now() + WORK.look_ahead:
        queue.enqueue("memory.end_undo_windows", tenant_id, subject_id, at=at)


def hide(memory: Memory, until: datetime | None = None) -> None:
    """Hide a memory, and what it was merged from, from every agent until its undo window ends; then it
    is erased."""
    until = until or undo_window(memory.tenant_id, memory.subject_id)
    for one in (memory, *replaced([memory])):
        if one.state != State.FORGOTTEN:
            transition(one, State.FORGOTTEN, previous_state=one.state, undo_until=until)


def reveal(principal: Principal, memory: Memory) -> None:
    """Take a forgetting back; what the person had called untrue waits for their answer again.

    Raises:
        Forbidden: for an agent, where the person had answered.
        StaleState: if the window is over, or another memory took its place meanwhile.
    """
    if memory.undo_until is None or memory.undo_until <= timezone.now():
        raise StaleState("Too late to take back: the undo window is over.")
    target = State(memory.previous_state)
    _refuse_rival(memory, target)
    for one in (memory, *hidden_with(memory)):
        transition(one, State(one.previous_state), previous_state="", undo_until=None)
    ask_anew(principal, [memory])


def ask_anew(principal: Principal, memories: Sequence[Memory]) -> None:
    """Open the questions again by whose answer these memories were forgotten.

    Raises:
        Forbidden: for an agent, if there are any: only the person takes their answer back.
    """
    asked = ReviewItem.objects.filter(memory__in=[one.id for one in memories])
    waiting = asked.filter(memory=OuterRef("memory"), state=ReviewState.OPEN)
    refused = asked.filter(~Exists(waiting), state=ReviewState.REJECTED)
    items = list(refused.order_by("memory_id", "-decided_at").distinct("memory_id"))
    if not items:
        return
    if not principal.is_person:
        raise Forbidden("The person said that it is not true; only they take that back.")
    again = asked.filter(id__in=[one.id for one in items])
    again.update(state=ReviewState.OPEN, decided_at=None, undo_until=None)
    # It may have been due to lapse meanwhile: it is asked anew, so there is as long to answer.
    again.filter(lapses_at__isnull=False).update(lapses_at=timezone.now() + WRITE.review_lapse)
    audit.record_many(
        principal,
        AuditCode.REVIEW_DECIDED,
        (
            {
                "object_kind": "memory",
                "object_id": one.memory_id,
                "decision": Move.UNDO,
                "reason": one.kind,
            }
            for one in items
        ),
    )


def _refuse_rival(memory: Memory, target: State) -> None:
    """A slot of one value and a wording have one holder in use."""
    if target not in (State.ACTIVE, State.PENDING):
        return
    mine: dict[str, Any] = {"tenant_id": memory.tenant_id, "subject_id": memory.subject_id}
    others = Memory.objects.filter(**mine).exclude(id=memory.id)
    same_words = others.filter(
        wording=memory.wording,
        occurred=memory.occurred,
        state__in=(State.ACTIVE, State.PENDING),
    ).exists()
    same_slot = target == State.ACTIVE and Memory.objects.rivals_of(memory).exists()
    if same_slot or same_words:
        raise StaleState("Another memory has taken its place; forget that one first.")


def honour_refusals(principal: Principal, session_id: uuid.UUID) -> int:
    """Forget what was remembered from a message that the person took back in a later one.

    "Don't remember that last one." is decided as a refusal that names the message before; a memory
    that rests on nothing else is forgotten. Returns how many were; running it twice changes nothing.
    """
    with acting(principal.unlimited()):
        lock_subject(principal)
        said = Event.objects.filter(session_id=session_id, subject_id=principal.person_id)
        refusals = Decision.objects.filter(
            event_id__in=said.values("id"), reasons__contains=[Reason.DO_NOT_REMEMBER]
        )
        refused = refusals.values("event_id")
        other = Evidence.objects.filter(memory=OuterRef("pk")).exclude(event_id__in=refused)
        resting = Evidence.objects.filter(memory=OuterRef("pk"), event_id__in=refused)
        rows = (
            Memory.objects.filter(Exists(resting), ~Exists(other), state__in=LIVING)
            .filter(subject_id=principal.person_id)
            .select_for_update()
        )
        kept = _taken_back(rows, refusals)
        found = [one for one in rows if one.id not in kept]
        hide_all(principal, found, reason=Move.FORGET)
    return len(found)


def _taken_back(rows: QuerySet[Memory], refusals: QuerySet[Decision]) -> set[uuid.UUID]:
    """Return those whose forgetting was taken back after the last refusal: that is the later word."""
    ids = [one.id for one in rows]
    if not ids:
        return set()
    said = Evidence.objects.filter(memory_id=OuterRef(OuterRef("object_id"))).values("event_id")
    later = refusals.filter(event_id__in=said, created_at__gt=OuterRef("at"))
    undone = AuditEvent.objects.filter(
        tenant_id=rows[0].tenant_id, subject_id=rows[0].subject_id, object_id__in=ids,
        code=AuditCode.MEMORY_STATE_CHANGED, reason=Move.UNDO,
    )  # fmt: skip
    return {one for one in undone.filter(~Exists(later)).values_list("object_id", flat=True) if one}


def hide_all(principal: Principal, found: Iterable[Memory], *, reason: str) -> None:
    """Hide many memories, each with its audit line; call it inside a transaction of the subject."""
    until = None
    for memory in found:
        until = until or undo_window(principal.tenant_id, principal.person_id)
        before = memory.state
        hide(memory, until)
        note_move(principal, memory, before=before, reason=reason)
