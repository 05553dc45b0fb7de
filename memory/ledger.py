"""Erasures in the ledger outside the database: on disk before an erasure is answered.

A restored dump knows nothing of what was erased after it was made; these lines do. Each is one
erasure as JSON: ids, numbers, codes and times, no content. The table says the same in the database.
Beside them stands who became part of whom: in a dump from before that, rows are still where they were,
and a later erasure has to reach them there.

An erasure, or a merge, whose transaction ended without a commit leaves a line too; `settle` takes it back.
A restore draws a line below what was: the database may know less than that from then on.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from accounts.choices import MergeState
from accounts.ledger import SETTLED, append, encoded, whole_lines
from accounts.models import SubjectMerge
from memory.models import Erasure, LedgerEntry

COLUMNS = ("tenant_id", "subject_id", "scope", "requested_by_kind", "requested_by_id")
TIMES = ("requested_at", "fenced_at", "backups_until")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One erasure: the columns of its request, and what it covers as (number, kind, id)."""

    erasure_id: uuid.UUID
    columns: dict[str, Any]
    objects: tuple[tuple[int, str, uuid.UUID], ...]

    def of(self, kind: str) -> list[uuid.UUID]:
        """Return the ids of the objects of one kind."""
        return [object_id for _, found, object_id in self.objects if found == kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """An anonymous subject that became part of a person; ``joined`` maps a memory of theirs to the
    person's that said the same, and is all that was left of it."""

    merge_id: uuid.UUID
    source_id: uuid.UUID
    subject_id: uuid.UUID
    at: datetime
    joined: dict[uuid.UUID, uuid.UUID]


def write(request: Erasure, entries: Sequence[LedgerEntry]) -> None:
    """Add one erasure; when this returns, the line is on the disk.

    Raises:
        LedgerUnavailable: if it cannot be written; the caller's transaction must not commit then.
    """
    append([_encoded(request, entries)])


def write_merge(merged: Merged) -> None:
    """Add one merge; raises as an erasure does."""
    joined = [[str(one), str(other)] for one, other in merged.joined.items()]
    told = asdict(merged) | {"joined": joined}
    told["merge"] = told.pop("merge_id")
    append([encoded(told)])


def merges(*paths: Path) -> list[Merged]:
    """Return the merges that the files hold.

    Raises:
        OSError: if a file is not there.
    """
    lines = list(whole_lines(*paths))
    taken_back = {parsed["void"] for parsed in lines if "void" in parsed}
    found = {parsed["merge"]: parsed for parsed in lines if "merge" in parsed}
    return [_merged(one) for id_, one in found.items() if id_ not in taken_back]


def agreed() -> QuerySet[SubjectMerge]:
    """Return the merges that the database knows as done."""
    return SubjectMerge.objects.exclude(state__in=(MergeState.ASKED, MergeState.REFUSED))


def _merged(parsed: dict[str, Any]) -> Merged:
    return Merged(
        merge_id=uuid.UUID(parsed["merge"]),
        source_id=uuid.UUID(parsed["source_id"]),
        subject_id=uuid.UUID(parsed["subject_id"]),
        at=datetime.fromisoformat(parsed["at"]),
        joined={uuid.UUID(one): uuid.UUID(other) for one, other in parsed["joined"]},
    )


def read(*paths: Path) -> dict[uuid.UUID, Line]:
    """Return the erasures that the files hold, by id, in the order of their numbers.

    Raises:
        OSError: if a file is not there.
    """
    found: dict[uuid.UUID, Line] = {}
    taken_back: set[uuid.UUID] = set()
    for parsed in whole_lines(*paths):
        if "void" in parsed:
            taken_back.add(uuid.UUID(parsed["void"]))
        elif "erasure" in parsed:
            line = _line(parsed)
            found[line.erasure_id] = line
    kept = (line for line in found.values() if line.erasure_id not in taken_back)
    return {
        line.erasure_id: line
        for line in sorted(kept, key=lambda one: min((n for n, _, _ in one.objects), default=0))
    }


def missing() -> list[uuid.UUID]:
    """Return the erasures that the database has and the file lacks.

    Raises:
        LedgerUnavailable: if the file cannot be read or written.
    """
    append([])
    known = read()
    fenced = Erasure.objects.filter(fenced_at__isnull=False).order_by("fenced_at")
    return [one for one in fenced.values_list("id", flat=True) if one not in known]


def settle() -> tuple[int, int]:
    """Add what the file lacks, take back what was rolled back; return how many of each.

    Raises:
        LedgerUnavailable: if the file cannot be read or written.
    """
    lacking = [
        _encoded(one, LedgerEntry.objects.filter(erasure_id=one.id).order_by("number"))
        for one in Erasure.objects.filter(id__in=missing()).order_by("fenced_at")
    ]
    there = set(Erasure.objects.values_list("id", flat=True))
    there |= set(agreed().values_list("id", flat=True))
    since, limit = _restored(), timezone.now() - SETTLED
    known = [(line.erasure_id, line.columns["fenced_at"]) for line in read().values()]
    known += [(one.merge_id, one.at) for one in merges()]
    rolled_back = [
        encoded({"void": id_}) for id_, at in known if id_ not in there and since < at < limit
    ]
    append([*lacking, *rolled_back])
    return len(lacking), len(rolled_back)


def note_restore() -> None:
    """Write down that what stands above holds, whatever the database knows of it.

    Raises:
        LedgerUnavailable: if it cannot be written.
    """
    append([encoded({"restored": timezone.now()})])


def _restored() -> datetime:
    """Return when the database was last restored."""
    told = (one["restored"] for one in whole_lines() if "restored" in one)
    return max(map(datetime.fromisoformat, told), default=datetime.min.replace(tzinfo=UTC))


def _encoded(request: Erasure, entries: Iterable[LedgerEntry]) -> str:
    columns = {name: getattr(request, name) for name in (*COLUMNS, *TIMES)}
    objects = [[one.number, one.object_kind, str(one.object_id)] for one in entries]
    told = {"erasure": request.id, **columns, "objects": objects}
    return encoded(told)


def _line(parsed: dict[str, Any]) -> Line:
    columns: dict[str, Any] = {name: parsed[name] for name in COLUMNS}
    for name in ("tenant_id", "subject_id", "requested_by_id"):
        columns[name] = uuid.UUID(columns[name]) if columns[name] else None
    columns |= {name: datetime.fromisoformat(parsed[name]) for name in TIMES}
    return Line(
        erasure_id=uuid.UUID(parsed["erasure"]),
        columns=columns,
        objects=tuple((number, kind, uuid.UUID(id_)) for number, kind, id_ in parsed["objects"]),
    )
