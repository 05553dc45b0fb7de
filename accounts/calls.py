"""Which agents have called about a person since a line of the log: for whoever waits for a first call."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Min, Q, QuerySet

from accounts.choices import ActorKind, AuditCode
from accounts.logins import agent_names
from accounts.models import AuditEvent
from accounts.principal import Principal

READS = (
    AuditCode.MEMORY_RECALLED,
    AuditCode.MEMORY_READ,
    AuditCode.MEMORY_LISTED,
    AuditCode.CONTEXT_BUILT,
)
WRITES = (AuditCode.MESSAGES_APPENDED, AuditCode.MEMORY_DECIDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One agent: when it first read and wrote since then, and its newest line."""

    agent: str
    read_at: datetime | None
    wrote_at: datetime | None
    line: int


def last_line(principal: Principal) -> int:
    """Return the number of the log's newest line about the person; 0 if there is none."""
    return _lines(principal).aggregate(n=Max("id"))["n"] or 0


def calls_after(principal: Principal, line: int) -> Sequence[Call]:
    """Return the agents with lines after ``line``, whoever called last at the end."""
    after = _lines(principal).filter(id__gt=line, actor_kind=ActorKind.AGENT)
    found: Any = (
        after.values("actor_id")
        .annotate(
            read_at=Min("at", filter=Q(code__in=READS)),
            wrote_at=Min("at", filter=Q(code__in=WRITES)),
            line=Max("id"),
        )
        .order_by("line")
    )
    names = agent_names(principal)
    return [
        Call(agent=names.get(one.pop("actor_id"), ""), **one)
        for one in found
        if one["read_at"] or one["wrote_at"]
    ]


def _lines(principal: Principal) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
