"""State moves of a memory, by compare-and-set; and one writer at a time for a person."""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts import audit
from accounts.acting import stays
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.choices import State
from memory.errors import NotFound, StaleState
from memory.models import Memory

LIVING = (State.PENDING, State.ACTIVE, State.PAUSED, State.DISPUTED, State.ARCHIVED)

# Where a memory that has faded may be without being in use again.
PUT_AWAY = (State.ARCHIVED, State.FORGOTTEN)

MOVES: dict[State, frozenset[State]] = {
    State.PENDING: frozenset({State.ACTIVE, State.ARCHIVED, State.FORGOTTEN, State.ERASING}),
    State.ACTIVE: frozenset(
        {State.PAUSED, State.DISPUTED, State.ARCHIVED, State.FORGOTTEN, State.ERASING}
    ),
    State.PAUSED: frozenset({State.ACTIVE, State.FORGOTTEN, State.ERASING}),
    State.DISPUTED: frozenset({State.ACTIVE, State.FORGOTTEN, State.ERASING}),
    State.ARCHIVED: frozenset({State.ACTIVE, State.FORGOTTEN, State.ERASING}),
    State.FORGOTTEN: frozenset({*LIVING, State.ERASING}),
    State.ERASING: frozenset({State.ERASED}),
    State.ERASED: frozenset(),
}

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


def lock_subject(principal: Principal) -> None:
    """Let one at a time compare, store, move or erase for a subject; released with the transaction.

    Who also locks a session or its messages does so before, and memories after; who erases the whole
    person locks their row before.

    Raises:
        NotFound: if the person was erased whole meanwhile.
    """
    if not stays(principal.person_id):
        raise NotFound
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [str(principal.subject_id)])


def transition(memory: Memory, to: State, **changes: Any) -> None:
    """Move ``memory`` to ``to``, with other columns, if nobody moved it meanwhile.

    Raises:
        StaleState: if the move is not allowed from its state, or its state has changed.
    """
    old = State(memory.state)
    if to not in MOVES[old]:
        raise StaleState(f"A memory that is {old} cannot become {to}.")
    if to not in PUT_AWAY:
        changes["erase_at"] = None
    changes |= {"state": to, "updated_at": timezone.now()}
    if not Memory.objects.filter(pk=memory.pk, state=old).update(**changes):
        raise StaleState("Somebody else changed this memory; read it again.")
    for name, value in changes.items():
        setattr(memory, name, value)


def transition_all(memories: Sequence[Memory], to: State, **changes: Any) -> None:
    """Move many locked memories to ``to`` in one statement, all or none; their objects are as before.

    Raises:
        StaleState: if the move is not allowed from the state of one, or somebody moved it meanwhile.
    """
    before = {State(memory.state) for memory in memories}
    if refused := [old for old in before if to not in MOVES[old]]:
        raise StaleState(f"A memory that is {refused[0]} cannot become {to}.")
    if to not in PUT_AWAY:
        changes["erase_at"] = None
    changes |= {"state": to, "updated_at": timezone.now()}
    rows = Memory.objects.filter(pk__in=[memory.pk for memory in memories], state__in=before)
    if rows.update(**changes) != len(memories):
        raise StaleState("Somebody else changed one of these memories; read them again.")


def note_move(principal: Principal, memory: Memory, *, before: str, reason: str) -> None:
    """Write down from where to where a memory was moved, and why; beside the move itself."""
    audit.record(
        principal,
        AuditCode.MEMORY_STATE_CHANGED,
        object_kind="memory",
        object_id=memory.id,
        sensitivity=memory.sensitivity,
        reason=reason,
        fields=[before, memory.state],
    )
