"""Reading a backup into the database, as its owner: rows in one transaction, then the keys."""

import csv
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, LiteralString

import psycopg
from django.db import models
from psycopg import sql

from memory.backup.dump import environment, program, run
from memory.backup.files import DUMP, KEY_TABLES, KEYED, Manifest
from memory.errors import BackupFault
from memory.models import DocumentKey, ObjectKey, SubjectKey, TenantKey, VaultSentinel

# Everything of ours goes; the extension, which only a superuser could make again, stays.
WIPE = """
DO $$DECLARE name text; BEGIN
  FOR name IN SELECT oid::regclass FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind IN ('r', 'p', 'v') AND relowner = current_user::regrole
  LOOP EXECUTE 'DROP TABLE IF EXISTS ' || name || ' CASCADE'; END LOOP;
  FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    AND proowner = current_user::regrole
  LOOP EXECUTE 'DROP FUNCTION IF EXISTS ' || name || ' CASCADE'; END LOOP;
END$$;
"""
# PostgreSQL before 17 does not know it.
UNKNOWN = "SET transaction_timeout"
PREAMBLE = 60  # lines


def load_main(*, url: str, programs: Path | None, folder: Path) -> None:
    """Put the rows of a main dump in the place of all there are; all or nothing.

    Raises:
        BackupFault: if the dump cannot be read, or its counts are not those of the manifest;
            nothing is changed then.
    """
    dump = str(folder / DUMP)
    listed = run([program(programs, "pg_restore"), "--list", dump], url=url)
    # The schema itself is there and not the owner's to make.
    wanted = [line for line in listed.splitlines() if " SCHEMA " not in line]
    with tempfile.NamedTemporaryFile("w", suffix=".list") as contents:
        contents.write("\n".join(wanted) + "\n")
        contents.flush()
        options = ["--no-owner", "--no-privileges", f"--use-list={contents.name}", "--file=-"]
        checks = _counts(Manifest.read(folder))
        command = [program(programs, "pg_restore"), *options, dump]
        _pipe(command, checks, url=url, programs=programs)


def _pipe(command: list[str], checks: str, *, url: str, programs: Path | None) -> None:
    """Feed psql the wipe, what ``command`` writes, and the checks, in one transaction."""
    options = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    psql = [program(programs, "psql"), *options, "--output=/dev/null", "--file=-"]
    with tempfile.TemporaryFile() as said:
        source = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said)
        target = subprocess.Popen(psql, stdin=subprocess.PIPE, stderr=said, env=environment(url))
        assert source.stdout and target.stdin
        try:
            target.stdin.write(WIPE.encode())
            _copy(source.stdout, target.stdin)
            # A dump that breaks off must not be committed.
            if source.wait():
                target.stdin.write(b"\n\\.\nSELECT broken_off;\n")
            target.stdin.write(checks.encode())
            target.stdin.close()
        except BrokenPipeError:
            source.kill()
        if target.wait() or source.wait():
            said.seek(0)
            raise BackupFault(f"The dump was not loaded: {said.read().decode()[-500:].strip()}")


def _copy(source: IO[bytes], target: IO[bytes]) -> None:
    for number, line in enumerate(source):
        if not line.startswith(UNKNOWN.encode()):
            target.write(line)
        if number > PREAMBLE:
            break
    while block := source.read(1 << 20):
        target.write(block)


def _counts(manifest: Manifest) -> str:
    """Return the SQL that fails if a table has not as many rows as were dumped."""
    check = sql.SQL(
        "  IF (SELECT count(*) FROM public.{table}) <> {rows} THEN "
        "RAISE EXCEPTION 'a table has not the rows of the backup'; END IF;\n"
    )
    checks = "".join(
        check.format(table=sql.Identifier(table), rows=sql.Literal(rows)).as_string(None)
        for table, rows in manifest.rows.items()
    )
    return f"\nDO $$BEGIN\n{checks}END$$;\n"


# What of the keys has a place in the dump, and was not destroyed by the time the dump was made.
LIVING: LiteralString = """EXISTS (SELECT FROM accounts_subject s
    WHERE s.tenant_id = k.tenant_id AND s.id = k.subject_id AND s.erased_at IS NULL)"""
NOT_ERASED: LiteralString = "k.object_id NOT IN (SELECT object_id FROM memory_tombstone)"
# Of an erasure that waits for the end of a hold.
ON_HOLD: LiteralString = "FROM memory_erasure e WHERE e.state = 'on_hold'"
HELD: LiteralString = "k.held_for IN (SELECT e.id " + ON_HOLD + ")"
HELDS_OWNER: LiteralString = "k.subject_id IN (SELECT e.subject_id " + ON_HOLD + ")"
HAS_PLACE: dict[type[models.Model], LiteralString] = {
    VaultSentinel: "true",
    SubjectKey: "(" + LIVING + " OR " + HELDS_OWNER + ")",
    TenantKey: "k.tenant_id IN (SELECT id FROM accounts_tenant)",
    ObjectKey: ("(" + LIVING + " AND " + NOT_ERASED + " OR " + HELD + ") AND k.object_id IN ({})"),
    DocumentKey: "(k.tenant_id, k.document_id) IN (SELECT tenant_id, id FROM memory_document)",
}


def load_keys(*, url: str, file: Path) -> int:
    """Load the keys of what the database holds; return how many.

    Raises:
        BackupFault: if the file cannot be read.
    """
    try:
        with zipfile.ZipFile(file) as archive, psycopg.connect(url) as connection:
            return sum(_load_table(connection, archive, model) for model in KEY_TABLES)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise BackupFault(f"{file} holds no keys: {error}") from error


def sealed_with(file: Path) -> list[str]:
    """Return the public names of the master keys that wrap these keys.

    Raises:
        BackupFault: if the file cannot be read.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            text = archive.read(f"{VaultSentinel._meta.db_table}.csv").decode()
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise BackupFault(f"{file} holds no keys: {error}") from error
    return [row["master_id"] for row in csv.DictReader(text.splitlines())]


def _load_table(connection: psycopg.Connection[Any], archive: zipfile.ZipFile, model: Any) -> int:
    table = sql.Identifier(model._meta.db_table)
    with archive.open(f"{model._meta.db_table}.csv") as member:
        names = member.readline().decode().strip().split(",")
        columns = sql.SQL(", ").join(map(sql.Identifier, names))
        make = "CREATE TEMP TABLE k (LIKE {}) ON COMMIT DROP"
        connection.execute(sql.SQL(make).format(table))
        copy = sql.SQL("COPY k ({}) FROM STDIN (FORMAT csv)").format(columns)
        with connection.cursor() as cursor, cursor.copy(copy) as rows:
            for block in _blocks(member):
                rows.write(block)
    insert = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM k WHERE {}")
    place = sql.SQL(HAS_PLACE[model]).format(_keyed())
    done = connection.execute(insert.format(table, columns, columns, place))
    connection.execute("DROP TABLE k")
    return done.rowcount


def _keyed() -> sql.Composed:
    """Return the query for the ids of all that has a key of its own."""
    tables = (sql.Identifier(model._meta.db_table) for model in KEYED)
    return sql.SQL(" UNION ALL ").join(sql.SQL("SELECT id FROM {}").format(one) for one in tables)


def _blocks(member: IO[bytes]) -> Iterable[bytes]:
    while block := member.read(1 << 20):
        yield block
