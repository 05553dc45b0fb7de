"""Listing and opening memories without a question: newest first, in pages that hold still."""

import uuid
from dataclasses import dataclass

from django.db.models import Count, Q

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity
from memory.recall.pages import beyond, page
from memory.recall.selecting import Order, Selection, ordered
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of memories, the cursor of the next one, how many come after, and how many in all."""

    items: list[access.OpenedMemory]
    next: str | None
    left: int
    total: int


def list_memories(
    principal: Principal,
    *,
    selection: Selection,
    limit: int,
    cursor: str | None,
    order: Order = Order.NEWEST,
) -> Page:
    """Return a page of those of the selected memories that the principal may see.

    Special ones (level 40) are left out of agents' lists; they are recalled by question only.

    Raises:
        Forbidden: without a grant to read.
        InvalidInput: for a cursor that is not ours.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = selection.of(access.memories_visible_to(principal))
        if principal.agent_id is not None:
            rows = rows.filter(sensitivity__lt=Sensitivity.SPECIAL)
        lined_up, by = ordered(rows, order)
        oldest = order == Order.OLDEST
        found, more = page(lined_up, by=by, limit=limit, cursor=cursor, oldest_first=oldest)
        rest = beyond(more, by=by, oldest_first=oldest) if more else Q(id__isnull=True)
        counted = lined_up.aggregate(total=Count("id"), left=Count("id", filter=rest))
        audit.record(principal, AuditCode.MEMORY_LISTED, result_count=len(found))
        items = access.open_current(open_vault(principal), found)
        return Page(items=items, next=more, **counted)


def writers(principal: Principal) -> list[uuid.UUID]:
    """Return the agents from whom the person's memories came.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = access.memories_visible_to(principal).filter(agent_id__isnull=False)
        found = rows.order_by().values_list("agent_id", flat=True).distinct()
        return [one for one in found if one is not None]


def open_memory(principal: Principal, memory_id: uuid.UUID) -> access.OpenedMemory:
    """Return one memory with its current wording, and note that it was read.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal):
        memory = access.access_memory(principal, memory_id)
        audit.record(
            principal,
            AuditCode.MEMORY_READ,
            object_kind="memory",
            object_id=memory.id,
            sensitivity=memory.sensitivity,
        )
        return access.open_current(open_vault(principal), [memory])[0]
