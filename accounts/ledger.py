"""The ledger: the one file outside the database that a restored dump is told by.

Its lines are JSON without content. They are on the disk before what they say is committed; what a
crash tore off is no whole line, was never answered, and reading passes over it.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts.errors import LedgerUnavailable

# A transaction is over after this; a line whose change the database does not know by then was rolled back.
SETTLED = timedelta(minutes=10)


def path() -> Path:
    """Return the file that is written."""
    return Path(settings.LEDGER_FILE)


def encoded(line: dict[str, Any]) -> str:
    """Return a line as it is written."""
    return json.dumps(line, default=_plain, separators=(",", ":"))


def append(lines: Sequence[str]) -> None:
    """Add whole lines and wait for the disk; one process after the other.

    Raises:
        LedgerUnavailable: if they cannot be written; the caller's transaction must not commit then.
    """
    try:
        is_new = not path().exists()
        handle = os.open(path(), os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            text = "".join(f"{line}\n" for line in lines).encode()
            if text and _is_torn(handle):
                text = b"\n" + text
            if os.write(handle, text) != len(text):
                raise OSError("The disk is full.")
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            _sync_folder(path().parent)
    except OSError as error:
        raise LedgerUnavailable(
            f"The ledger cannot be written ({error.strerror or error}); nothing was changed. Try "
            "again later."
        ) from error


def whole_lines(*paths: Path) -> Iterable[dict[str, Any]]:
    """Return the whole lines of these files, or of the one that is written.

    Raises:
        OSError: if a file is not there.
    """
    for one in paths or (path(),):
        with one.open("rb") as lines:
            for line in lines:
                try:
                    parsed = json.loads(line)
                except ValueError:
                    continue  # torn
                if isinstance(parsed, dict):
                    yield parsed


def _is_torn(handle: int) -> bool:
    """Whether the last line was cut off by a crash."""
    size = os.fstat(handle).st_size
    return size > 0 and os.pread(handle, 1, size - 1) != b"\n"


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
