"""Stretches of the calendar: days, weeks, months and years, in the zone of the moment given."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.text.when import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A half-open stretch of time; None is without end. ``start``/``stop``: where its words stand."""

    begin: datetime | None
    end: datetime | None
    start: int = 0
    stop: int = 0


def midnight(at: datetime) -> datetime:
    """Return the beginning of the day."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def first(at: datetime, year: int, month: int) -> datetime:
    """Return the first day of a month, which may lie outside 1 to 12."""
    months = year * 12 + month - 1
    return midnight(at).replace(year=months // 12, month=months % 12 + 1, day=1)


def whole(day: datetime, unit: Unit) -> tuple[datetime, datetime]:
    """Return the calendar day, week (from Monday), month or year that ``day`` lies in."""
    day = midnight(day)
    if unit == Unit.DAY:
        return day, day + timedelta(days=1)
    if unit == Unit.WEEK:
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=7)
    if unit == Unit.MONTH:
        return first(day, day.year, day.month), first(day, day.year, day.month + 1)
    return first(day, day.year, 1), first(day, day.year + 1, 1)


def back(at: datetime, number: int, unit: Unit) -> datetime:
    """Return the day ``number`` units before ``at``; never past the 28th of a month."""
    day = midnight(at)
    if unit in (Unit.DAY, Unit.WEEK):
        return day - timedelta(days=number * (7 if unit == Unit.WEEK else 1))
    month = first(at, at.year, at.month - number * (12 if unit == Unit.YEAR else 1))
    return month + timedelta(days=min(at.day, 28) - 1)


def span(pair: tuple[datetime | None, datetime | None], m: re.Match[str]) -> tuple[Span, ...]:
    """Return the stretch that the matched words name."""
    return (Span(begin=pair[0], end=pair[1], start=m.start(), stop=m.end()),)
