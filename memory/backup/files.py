"""Where backups lie: main dumps for weeks, keys for days, each named by when it was made (UTC)."""

import json
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import models

from memory.errors import BackupFault
from memory.models import (
    DocumentKey,
    Event,
    Import,
    Memory,
    ObjectKey,
    PassageTerm,
    PassageVector,
    SubjectKey,
    Summary,
    TaskBoard,
    TenantKey,
    Term,
    VaultSentinel,
    Vector,
)

FORMAT = 1
STAMP = "%Y%m%dT%H%M%SZ"
MAIN, KEYS = "main", "keys"
DUMP, MANIFEST, LEDGER = "keepsake.dump", "manifest.json", "erasures.jsonl"

# An owner's key before the keys that it wraps.
KEY_TABLES: tuple[type[models.Model], ...] = (
    VaultSentinel,
    SubjectKey,
    TenantKey,
    ObjectKey,
    DocumentKey,
)
# What has a key of its own, but for documents: their rows are opened by the key of their id.
KEYED: tuple[type[models.Model], ...] = (Memory, Event, Summary, TaskBoard, Import)
INDEX_TABLES: tuple[type[models.Model], ...] = (Vector, Term, PassageVector, PassageTerm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a main dump says of itself. ``rows`` counts each table that it holds."""

    format: int
    made_at: str
    rows: dict[str, int]

    def write(self, folder: Path) -> None:
        """Put it beside the dump."""
        text = json.dumps(asdict(self), indent=1) + "\n"
        (folder / MANIFEST).write_text(text)

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        """Return the manifest of a backup.

        Raises:
            BackupFault: if there is none, or it is of another format.
        """
        try:
            found = cls(**json.loads((folder / MANIFEST).read_text()))
        except (OSError, ValueError, TypeError) as error:
            raise BackupFault(f"{folder} is no backup: {error}") from error
        if found.format != FORMAT:
            raise BackupFault(f"{folder} is of format {found.format}, this version reads {FORMAT}.")
        return found


def dumped_tables() -> list[str]:
    """Return the tables whose rows a main dump holds."""
    left_out = {*KEY_TABLES, *INDEX_TABLES}
    every = apps.get_models(include_auto_created=True)
    return sorted(m._meta.db_table for m in every if m._meta.managed and m not in left_out)


def newest(folder: Path) -> Path:
    """Return the newest backup of a folder.

    Raises:
        BackupFault: if there is none.
    """
    found = _stamped(folder)
    if not found:
        raise BackupFault(f"There is no backup in {folder}.")
    return found[-1][1]


def last_backup() -> datetime | None:
    """Return when the newest backup was made; None if there is none."""
    found = _stamped(Path(settings.BACKUP_DIR) / "main")
    return found[-1][0] if found else None


def prune(folder: Path, *, older_than: timedelta, now: datetime) -> int:
    """Delete what is older, but never the newest; return how many."""
    due = [path for made, path in _stamped(folder)[:-1] if made < now - older_than]
    for path in due:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return len(due)


def _stamped(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the backups in a folder with their times, the oldest first; half a one has no name."""
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            made = datetime.strptime(path.name.partition(".")[0], STAMP).replace(tzinfo=UTC)
        except ValueError:
            continue
        found.append((made, path))
    return sorted(found)
