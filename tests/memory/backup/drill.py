"""A database of its own for a drill: a copy of the tests', which a restore may replace whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.test import override_settings
from psycopg.conninfo import make_conninfo

from accounts.roles import APP, BACKUP, CONSOLE
from tests.conftest import as_role


@contextmanager
def scratch_database(folder: Path) -> Iterator[None]:
    """Let everything happen in a copy of the (empty) test database, with files in ``folder``."""
    template = str(connection.settings_dict["NAME"])
    name = f"{template}_drill"
    connections.close_all()
    with psycopg.connect(settings.DATABASE_OWNER_URL, autocommit=True) as owner:
        owner.execute(f'DROP DATABASE IF EXISTS "{name}"')
        owner.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        owner.execute(f'GRANT CONNECT ON DATABASE "{name}" TO {APP}, {CONSOLE}, {BACKUP}')
        connection.settings_dict["NAME"] = name
        mine = make_conninfo(settings.DATABASE_OWNER_URL, dbname=name)
        try:
            with override_settings(
                DATABASE_OWNER_URL=mine,
                DATABASE_BACKUP_URL=make_conninfo(mine, user=BACKUP),
                BACKUP_DIR=str(folder / "backups"),
                LEDGER_FILE=str(folder / "erasures.jsonl"),
            ):
                yield
        finally:
            connections.close_all()
            connection.settings_dict["NAME"] = template
            owner.execute(f'DROP DATABASE "{name}"')


def back_up() -> str:
    """Run the command; return what it printed."""
    printed = StringIO()
    call_command("backup", stdout=printed)
    return printed.getvalue()


def restore(*arguments: str, **options: Any) -> str:
    """Run the command as the owner, as the command line does; return what it printed."""
    printed = StringIO()
    with as_role(settings.DATABASE_OWNER_URL):
        call_command("restore", *arguments, yes=True, stdout=printed, **options)
    return printed.getvalue()
