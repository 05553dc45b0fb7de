"""The tables of the test database: the migrations make them once, later workers and runs get a copy.

A copy is as good as what the migrations make, since it is only taken as long as no file that says
how the tables come to be has changed. Django's ``migrate`` still runs on it, and finds nothing to do.
"""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from accounts.roles import OWNER
from config.embedded.postgres import Postgres
from config.environment import ROOT

MADE_BY = ("*/migrations/*.py", "accounts/walls.py", "accounts/fields.py", "accounts/roles.py")
FOLDER = ROOT / "var" / "test-tables"


@contextmanager
def tables(postgres: Postgres, database: str) -> Iterator[None]:
    """Put the tables into the new ``database`` if they have been made before; keep them if not.

    The body makes what is missing. While one worker does that, the others wait for its copy.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    copy = FOLDER / f"{_digest()}.dump"
    with psycopg.connect(postgres.url(OWNER, "postgres"), autocommit=True) as owner:
        owner.execute(f'CREATE DATABASE "{database}"')
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if copy.exists():
            fcntl.flock(lock, fcntl.LOCK_UN)
            _run(postgres, "pg_restore", database, "--exit-on-error", str(copy))
            yield
            return
        yield
        for older in FOLDER.glob("*.dump"):
            older.unlink()
        half = copy.with_suffix(".half")
        _run(postgres, "pg_dump", database, "--format=custom", f"--file={half}")
        half.rename(copy)


def _digest() -> str:
    paths = sorted(path for pattern in MADE_BY for path in ROOT.glob(pattern))
    digest = hashlib.sha256((ROOT / "uv.lock").read_bytes())
    for path in paths:
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:32]


def _run(postgres: Postgres, program: str, database: str, *options: str) -> None:
    path: Path = postgres.programs / program
    # A superuser, who may give every object its owner.
    subprocess.run([path, f"--dbname={postgres.url(database=database)}", *options], check=True)
