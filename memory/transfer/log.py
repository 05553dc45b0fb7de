"""A person's log as a file: JSON or a table for a spreadsheet. Codes, ids, field names and counts."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from accounts.models import AuditEvent
from memory.transfer.formats import cell

COLUMNS = (
    "at", "actor_kind", "actor_id", "actor_label", "code", "object_kind", "object_id", "reason",
    "decision", "fields", "sensitivity", "version_before", "version_after", "result_count", "address",
)  # fmt: skip


def as_json(lines: Iterable[AuditEvent]) -> Iterator[str]:
    """Return the lines as a JSON list, in pieces."""
    yield "["
    for number, line in enumerate(lines):
        item = json.dumps(_columns(line), ensure_ascii=False, default=_plainly)
        yield (",\n" if number else "\n") + item
    yield "\n]\n"


def as_table(lines: Iterable[AuditEvent]) -> Iterator[str]:
    """Return the lines as CSV, in pieces, in which no cell is a formula."""
    yield "\ufeff" + _row(COLUMNS)  # else a spreadsheet takes it for Latin
    for line in lines:
        values = _columns(line)
        yield _row([" ".join(values["fields"]) if n == "fields" else values[n] for n in COLUMNS])


def _columns(line: AuditEvent) -> dict[str, Any]:
    return {name: getattr(line, name) for name in COLUMNS}


def _row(values: Iterable[Any]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([cell(value) for value in values])
    return out.getvalue()


def _plainly(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
