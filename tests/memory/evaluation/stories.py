"""Small stories of our own, and how tests play them."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

from tests.conftest import owner_connection

type Json = dict[str, Any]


def story(name: str, *, setup: list[Any] | None = None, action: Json, expect: list[Any]) -> Json:
    return {"id": name, "setup": setup or [], "action": action, "expect": expect}


def user(text: str, **more: Any) -> Json:
    return {"role": "user", "text": text, **more}


def say(*texts: str, **more: Any) -> Json:
    return {"op": "say", "messages": [user(text) for text in texts], **more}


def write(name: str, text: str, **more: Any) -> Json:
    return {"op": "write", "id": name, "text": text, **more}


def recall(query: str, **more: Any) -> Json:
    return {"op": "recall", "query": query, **more}


def then(step: Json, *expect: Json) -> Json:
    return {"check": "then", "step": step, "expect": list(expect)}


def count(match: str, number: int, **more: Any) -> Json:
    return {"check": "active_count", "match": match, "eq": number, **more}


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def measure(what: str, path: Path, *options: str) -> Json:
    out = StringIO()
    call_command("evaluate", what, "--data", str(path), "--json", *options, stdout=out)
    found: Json = json.loads(out.getvalue())
    return found


def play(tmp_path: Path, *rows: Json, options: tuple[str, ...] = ()) -> Json:
    return measure("scenarios", lines(tmp_path / "stories.jsonl", *rows), *options)


def passes(tmp_path: Path, *rows: Json) -> None:
    found = play(tmp_path, *rows)
    assert found["failed"] == [] and found["skipped"] == [], found
    assert found["overall"]["passed"] == len(rows)


def failure(tmp_path: Path, row: Json) -> tuple[str, str]:
    """Return what a story of one fault fails by, and what was seen."""
    (only,) = play(tmp_path, row)["failed"]
    assert only["id"] == row["id"]
    return only["check"], only["got"]


def rows_of_every_table() -> dict[str, int]:
    with owner_connection() as owner:
        names = connection.introspection.table_names()
        return {
            name: owner.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names
        }
