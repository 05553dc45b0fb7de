"""What a later memory makes past: "I prefer aisle seats now" beside "I prefer window seats".

One value of one attribute is superseded when it is written. What has no attribute is compared here, among
the memories that a recall looks at anyway. Nothing is changed: as of a time before the later one was told,
the earlier one holds.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.choices import Kind
from memory.recall.rows import Row
from memory.text.changed import Statement, kin, may_retire, read, replaces


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A wording as it is compared: when it was told, whom it is about, under which condition, what it says."""

    row: Row
    at: datetime
    about: tuple[frozenset[str], str]
    statement: Statement


def retired(
    rows: Sequence[Row],
    *,
    of: Collection[uuid.UUID],
    at: datetime,
    known_at: datetime | None = None,
) -> Mapping[uuid.UUID, uuid.UUID]:
    """Return which of the wordings ``of`` a later one among ``rows`` retires, each with the one that holds.

    What retires one and is retired itself is among them. Only what was told by ``at`` and recorded by
    ``known_at`` counts; who is believed less retires nothing.
    """
    rows = [row for row in rows if _holds(row, known_at) and _told(row, at) <= at]
    changing = {row.opened.version.id for row in rows if may_retire(row.opened.text)}
    if not changing:
        return {}
    asked = set(of)
    rows = [row for row in rows if row.opened.version.id in asked | changing]
    told = sorted((_read(row, at) for row in rows), key=lambda one: one.at)
    last = [one for one in reversed(told) if one.row.opened.version.id in changing]
    found: dict[uuid.UUID, uuid.UUID] = {}
    for old in (one for one in told if one.row.opened.version.id in asked):
        for new in last:
            if new.at > old.at and _comparable(new, old) and _replaces(new, old):
                found[old.row.opened.version.id] = new.row.opened.version.id
                asked.add(new.row.opened.version.id)  # it is later, so its turn comes
                break
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


def _read(row: Row, at: datetime) -> _Told:
    details = row.opened.details
    return _Told(
        row=row,
        at=_told(row, at),
        # A manager, a friend may be another.
        about=(kin(str(details.get("about", ""))), str(details.get("condition", ""))),
        statement=read(row.opened.text),
    )


def _comparable(new: _Told, old: _Told) -> bool:
    """Whether the one could be about the other. What happened is not undone by what came after it."""
    mine, theirs = new.row.opened.memory, old.row.opened.memory
    if mine.id == theirs.id or Kind.PROCEDURAL in (mine.kind, theirs.kind):
        return False
    if theirs.kind == Kind.EPISODIC and mine.kind != Kind.EPISODIC:
        return False
    return mine.trust >= theirs.trust and new.about == old.about


def _replaces(new: _Told, old: _Told) -> bool:
    if old.row.opened.memory.kind == Kind.EPISODIC and not new.statement.wrong:
        return False
    return replaces(new.statement, old.statement)


def _last(found: Mapping[uuid.UUID, uuid.UUID], version: uuid.UUID) -> uuid.UUID:
    while version in found:  # each step is later than the one before, so it ends
        version = found[version]
    return version
