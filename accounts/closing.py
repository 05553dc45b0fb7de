"""Closing the database to everybody but its owner, while what is in it is not yet to be seen.

The roles that serve lose the schema, so that no table can be read whatever a process tries, in
connections that are open already, too. A mark on the database keeps ``migrate`` from giving the
rights back before whoever closed it is done; it outlives every restart.
"""

from typing import Any, Final, LiteralString

from django.db import DEFAULT_DB_ALIAS, DatabaseError, ProgrammingError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from accounts.roles import APP, CONSOLE, apply_grants

MARK: Final[LiteralString] = "closed: a backup is being restored"
READ_MARK: Final[LiteralString] = """
    SELECT shobj_description(oid, 'pg_database') FROM pg_database
    WHERE datname = current_database()"""


def close(connection: BaseDatabaseWrapper) -> None:
    """Close the database; run as its owner."""
    _mark(connection, MARK)
    with connection.cursor() as cursor:
        cursor.execute(f"REVOKE USAGE ON SCHEMA public FROM PUBLIC, {APP}, {CONSOLE}")


def reopen(connection: BaseDatabaseWrapper) -> None:
    """Give every role its rights again; run as the owner."""
    apply_grants(connection)
    _mark(connection, None)


def is_closed(connection: BaseDatabaseWrapper | None = None) -> bool:
    """Whether the database is closed; every role may ask."""
    with (connection or connections[DEFAULT_DB_ALIAS]).cursor() as cursor:
        cursor.execute(READ_MARK)
        row = cursor.fetchone()
    return row is not None and row[0] == MARK


def shuts_out(error: BaseException | None) -> bool:
    """Whether ``error`` is what a closed database answers to a process that serves."""
    if not isinstance(error, ProgrammingError):  # "does not exist", "permission denied"
        return False
    try:
        return is_closed()
    except DatabaseError:  # inside a transaction that is broken already
        return False


def _mark(connection: BaseDatabaseWrapper, text: str | None) -> None:
    name: Any = connection.settings_dict["NAME"]
    statement = sql.SQL("COMMENT ON DATABASE {} IS {}").format(
        sql.Identifier(name), sql.Literal(text)
    )
    with connection.cursor() as cursor:
        cursor.execute(statement)
