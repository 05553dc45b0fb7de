"""What an operator reads of a person while a look is open, and nothing else."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts import looks
from accounts.acting import acting
from accounts.choices import Action
from accounts.models import Look
from accounts.principal import Principal
from memory import access
from memory.errors import InvalidInput, NotFound
from memory.recall.pages import page
from memory.vault import open_vault

SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One page of what the look is about, newest first, and the cursor of the next one."""

    look: Look
    items: Sequence[access.OpenedMemory]
    next: str | None


def look_at(operator: Principal, look_id: uuid.UUID, *, cursor: str | None = None) -> Seen:
    """Return a page of the person's memories as far as the look goes; the person is told.

    Raises:
        NotFound: if no look of this operator is open.
        InvalidInput: for a cursor that is not ours.
    """
    rights, look = _rights(operator, look_id)
    access.require(rights, Action.READ)
    with acting(rights):
        rows = access.memories_visible_to(rights)
        found, more = page(rows, by="created_at", limit=SHOWN, cursor=cursor)
        looks.note_view(rights, count=len(found))
        items = access.open_current(open_vault(rights), found) if found else []
    return Seen(look=look, items=items, next=more)


def end_look(operator: Principal, look_id: uuid.UUID) -> None:
    """End a look now.

    Raises:
        NotFound: if no look of theirs is open.
    """
    try:
        looks.end(operator, look_id)
    except looks.NoLook:
        raise NotFound from None


def let_look(
    person: Principal,
    *,
    clearance: int,
    kinds: frozenset[str],
    until: datetime,
    memory_id: uuid.UUID | None = None,
) -> Look:
    """Let the operator look, at all of these kinds or at one memory alone.

    Raises:
        NotFound, Gone: if there is no such memory.
        InvalidInput: for a level, a kind or a time that no look can have.
    """
    with acting(person):
        if memory_id is not None:
            memory = access.access_memory(person, memory_id)
            clearance, kinds = memory.sensitivity, frozenset({memory.kind})
        try:
            scope = looks.Scope(clearance=clearance, kinds=kinds, memory_id=memory_id)
            return looks.let_look(person, scope, until=until)
        except looks.LookRefused as refused:
            raise InvalidInput(str(refused)) from None


def _rights(operator: Principal, look_id: uuid.UUID) -> tuple[Principal, Look]:
    try:
        return looks.looking(operator, look_id)
    except looks.NoLook:
        raise NotFound from None
