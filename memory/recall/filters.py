"""Filters: conditions on what a memory is, joined by AND, OR and NOT, from a list of what may be asked.

``{"kind": "episodic", "OR": [{"tags": "travel"}, {"occurred": {"gte": "2026-01-01T00:00:00Z"}}]}``

Names in one object are joined by AND. A value is meant exactly, a list means any of it, and an object
holds comparisons. Whatever is not on the list is an error, never ignored. Tags and metadata are kept
as keyed digests, so they can be equal and nothing else.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import and_, or_
from typing import Any

from django.db.models import Q
from django.utils.dateparse import parse_datetime

from memory.choices import Kind, Origin, Sensitivity, Subtype, Trust
from memory.errors import InvalidInput

Digest = Callable[[str, str], int]
COMPARISONS = {"gt": "gt", "gte": "gte", "lt": "lt", "lte": "lte"}
DEEPEST, MOST_CONDITIONS, MOST_VALUES, LONGEST = 5, 50, 50, 500
FIRST_YEAR, LAST_YEAR = 1000, 9000


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing that may be asked about: where it stands, what its values are, whether they order."""

    column: str
    read: Callable[[Any], Any]
    ordered: bool = False


def _one_of(choices: Sequence[Any]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if isinstance(value, bool) or value not in choices:
            raise ValueError("must be one of " + ", ".join(str(one) for one in choices))
        return value

    return read


def _text(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
        raise ValueError(f"must be text of 1 to {LONGEST} characters")
    return value


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError("must be a number from 0 to 1")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")  # noqa: TRY004 - every fault is told alike
    return value


def _id(value: Any) -> uuid.UUID:
    try:
        return uuid.UUID(_text(value))
    except ValueError:
        raise ValueError("must be an id (UUID)") from None


def _moment(value: Any) -> datetime:
    try:
        found = parse_datetime(_text(value))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None or not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise ValueError("must be a time with its offset, such as 2026-03-02T09:00:00+08:00")
    return found


FIELDS: Mapping[str, Field] = {
    "kind": Field(column="memory__kind", read=_one_of(Kind.values)),
    "subtype": Field(column="memory__subtype", read=_one_of(Subtype.values)),
    "attribute": Field(column="memory__attribute", read=_text),
    "origin": Field(column="memory__origin", read=_one_of(Origin.values)),
    "sensitivity": Field(
        column="memory__sensitivity", read=_one_of(Sensitivity.values), ordered=True
    ),
    "trust": Field(column="memory__trust", read=_one_of(Trust.values), ordered=True),
    "confidence": Field(column="memory__confidence", read=_share, ordered=True),
    "importance": Field(column="memory__importance", read=_share, ordered=True),
    "pinned": Field(column="memory__pinned", read=_flag),
    "agent_id": Field(column="memory__agent_id", read=_id),
    "session_id": Field(column="memory__session_id", read=_id),
    "occurred": Field(column="memory__occurred", read=_moment, ordered=True),
    "created_at": Field(column="memory__created_at", read=_moment, ordered=True),
    "updated_at": Field(column="memory__updated_at", read=_moment, ordered=True),
    "last_confirmed_at": Field(column="memory__last_confirmed_at", read=_moment, ordered=True),
    "valid_from": Field(column="valid_from", read=_moment, ordered=True),
    "valid_to": Field(column="valid_to", read=_moment, ordered=True),
}
SEALED = ("tags", "metadata")
JOINTS = ("AND", "OR", "NOT")


def condition(filters: Mapping[str, Any], digest: Digest) -> Q:
    """Return ``filters`` as a condition on versions; ``digest(purpose, text)`` is the vault's.

    Raises:
        InvalidInput: names the part that is not understood, and what is.
    """
    return _Reader(digest).read(filters, path="filters", depth=1)


@dataclass(slots=True)
class _Reader:
    digest: Digest
    conditions: int = 0

    def read(self, filters: Any, *, path: str, depth: int) -> Q:
        if not isinstance(filters, Mapping):
            raise InvalidInput(f"{path} must be an object of conditions.")
        if depth > DEEPEST:
            raise InvalidInput(f"{path} is nested deeper than {DEEPEST} levels.")
        parts = [
            self._part(str(name), value, path=f"{path}.{name}", depth=depth)
            for name, value in filters.items()
        ]
        return reduce(and_, parts, Q())

    def _part(self, name: str, value: Any, *, path: str, depth: int) -> Q:
        if name in JOINTS:
            return self._joined(name, value, path=path, depth=depth)
        self.conditions += 1
        if self.conditions > MOST_CONDITIONS:
            raise InvalidInput(f"filters hold more than {MOST_CONDITIONS} conditions.")
        if name == "tags":
            return self._tags(value, path=path)
        if name == "metadata":
            return self._metadata(value, path=path)
        field = FIELDS.get(name)
        if field is None:
            known = ", ".join([*JOINTS, *FIELDS, *SEALED])
            raise InvalidInput(f"{path} is unknown; known are {known}.")
        return _compared(field, value, path=path)

    def _joined(self, joint: str, value: Any, *, path: str, depth: int) -> Q:
        inner = [value] if joint == "NOT" and isinstance(value, Mapping) else value
        if not isinstance(inner, Sequence) or isinstance(inner, str) or not inner:
            raise InvalidInput(f"{path} must be a list of conditions.")
        parts = [
            self.read(one, path=f"{path}[{position}]", depth=depth + 1)
            for position, one in enumerate(inner)
        ]
        if joint == "NOT":
            return reduce(and_, [~part for part in parts])
        return reduce(and_ if joint == "AND" else or_, parts)

    def _tags(self, value: Any, *, path: str) -> Q:
        wanted = [self.digest("tag", one) for one in _values(_text, value, path=path)]
        return Q(memory__tags__overlap=wanted)

    def _metadata(self, value: Any, *, path: str) -> Q:
        if not isinstance(value, Mapping) or not 0 < len(value) <= MOST_VALUES:
            raise InvalidInput(f"{path} must be an object of texts.")
        wanted = [
            Q(
                memory__metadata__overlap=[
                    self.digest("metadata", f"{name}\n{one}")
                    for one in _values(_text, inner, path=f"{path}.{name}")
                ]
            )
            for name, inner in value.items()
        ]
        return reduce(and_, wanted)


def _compared(field: Field, value: Any, *, path: str) -> Q:
    if not isinstance(value, Mapping):
        return Q(**{f"{field.column}__in": _values(field.read, value, path=path)})
    parts: list[Q] = []
    for name, inner in value.items():
        if name == "in":
            parts.append(Q(**{f"{field.column}__in": _values(field.read, inner, path=path)}))
        elif name == "ne":
            parts.append(~Q(**{f"{field.column}__in": _values(field.read, inner, path=path)}))
        elif field.ordered and name in COMPARISONS:
            (bound,) = _values(field.read, [inner], path=path)
            parts.append(Q(**{f"{field.column}__{COMPARISONS[name]}": bound}))
        else:
            known = ", ".join(["in", "ne", *(COMPARISONS if field.ordered else ())])
            raise InvalidInput(f"{path}.{name} is unknown; known are {known}.")
    if not parts:
        raise InvalidInput(f"{path} is empty.")
    return reduce(and_, parts)


def _values(read: Callable[[Any], Any], value: Any, *, path: str) -> list[Any]:
    given = value if isinstance(value, list) else [value]
    if len(given) > MOST_VALUES:
        raise InvalidInput(f"{path} lists more than {MOST_VALUES} values.")
    try:
        return [read(one) for one in given]
    except ValueError as fault:
        raise InvalidInput(f"{path} {fault}.") from None
