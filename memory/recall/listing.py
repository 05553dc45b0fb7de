"""Listing and opening memories without a question: newest first, in pages that hold still."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity
from memory.recall.pages import page
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of memories, the cursor of the next one, and how many there are on all pages."""

    items: list[access.OpenedMemory]
    next: str | None
    total: int


def list_memories(
    principal: Principal, *, filters: Mapping[str, Any], limit: int, cursor: str | None
) -> Page:
    """Return a page of the memories the principal may see, newest first.

    Special ones (level 40) are left out of agents' lists; they are recalled by question only.

    Raises:
        Forbidden: without a grant to read.
        InvalidInput: for a cursor that is not ours.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = access.memories_visible_to(principal).filter(**filters)
        if principal.agent_id is not None:
            rows = rows.filter(sensitivity__lt=Sensitivity.SPECIAL)
        found, more = page(rows, by="created_at", limit=limit, cursor=cursor)
        audit.record(principal, AuditCode.MEMORY_LISTED, result_count=len(found))
        items = access.open_current(open_vault(principal), found)
        return Page(items=items, next=more, total=rows.count())


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
