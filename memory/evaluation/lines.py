"""Reading JSONL: one object a line, with the line's number in every complaint."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory.errors import InvalidInput


def read(path: Path, *needed: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSONL file; blank lines are passed over.

    Raises:
        InvalidInput: names the line that is no object or lacks one of ``needed``.
    """
    yield from (found for _, found in numbered(path, *needed))


def numbered(path: Path, *needed: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object with where it stands, for complaints; raises as `read` does."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                where = f"{path.name}, line {number}"
                yield where, _object(line, where, needed)


def _object(line: str, where: str, needed: tuple[str, ...]) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{where}: {error}.") from None
    if not isinstance(found, dict):
        raise InvalidInput(f"{where}: not an object.")
    if missing := [name for name in needed if name not in found]:
        raise InvalidInput(f"{where}: {', '.join(missing)} missing.")
    return found
