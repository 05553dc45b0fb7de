"""What each agent did for a person within seven days, counted from the log."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from accounts.choices import ActorKind, AuditCode
from accounts.models import AuditEvent
from accounts.principal import Principal

WEEK = timedelta(days=7)
READS = (
    AuditCode.MEMORY_RECALLED,
    AuditCode.MEMORY_LISTED,
    AuditCode.MEMORY_READ,
    AuditCode.CONTEXT_BUILT,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """How often an agent read, and how much it suggested."""

    reads: int = 0
    suggestions: int = 0


def week_of(principal: Principal) -> Mapping[uuid.UUID, Week]:
    """Return the week of every agent that did anything for the person: one query."""
    lines = AuditEvent.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        actor_kind=ActorKind.AGENT,
        at__gt=timezone.now() - WEEK,
    )
    counted = lines.values("actor_id").annotate(
        reads=Count("id", filter=Q(code__in=READS)),
        suggestions=Count("id", filter=Q(code=AuditCode.MEMORY_DECIDED)),
    )
    return {
        row["actor_id"]: Week(reads=row["reads"], suggestions=row["suggestions"])
        for row in counted
        if row["actor_id"] is not None
    }
