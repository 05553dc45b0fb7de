"""Confirming or rejecting a memory by name; its open question, if any, is answered with it."""

import uuid

from accounts.acting import acting
from accounts.choices import Action
from accounts.principal import Principal
from memory import access
from memory.choices import ReviewState
from memory.forget.moves import hide
from memory.lifecycle import lock_subject
from memory.models import Memory, ReviewItem
from memory.reviews.answers import confirm, keep, note, reject, suppress_wording
from memory.reviews.listing import require_person
from memory.vault import open_vault


def confirm_memory(principal: Principal, memory_id: uuid.UUID) -> Memory:
    """Confirm a memory by name: answers its open question, or simply notes the person's word.

    Raises:
        Forbidden, NotFound, Gone: not the person, not theirs, erased.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT, lock=True)
        if item := _open_item(memory):
            return keep(principal, item.id)
        confirm(memory)
        note(principal, memory, "confirm")
        return memory


def reject_memory(principal: Principal, memory_id: uuid.UUID) -> Memory:
    """Say that a memory is not true, by name.

    Raises:
        Forbidden, NotFound, Gone: as ``confirm_memory``.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT, lock=True)
        if item := _open_item(memory):
            return reject(principal, item.id)
        hide(memory)
        suppress_wording(open_vault(principal), memory)
        note(principal, memory, "reject")
        return memory


def _open_item(memory: Memory) -> ReviewItem | None:
    return ReviewItem.objects.filter(memory=memory, state=ReviewState.OPEN).first()
