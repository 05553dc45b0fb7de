"""Writing the tables anew, so that what was deleted is not left between the rows of their files.

PostgreSQL leaves deleted rows where they were until something is written over them, and old versions
of pages in its log. Run as the owner, who may do this with the tables and, where `bootstrap` has
allowed it, move the log on.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.apps import apps
from django.db import OperationalError, ProgrammingError, connection, models

from memory.backup.files import INDEX_TABLES, KEY_TABLES, KEYED
from memory.forget.erasers import ERASERS
from memory.models import Document, Passage
from memory.policy import REWRITE


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """How many tables were written anew, which were not, and whether the log was moved on."""

    tables: int
    busy: list[str]
    log: bool


def tables() -> list[str]:
    """Return the tables that erasing reaches."""
    erased: set[type[models.Model]] = {model for eraser in ERASERS for model in eraser.models}
    wanted = {*erased, *KEYED, *KEY_TABLES, *INDEX_TABLES, Document, Passage}
    return sorted(model._meta.db_table for model in apps.get_models() if model in wanted)


def rewrite(say: Callable[[str], None]) -> Rewritten:
    """Write every table anew, one after the other; each is locked for as long as that takes.

    A table that others hold is tried again after the rest, and left alone in the end: nobody waits
    behind this for longer than the policy says.
    """
    busy = tables()
    count = len(busy)
    for attempt in range(REWRITE.attempts):
        if attempt and busy:
            time.sleep(REWRITE.pause)
        busy = [table for table in busy if not _one(table, say)]
    return Rewritten(tables=count - len(busy), busy=busy, log=_move_log_on())


def _one(table: str, say: Callable[[str], None]) -> bool:
    name = connection.ops.quote_name(table)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = %s", [f"{REWRITE.lock_seconds:.0f}s"])
        try:
            cursor.execute(f"VACUUM (FULL, ANALYZE) {name}")
        except OperationalError:  # the lock was not to be had in time
            say(f"{table} is in use.")
            return False
        finally:
            cursor.execute("RESET lock_timeout")
    return True


def _move_log_on() -> bool:
    """Begin another file of the log and let the server drop those before; return whether it may be."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_switch_wal()")
            cursor.execute("CHECKPOINT")
    except ProgrammingError:
        return False
    return True
