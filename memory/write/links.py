"""Links between memories: made and taken back by whoever may write, between what they may see."""

import uuid

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import LinkKind, State
from memory.errors import Forbidden, InvalidInput, NotFound, StaleState
from memory.models import Memory, MemoryLink
from memory.policy import WRITE

# A link is the same from either end.
EITHER_WAY = frozenset({LinkKind.RELATED})


def link(
    principal: Principal, source_id: uuid.UUID, target_id: uuid.UUID, *, kind: LinkKind
) -> tuple[MemoryLink, bool]:
    """Return the link of this kind from one memory to another, and whether it is new.

    Raises:
        NotFound, Gone: if one of the two is not there, or the principal may not know of it.
        Forbidden: without a grant to write, or where learning is off.
        InvalidInput: for a memory and itself, or one that has too many links.
        StaleState: if one of them was forgotten.
    """
    if source_id == target_id:
        raise InvalidInput("A memory is not linked to itself.")
    if kind in EITHER_WAY:
        source_id, target_id = sorted((source_id, target_id))
    with acting(principal):
        ends = [_end(principal, one) for one in sorted((source_id, target_id))]
        found = MemoryLink.objects.filter(source_id=source_id, target_id=target_id, kind=kind)
        if (known := found.first()) is not None:
            return known, False
        for end in ends:
            _require_room(principal, end)
        made = MemoryLink.objects.create(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            source_id=source_id,
            target_id=target_id,
            kind=kind,
            author_kind=principal.kind,
            author_id=principal.actor_id,
        )
        _note(principal, AuditCode.MEMORY_LINKED, made)
    return made, True


def unlink(principal: Principal, memory_id: uuid.UUID, link_id: uuid.UUID) -> None:
    """Take a link of this memory back; an agent only what it has made itself.

    Raises:
        NotFound, Gone: if there is no such link between memories that the principal may see.
        Forbidden: without a grant to write, or for somebody else's link.
    """
    with acting(principal):
        _end(principal, memory_id)
        row = MemoryLink.objects.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id, id=link_id
        ).first()
        if row is None or memory_id not in (row.source_id, row.target_id):
            raise NotFound
        other = row.target_id if row.source_id == memory_id else row.source_id
        if not access.memories_visible_to(principal).filter(id=other).exists():
            raise NotFound
        if not principal.is_person and row.author_id != principal.actor_id:
            raise Forbidden("Only the person takes back what somebody else has linked.")
        _note(principal, AuditCode.MEMORY_UNLINKED, row)
        row.delete()


def _end(principal: Principal, memory_id: uuid.UUID) -> Memory:
    """Return one end, locked, so that no link reaches what is erased meanwhile."""
    memory = access.access_memory(principal, memory_id, action=Action.WRITE, lock=True)
    if not principal.may_learn:
        raise Forbidden("The person has switched learning off for this agent.")
    if memory.state == State.FORGOTTEN:
        raise StaleState("It was forgotten; take that back first.")
    return memory


def _require_room(principal: Principal, memory: Memory) -> None:
    """Count only what the principal itself has linked: it learns of nobody else's links."""
    mine = MemoryLink.objects.filter(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        author_kind=principal.kind,
        author_id=principal.actor_id,
    )
    count = mine.filter(source=memory).count() + mine.filter(target=memory).count()
    if count >= WRITE.links:
        raise InvalidInput(f"You have linked this memory {WRITE.links} times; that is the most.")


def _note(principal: Principal, code: AuditCode, row: MemoryLink) -> None:
    audit.record(principal, code, object_kind="memory", object_id=row.source_id, reason=row.kind)
