"""Making a backup: one snapshot, in two parts that are kept apart.

The main dump has every row but those of keys and indexes, so that nothing in it can be read. The
keys, wrapped by the master key, lie in a file of their own, which is deleted after days.
"""

import os
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from django.utils import timezone
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from accounts import rights
from accounts.ledger import path
from memory import ledger
from memory.backup.files import (
    DUMP,
    FORMAT,
    INDEX_TABLES,
    KEY_TABLES,
    KEYS,
    LEDGER,
    MAIN,
    STAMP,
    Manifest,
    dumped_tables,
    prune,
)
from memory.errors import BackupFault
from memory.policy import RETENTION


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was made, and what ended: paths and counts."""

    main: Path
    keys: Path
    rows: int
    pruned: int
    added: int


def make(*, url: str, programs: Path | None, folder: Path) -> Made:
    """Write a backup below ``folder``, then delete those whose time is over.

    ``url`` connects as ``keepsake_backup``; ``programs`` holds ``pg_dump``, else PATH does.

    Raises:
        BackupFault: if the dump cannot be made; what is half done has no name of a backup.
        LedgerUnavailable: if the ledger cannot be completed before.
    """
    added, _ = ledger.settle()
    now = timezone.now()
    rights.settle(since=now - RETENTION.backups)
    stamp = now.strftime(STAMP)
    for part in (MAIN, KEYS):
        (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
    main, keys = folder / MAIN / stamp, folder / KEYS / f"{stamp}.zip"
    half_main, half_keys = main.with_name(f".{stamp}"), keys.with_name(f".{stamp}.zip")
    try:
        half_main.mkdir(mode=0o700)
        rows = _write(url, programs, half_main, half_keys, now)
        half_keys.rename(keys)
        half_main.rename(main)
    finally:
        shutil.rmtree(half_main, ignore_errors=True)
        half_keys.unlink(missing_ok=True)
    pruned = prune(folder / MAIN, older_than=RETENTION.backups, now=now)
    pruned += prune(folder / KEYS, older_than=RETENTION.key_backups, now=now)
    return Made(main=main, keys=keys, rows=rows, pruned=pruned, added=added)


def _write(url: str, programs: Path | None, main: Path, keys: Path, now: datetime) -> int:
    """Write both parts of one snapshot; return how many rows the main one has."""
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        row = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert row is not None
        _dump(url, programs, main / DUMP, row[0])
        rows = {table: _count(connection, table) for table in dumped_tables()}
        _write_keys(connection, keys)
    Manifest(format=FORMAT, made_at=now.isoformat(), rows=rows).write(main)
    return sum(rows.values())


def _dump(url: str, programs: Path | None, file: Path, snapshot: str) -> None:
    left_out = [
        f"--exclude-table-data=public.{model._meta.db_table}"
        for model in (*KEY_TABLES, *INDEX_TABLES)
    ]
    options = ["--format=custom", "--no-owner", "--no-privileges", "--schema=public"]
    command = [program(programs, "pg_dump"), *options, *left_out, f"--snapshot={snapshot}"]
    # The connection string may hold a password: the environment is not seen by other users.
    run([*command, f"--file={file}"], url=url)


def program(folder: Path | None, name: str) -> str:
    """Return the path of one of PostgreSQL's programs.

    Raises:
        BackupFault: if it is nowhere.
    """
    found = str(folder / name) if folder else shutil.which(name)
    if not found:
        raise BackupFault(f"{name} is not here. Install PostgreSQL's client programs.")
    return found


def environment(url: str) -> dict[str, str]:
    """Return what a program of PostgreSQL needs to connect to ``url``, out of others' sight."""
    names = {"dbname": "PGDATABASE", "user": "PGUSER", "password": "PGPASSWORD", "host": "PGHOST"}
    names |= {"port": "PGPORT", "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT"}
    given = {names[key]: str(value) for key, value in conninfo_to_dict(url).items() if key in names}
    return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"} | given


def run(command: Sequence[str], *, url: str) -> str:
    """Run one of PostgreSQL's programs on the database of ``url``; return what it printed.

    Raises:
        BackupFault: if it failed, with the end of what it said.
    """
    done = subprocess.run(
        command, env=environment(url), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupFault(f"{Path(command[0]).name} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


def _count(connection: psycopg.Connection[Any], table: str) -> int:
    row = connection.execute(
        sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
    ).fetchone()
    assert row is not None
    return int(row[0])


def _write_keys(connection: psycopg.Connection[Any], file: Path) -> None:
    """Write the key tables as CSV, and the ledger as it is now, into one archive."""
    file.touch(mode=0o600)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for model in KEY_TABLES:
            table = model._meta.db_table
            statement = sql.SQL("COPY {} TO STDOUT (FORMAT csv, HEADER)")
            with (
                archive.open(f"{table}.csv", "w", force_zip64=True) as member,
                connection.cursor() as cursor,
                cursor.copy(statement.format(sql.Identifier(table))) as rows,
            ):
                for block in rows:
                    member.write(block)
        if path().exists():
            archive.write(path(), LEDGER)
