"""The procedures of a person: what is in use, what waits, and how often each way has worked."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Kind, State
from memory.choices.slots import PROCEDURE_SLOT
from memory.errors import NotFound
from memory.models import Memory
from memory.reviews.by_name import confirm_memory
from memory.reviews.listing import require_person
from memory.vault import SubjectVault, open_vault
from memory.write.procedures import Way, record_of, way_of

SHOWN = (State.ACTIVE, State.PENDING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A procedure, opened. ``record``: how often its kind of task was done this way, if it was."""

    opened: access.OpenedMemory
    title: str
    steps: Sequence[str]
    record: Way | None


def procedures(principal: Principal) -> list[Procedure]:
    """Return what is published and what waits for the person, by title.

    An agent sees what is published, and of what waits its own.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = access.memories_visible_to(principal).filter(
            kind=Kind.PROCEDURAL, attribute=PROCEDURE_SLOT, state__in=SHOWN
        )
        found = [one for one in rows.order_by("created_at", "id") if _may_see(principal, one)]
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=len(found), reason="procedures"
        )
        vault = open_vault(principal)
        shown = [_shown(vault, one) for one in access.open_current(vault, found)]
    return sorted(shown, key=lambda one: one.title)


def publish(principal: Principal, memory_id: uuid.UUID) -> Memory:
    """Publish a procedure that waits: the person has looked at it. It retires the one before it.

    Raises:
        Forbidden, NotFound, Gone: not the person; no procedure of theirs, or erased.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT)
        if memory.kind != Kind.PROCEDURAL:
            raise NotFound("This is no procedure.")
        return confirm_memory(principal, memory_id)


def _may_see(principal: Principal, memory: Memory) -> bool:
    waits = memory.state == State.PENDING
    return not waits or principal.agent_id in (None, memory.agent_id)


def _shown(vault: SubjectVault, opened: access.OpenedMemory) -> Procedure:
    title = str(opened.details.get("condition", ""))
    steps = tuple(opened.details.get("steps", ()))
    way = way_of(vault, steps)
    record = next((one for one in record_of(vault, title) if one.value == way), None)
    return Procedure(opened=opened, title=title, steps=steps, record=record)
