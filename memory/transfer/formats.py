"""A person's memories for reading: Markdown by kind, and a table for a spreadsheet. Pure.

Both are made of the items that the JSON document holds (`memory.transfer.export`).
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

type Item = Mapping[str, Any]

HEADINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "title": "What is remembered about me",
        "semantic": "Facts and preferences",
        "episodic": "What happened",
        "procedural": "How things are done",
        "pending": "Waiting for my answer, not used",
    },
    "zh": {
        "title": "关于我的记忆",
        "semantic": "事实与偏好",
        "episodic": "发生过的事",
        "procedural": "做事的方法",
        "pending": "等我确认，尚未使用",
    },
}
COLUMNS = (
    "id", "text", "kind", "attribute", "state", "sensitivity", "origin", "occurred", "valid_from",
    "valid_to", "created_at", "last_confirmed_at",
)  # fmt: skip
# A cell that begins like this is a formula to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def wording(item: Item) -> Mapping[str, Any]:
    """Return the wording that is in force, else the last one."""
    versions: Sequence[Mapping[str, Any]] = item["versions"]
    return versions[-1]


def markdown(items: Iterable[Item], *, language: str) -> str:
    """Return the current wordings as lists under a heading for each kind."""
    words = HEADINGS["zh" if language.startswith("zh") else "en"]
    groups: dict[str, list[str]] = {name: [] for name in words if name != "title"}
    for item in items:
        group = "pending" if item["state"] == "pending" else str(item["kind"])
        groups[group].append(_line(item))
    parts = [f"# {words['title']}\n"]
    for name, lines in groups.items():
        if lines:
            parts.append(f"\n## {words[name]}\n\n" + "".join(lines))
    return "".join(parts)


def _line(item: Item) -> str:
    when = item["occurred"]
    day = f" ({when:%Y-%m-%d})" if when else ""
    text = str(wording(item)["text"]).strip().replace("\n", "\n  ")
    return f"- {text}{day}\n"


def table(items: Iterable[Item]) -> str:
    """Return one row for each memory as CSV, in which no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for item in items:
        row = {**item, **{k: wording(item)[k] for k in ("text", "valid_from", "valid_to")}}
        writer.writerow([cell(row[name]) for name in COLUMNS])
    return out.getvalue()


def cell(value: Any) -> str:
    """Return a value as a cell of a spreadsheet that is never a formula."""
    text = "" if value is None else value.isoformat() if hasattr(value, "isoformat") else str(value)
    return "'" + text if text.startswith(FORMULA) else text
