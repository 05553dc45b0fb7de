"""The types of JSON are meant: a number is no text, ``"yes"`` is no truth value, 1e999 is no number.

Nor is a control character part of a text, but in what a program printed (`Raw`).
"""

import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

MOST = 2**63 - 1  # what a column of whole numbers holds
# Far enough from both ends of the calendar that no time zone and no sum leads over them.
EARLIEST, LATEST = datetime(1000, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
TEXTS = (serializers.CharField, serializers.UUIDField, serializers.DateTimeField)
OUT_OF_RANGE = "Must lie between the years 1000 and 9000."
# All but tab, line feed and carriage return.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
NO_OFFSET = "Give the offset from UTC, for example 2026-03-02T09:00:00+08:00."
DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Raw(serializers.CharField):
    """What a program printed, as it came; the door takes out what only a terminal reads."""

    def to_internal_value(self, data: Any) -> str:
        """Let control characters pass; NUL, which no store keeps, goes here."""
        return str(super().to_internal_value(data)).replace("\0", "")


def control_fault(text: str) -> str:
    """Return what is wrong with a text that holds a control character; nothing if it holds none."""
    found = CONTROL.search(text)
    return f"Holds a control character (U+{ord(found[0]):04X})." if found else ""


class Moment(serializers.DateTimeField):
    """A time with its offset, which stays, in years a calendar can reckon with."""

    def enforce_timezone(self, value: datetime) -> datetime:
        """Refuse a time without offset, and one that the service could not add to."""
        if value.tzinfo is None:
            raise serializers.ValidationError(NO_OFFSET)
        if not EARLIEST <= value <= LATEST:
            raise serializers.ValidationError(OUT_OF_RANGE)
        return value


@extend_schema_field(
    {"oneOf": [{"type": "string", "format": kind} for kind in ("date-time", "date")]}
)
class MomentOrDay(Moment):
    """A time with its offset, or a whole day of the person's own."""

    def to_internal_value(self, value: str) -> datetime | date:  # type: ignore[override]  # wider
        """Return a time, or the day that was named without one."""
        if not DAY.fullmatch(value):
            return super().to_internal_value(value)
        try:
            day = date.fromisoformat(value)
        except ValueError:
            raise serializers.ValidationError("There is no such day.") from None
        if not EARLIEST.date() < day < LATEST.date():
            raise serializers.ValidationError(OUT_OF_RANGE)
        return day


def in_zone(values: Mapping[str, Any], zone: tzinfo) -> dict[str, datetime]:
    """Return the times among ``values``; a day without a time is a whole day in ``zone``.

    What holds from a day begins with it, what holds to a day ends when the day is over.

    Raises:
        ValidationError: if the validity would end before it begins.
    """
    names = [name for name in ("occurred", "valid_from", "valid_to") if values.get(name)]
    found = {name: _moment(values[name], zone, end=name == "valid_to") for name in names}
    begins, ends = found.get("valid_from"), found.get("valid_to")
    empty = not isinstance(values.get("valid_to"), datetime)  # a day that ends as the other begins
    if begins and ends and (ends < begins or (empty and ends == begins)):
        raise serializers.ValidationError({"valid_to": "Must not be before valid_from."})
    return found


def _moment(value: datetime | date, zone: tzinfo, *, end: bool) -> datetime:
    if isinstance(value, datetime):
        return value
    day = value + timedelta(days=1) if end else value
    return datetime.combine(day, time.min, tzinfo=zone)


def mistyped(fields: Iterable[Any], values: Any) -> dict[str, str]:
    """Return what is wrong with the JSON types of ``values``, by the name of the field."""
    found = {field.field_name: _fault(field, values.get(field.field_name)) for field in fields}
    return {name: fault for name, fault in found.items() if fault}


def _fault(field: Any, value: Any) -> str:
    """Return what is wrong with one value's type; null and the wrong shape are the field's to say."""
    if value is None:
        return ""
    if isinstance(field, serializers.ListField):
        inner = value if isinstance(value, list) else []
        return _first(field.child, inner)
    if isinstance(field, serializers.DictField):
        inner = list(value.values()) if isinstance(value, dict) else []
        return _first(field.child, inner)
    if isinstance(field, serializers.JSONField):
        return _inner_fault(value)
    return _scalar_fault(field, value)


def _inner_fault(value: Any) -> str:
    """Return what is wrong with the texts anywhere in a JSON value."""
    if isinstance(value, str):
        return control_fault(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((fault for one in inner if (fault := _inner_fault(one))), "")


def _first(child: Any, values: list[Any]) -> str:
    return next((fault for one in values if (fault := _fault(child, one))), "")


def _scalar_fault(field: Any, value: Any) -> str:
    if isinstance(field, serializers.BooleanField):
        return "" if isinstance(value, bool) else "Must be true or false."
    if isinstance(field, serializers.ChoiceField):
        kinds = str if all(isinstance(key, str) for key in field.choices) else int
        return "" if _is(value, kinds) else f'"{str(value)[:50]}" is not a valid choice.'
    if isinstance(field, TEXTS):
        return _text_fault(field, value)
    if isinstance(field, serializers.IntegerField):
        return "" if _is(value, int) and abs(value) <= MOST else "Must be a whole number."
    if isinstance(field, serializers.FloatField):
        return "" if _is(value, (int, float)) and _is_finite(value) else "Must be a number."
    return ""


def _text_fault(field: Any, value: Any) -> str:
    if not isinstance(value, str):
        return "Must be a text."
    return "" if isinstance(field, Raw) else control_fault(value)


def _is(value: Any, kinds: Any) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float holds
        return False
