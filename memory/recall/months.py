"""What came when, and what has changed since the person last looked: counts, no words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Q
from django.db.models.functions import TruncMonth
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action
from accounts.principal import Principal
from memory import access
from memory.choices import State
from memory.models import Memory, Tombstone
from memory.policy import LOOK
from memory.recall.selecting import Selection

YEAR = 12  # months


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How many memories were learnt, reworded, forgotten or erased since a moment."""

    learned: int
    changed: int
    gone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """How many of the memories that are kept were learnt in each month, oldest first, and before."""

    months: Sequence[tuple[date, int]]
    earlier: int


def months(principal: Principal) -> Timeline:
    """Return what was learnt month by month.

    The months are at least a year's and at most the policy's; none is left out.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    today = timezone.localdate()
    every = _months_until(today, LOOK.months)
    zone = timezone.get_current_timezone()
    begin = datetime(every[0].year, every[0].month, 1, tzinfo=zone)
    with acting(principal):
        kept = access.memories_visible_to(principal)
        earlier = kept.filter(created_at__lt=begin).count()
        rows = kept.filter(created_at__gte=begin)
        counted = rows.annotate(month=TruncMonth("created_at", tzinfo=zone)).order_by()
        numbers = {
            month.date(): number
            for month, number in counted.values_list("month").annotate(number=Count("id"))
        }
    first = every[0] if earlier else min([*numbers, every[-YEAR]])
    found = [(month, numbers.get(month, 0)) for month in every if month >= first]
    return Timeline(months=found, earlier=earlier)


def _months_until(day: date, number: int) -> list[date]:
    last = day.year * 12 + day.month - 1
    return [date(at // 12, at % 12 + 1, 1) for at in range(last - number + 1, last + 1)]


def changes(principal: Principal, since: datetime) -> Changes:
    """Return what has happened to the person's memories since a moment, whoever did it.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        rows = Memory.objects.visible_to(principal)
        counted = rows.aggregate(
            learned=Count("id", filter=Q(state__in=_kept(), created_at__gte=since)),
            forgotten=Count("id", filter=Q(state=State.FORGOTTEN, updated_at__gte=since)),
        )
        buried = Tombstone.objects.filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            object_kind="memory",
            at__gte=since,
        )
        reworded = Selection(changed_since=since).of(access.memories_visible_to(principal))
        return Changes(
            learned=counted["learned"],
            changed=reworded.count(),
            gone=counted["forgotten"] + buried.count(),
        )


def _kept() -> Sequence[State]:
    return (State.PENDING, State.ACTIVE, State.PAUSED, State.DISPUTED, State.ARCHIVED)
