"""What a later memory makes past: "I prefer aisle seats now" beside "I prefer window seats".

One value of one attribute is superseded when it is written. What has no attribute is compared here, among
the memories that a recall looks at anyway. Nothing is changed: as of a time before the later one was told,
the earlier one holds.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.choices import Kind
from memory.recall.rows import Row
from memory.text.changed import Statement, kin, may_retire, read, replaces


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    row: Row
    at: datetime


def retired(
    rows: Sequence[Row], *, at: datetime, known_at: datetime | None = None
) -> Mapping[uuid.UUID, uuid.UUID]:
    """Return the wordings that a later one among ``rows`` retires, each with the one that holds.

    Only what was told by ``at`` and recorded by ``known_at`` counts; who is believed less retires nothing.
    """
    told = [_Told(row=row, at=_told(row, at)) for row in rows if _holds(row, known_at)]
    told = sorted((one for one in told if one.at <= at), key=lambda one: one.at)
    later = [one for one in told if may_retire(one.row.opened.text)]
    if not later:
        return {}
    statements: dict[uuid.UUID, Statement] = {}
    found: dict[uuid.UUID, uuid.UUID] = {}
    for new in later:
        for old in told:
            beside = old.at < new.at and _comparable(new.row, old.row)
            if beside and _replaces(statements, new.row, old.row):
                found[old.row.opened.version.id] = new.row.opened.version.id
    return {old: _last(found, new) for old, new in found.items()}


def _holds(row: Row, known_at: datetime | None) -> bool:
    version = row.opened.version
    if known_at is not None:
        return version.recorded_at <= known_at
    return version.superseded_at is None


def _told(row: Row, at: datetime) -> datetime:
    """Return when it was last said that it is so, as far as that was before ``at``."""
    memory, version = row.opened.memory, row.opened.version
    if memory.last_confirmed_at <= at:
        return memory.last_confirmed_at
    return version.valid_from or memory.occurred or version.recorded_at


def _comparable(new: Row, old: Row) -> bool:
    """Whether the one could be about the other. What happened is not undone by what came after it."""
    mine, theirs = new.opened.memory, old.opened.memory
    if mine.id == theirs.id or Kind.PROCEDURAL in (mine.kind, theirs.kind):
        return False
    if theirs.kind == Kind.EPISODIC and mine.kind != Kind.EPISODIC:
        return False
    if mine.trust < theirs.trust:
        return False
    return _about(new) == _about(old)


def _about(row: Row) -> tuple[frozenset[str], str]:
    """Return which relative it is about, and under which condition; a manager, a friend may be another."""
    details = row.opened.details
    return kin(str(details.get("about", ""))), str(details.get("condition", ""))


def _replaces(known: dict[uuid.UUID, Statement], new: Row, old: Row) -> bool:
    later = _read(known, new)
    if old.opened.memory.kind == Kind.EPISODIC and not later.wrong:
        return False
    return replaces(later, _read(known, old))


def _read(known: dict[uuid.UUID, Statement], row: Row) -> Statement:
    version = row.opened.version.id
    if version not in known:
        known[version] = read(row.opened.text)
    return known[version]


def _last(found: Mapping[uuid.UUID, uuid.UUID], version: uuid.UUID) -> uuid.UUID:
    while version in found:  # each step is later than the one before, so it ends
        version = found[version]
    return version
