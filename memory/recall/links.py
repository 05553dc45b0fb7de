"""Links between memories as they are read: only where both ends may be seen."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import LinkKind, Sensitivity
from memory.index.planning import one_of
from memory.models import MemoryLink


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A link as one of its ends sees it: ``outgoing`` from here to the other, else the other way."""

    id: uuid.UUID
    kind: LinkKind
    outgoing: bool
    memory_id: uuid.UUID
    created_at: datetime


def links_of(principal: Principal, memory_id: uuid.UUID) -> list[Linked]:
    """Return the links of a memory to others that the principal may see, the oldest first.

    Special ones (level 40) are left out for agents, as in every list.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal):
        access.access_memory(principal, memory_id)
        audit.record(principal, AuditCode.MEMORY_READ, object_kind="memory", object_id=memory_id)
        return visible_links(principal, memory_id)


def visible_links(principal: Principal, memory_id: uuid.UUID) -> list[Linked]:
    """Return what `links_of` does, inside ``acting``, of a memory that is accessed already."""
    others = access.memories_visible_to(principal)
    if principal.agent_id is not None:
        others = others.filter(sensitivity__lt=Sensitivity.SPECIAL)
    rows = MemoryLink.objects.filter(
        Q(source_id=memory_id, target__in=others) | Q(target_id=memory_id, source__in=others),
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
    )
    return [seen_from(memory_id, row) for row in rows.order_by("created_at", "id")]


def seen_from(memory_id: uuid.UUID, row: MemoryLink) -> Linked:
    """Return a link as one of its ends sees it."""
    outgoing = row.source_id == memory_id
    return Linked(
        id=row.id,
        kind=LinkKind(row.kind),
        outgoing=outgoing,
        memory_id=row.target_id if outgoing else row.source_id,
        created_at=row.created_at,
    )


def beside(principal: Principal, memory_ids: str) -> QuerySet[MemoryLink, Any]:
    """Return the ids of the memories that are linked to one of an array of ids, given as SQL."""
    links = MemoryLink.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    there = links.filter(one_of("source_id", memory_ids)).values("target")
    back = links.filter(one_of("target_id", memory_ids)).values("source")
    return there.union(back)
