"""What happened day by day: each day's episodes with their outcomes and the messages behind them.

A day has no words of its own: it is put together when it is read, from what the reader may see.
"""

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Kind, Sensitivity, Subtype
from memory.errors import InvalidInput
from memory.models import Evidence
from memory.policy import PATTERN
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """One episode of a day, and the events it rests on."""

    opened: access.OpenedMemory
    event_ids: Sequence[uuid.UUID]

    @property
    def outcome(self) -> str:
        """Success, failure or cancelled; empty where nothing was said of it."""
        return str(self.opened.details.get("outcome", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day of the person's, its episodes in their order."""

    date: date
    happened: Sequence[Happened]

    def count(self, outcome: str) -> int:
        """Return how many ended so."""
        return sum(one.outcome == outcome for one in self.happened)


def days(principal: Principal, *, since: date, until: date) -> list[Day]:
    """Return the days from ``since`` to ``until`` on which something happened, newest first.

    Days begin and end in the person's zone. Special episodes are left out for agents.

    Raises:
        Forbidden: without a grant to read.
        InvalidInput: for days in the wrong order, or too many.
    """
    access.require(principal, Action.READ)
    if not 0 <= (until - since).days < PATTERN.most_days:
        raise InvalidInput(f"Give from and until, {PATTERN.most_days} days at the most.")
    with acting(principal):
        rows = access.memories_in_use(principal).filter(
            kind=Kind.EPISODIC,
            occurred__gte=_midnight(principal, since),
            occurred__lt=_midnight(principal, until + timedelta(days=1)),
        )
        rows = rows.exclude(subtype=Subtype.PATTERN)
        if principal.agent_id is not None:
            rows = rows.exclude(sensitivity__gte=Sensitivity.SPECIAL)
        found = list(rows.order_by("occurred", "id"))
        audit.record(principal, AuditCode.MEMORY_LISTED, result_count=len(found), reason="days")
        events = Evidence.objects.events_of(one.id for one in found)
        by_day: dict[date, list[Happened]] = defaultdict(list)
        for one in access.open_current(open_vault(principal), found):
            assert one.memory.occurred is not None
            day = one.memory.occurred.astimezone(principal.zone).date()
            by_day[day].append(Happened(opened=one, event_ids=events[one.memory.id]))
    return [Day(date=day, happened=told) for day, told in sorted(by_day.items(), reverse=True)]


def _midnight(principal: Principal, day: date) -> datetime:
    return datetime.combine(day, time(), principal.zone)
