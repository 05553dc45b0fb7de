"""When agents were handed memories: counts, times and names of agents, never the question."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncWeek
from django.utils import timezone

from accounts.choices import ActorKind
from accounts.principal import Principal
from memory.models import Feedback, Memory, RecalledMemory

WEEKS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One agent was handed one memory; ``profile``: without having asked for it."""

    memory_id: uuid.UUID
    at: datetime
    agent_id: uuid.UUID | None
    profile: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """The uses of one memory: all in the last weeks by week, the latest ones, and what came of them.

    ``verdicts`` say how often which agent has said what of it, or of a recall that handed it over.
    """

    weeks: Sequence[tuple[datetime, int]]
    latest: Sequence[Use]
    verdicts: Sequence[tuple[uuid.UUID, str, int]]

    @property
    def total(self) -> int:
        """How often in the weeks shown."""
        return sum(count for _, count in self.weeks)


def by_agents(principal: Principal) -> QuerySet[RecalledMemory]:
    """Return what agents were handed of the person, inside ``acting``."""
    return RecalledMemory.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        recall__actor_kind=ActorKind.AGENT,
    )


def uses_of(principal: Principal, memory_id: uuid.UUID, *, latest: int = 10) -> Uses:
    """Return the uses of one memory, inside ``acting``."""
    rows = by_agents(principal).filter(memory_id=memory_id)
    return Uses(
        weeks=weekly_uses(rows),
        latest=last(rows, limit=latest),
        verdicts=_verdicts(principal, memory_id),
    )


def _verdicts(principal: Principal, memory_id: uuid.UUID) -> list[tuple[uuid.UUID, str, int]]:
    handed = by_agents(principal).filter(memory_id=memory_id).values("recall_id")
    rows = Feedback.objects.filter(
        Q(memory_id=memory_id) | Q(memory__isnull=True, recall__in=handed),
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
    ).exclude(verdict="")
    counted = rows.values_list("agent_id", "verdict").annotate(Count("id"))
    return list(counted.order_by("verdict", "agent_id"))


def last(rows: QuerySet[RecalledMemory], *, limit: int) -> list[Use]:
    """Return the latest of ``rows``, newest first."""
    found = rows.order_by("-recall__at", "rank").values_list(
        "memory_id", "recall__at", "recall__agent_id", "profile"
    )
    return [
        Use(memory_id=memory_id, at=at, agent_id=agent_id, profile=profile)
        for memory_id, at, agent_id, profile in found[:limit]
    ]


def weekly_uses(rows: QuerySet[RecalledMemory]) -> list[tuple[datetime, int]]:
    """Return how many of ``rows`` fell into each of the last weeks, oldest first, none left out."""
    zone = timezone.get_current_timezone()
    counted = (
        rows.filter(recall__at__gte=first_week(zone))
        .annotate(week=TruncWeek("recall__at", tzinfo=zone))
        .values_list("week")
        .annotate(number=Count("id"))
    )
    return _filled(dict(counted), zone)


def weekly_learned(rows: QuerySet[Memory]) -> list[tuple[datetime, int]]:
    """Return how many memories were made in each of the last weeks, oldest first."""
    zone = timezone.get_current_timezone()
    counted = (
        rows.filter(created_at__gte=first_week(zone))
        .annotate(week=TruncWeek("created_at", tzinfo=zone))
        .values_list("week")
        .annotate(number=Count("id"))
    )
    return _filled(dict(counted), zone)


def first_week(zone: tzinfo) -> datetime:
    """Return the Monday with which the weeks shown begin."""
    now = timezone.now().astimezone(zone)
    monday = (now - timedelta(days=now.weekday())).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    return monday - timedelta(weeks=WEEKS - 1)


def _filled(counted: Mapping[datetime, int], zone: tzinfo) -> list[tuple[datetime, int]]:
    by_day = {week.date(): number for week, number in counted.items()}
    start = first_week(zone)
    weeks = [start + timedelta(weeks=position) for position in range(WEEKS)]
    return [(week, by_day.get(week.date(), 0)) for week in weeks]
