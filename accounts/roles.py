"""The database's roles: who owns, who serves, who looks, who backs up.

The walls (row policies) bind only a role that owns nothing and cannot become one that does, so the
web server and the workers refuse to run as anything stronger than ``keepsake_app``.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, LiteralString

import psycopg
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from pgvector.django import BitField, HalfVectorField, SparseVectorField, VectorField
from psycopg import sql

from accounts.walls import AppendOnly

OWNER: Final = "keepsake_owner"
APP: Final = "keepsake_app"
CONSOLE: Final = "keepsake_console"
BACKUP: Final = "keepsake_backup"
DATABASE: Final = "keepsake"

# The owner may create databases for the tests' sake; nobody but a superuser is above row policies,
# except the backup, which may only read.
ATTRIBUTES: Final[dict[str, LiteralString]] = {
    OWNER: "LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS",
    APP: "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS",
    CONSOLE: "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS",
    BACKUP: "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION BYPASSRLS",
}
# What the database writes into its log about a statement: nothing a person wrote.
QUIET: Final[dict[str, str]] = {
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
}
CONSOLE_APPS: Final = {"accounts", "memory", "dashboard", "auth", "contenttypes", "admin"}
READ_ONLY_TABLES: Final = ("django_migrations",)
CONTENT_FIELDS: Final = (
    models.BinaryField,
    VectorField,
    HalfVectorField,
    SparseVectorField,
    BitField,
)


class UnsafeRole(ImproperlyConfigured):
    """The process is connected as a role that could pass the walls."""


# --- making them ---------------------------------------------------------------------------------


def bootstrap(
    superuser: str, *, passwords: Mapping[str, str] | None = None, database: str = DATABASE
) -> None:
    """Make roles, database and extension as a superuser; running it again changes nothing.

    ``superuser`` is a connection string to any database of the cluster. Roles without a password
    in ``passwords`` keep theirs.
    """
    with psycopg.connect(superuser, autocommit=True) as connection:
        for role in ATTRIBUTES:
            _make_role(connection, role, (passwords or {}).get(role, ""))
        _make_database(connection, database)
    # ``vector`` needs a superuser; in template1, the owner's test databases have it too.
    for name in ("template1", database):
        with psycopg.connect(superuser, dbname=name, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            connection.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
            # For `rewrite_pages`: the log is moved on, so that its files can end.
            connection.execute(f"GRANT EXECUTE ON FUNCTION pg_switch_wal() TO {OWNER}")
            connection.execute(f"GRANT pg_checkpoint TO {OWNER}")


def _make_role(connection: psycopg.Connection[Any], role: str, password: str) -> None:
    name = sql.Identifier(role)
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
        connection.execute(sql.SQL("CREATE ROLE {}").format(name))
    alter = sql.SQL("ALTER ROLE {} {}").format(name, sql.SQL(ATTRIBUTES[role]))
    if password:
        # Hashed here, so that no log of the server ever sees it.
        hashed = connection.pgconn.encrypt_password(
            password.encode(), role.encode(), b"scram-sha-256"
        )
        alter += sql.SQL(" PASSWORD {}").format(sql.Literal(hashed.decode()))
    connection.execute(alter)
    if role in (CONSOLE, BACKUP):
        connection.execute(
            sql.SQL("ALTER ROLE {} SET default_transaction_read_only = on").format(name)
        )


def _make_database(connection: psycopg.Connection[Any], database: str) -> None:
    name, owner = sql.Identifier(database), sql.Identifier(OWNER)
    found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database])
    if found.fetchone():
        connection.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(name, owner))
    else:
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, owner))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    for role in (APP, CONSOLE, BACKUP):
        connection.execute(
            sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, sql.Identifier(role))
        )
    for setting, value in QUIET.items():
        connection.execute(
            sql.SQL("ALTER DATABASE {} SET {} = {}").format(
                name, sql.Identifier(setting), sql.Literal(value)
            )
        )


# --- what each may do ----------------------------------------------------------------------------


def apply_grants(connection: BaseDatabaseWrapper) -> None:
    """Give every role what it needs on the tables that exist, and nothing else. Run as owner."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "AND relkind IN ('r', 'p', 'S') AND relowner = current_user::regrole"
        )
        owned = cursor.fetchall()
        cursor.execute(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE prosecdef "
            "AND pronamespace = 'public'::regnamespace AND proowner = current_user::regrole"
        )
        functions = [name for (name,) in cursor.fetchall()]
    tables = {name for name, kind in owned if kind != "S"}
    statements = [*_base_grants(tables, [name for name, kind in owned if kind == "S"])]
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and model._meta.db_table in tables:
            statements += _model_grants(model)
    for name in functions:
        # Such a function looks past the walls, so only the app may call it.
        statements += [
            f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC",
            f"GRANT EXECUTE ON FUNCTION {name} TO {APP}",
        ]
    with connection.cursor() as cursor:
        cursor.execute("; ".join(statements))
        cursor.execute(SAMPLED, [_content_columns(tables)])
        for table, column in cursor.fetchall():
            cursor.execute(
                f"ALTER TABLE {_quote(table)} ALTER COLUMN {_quote(column)} SET STATISTICS 0"
            )


# The planner's statistics hold samples of values: of keys and texts there must be none.
SAMPLED: Final[LiteralString] = """
    SELECT attrelid::regclass::text, attname FROM pg_attribute
    WHERE attrelid::regclass::text || '.' || attname = ANY (%s)
      AND attstattarget IS DISTINCT FROM 0"""


def _content_columns(tables: Iterable[str]) -> list[str]:
    """Return ``table.column`` for every column that holds sealed texts, keys or vectors."""
    return [
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_models()
        if model._meta.db_table in tables
        for field in model._meta.local_concrete_fields
        if _is_content(field)
    ]


def _base_grants(tables: Iterable[str], sequences: Iterable[str]) -> Iterable[str]:
    quote = _quote
    yield f"GRANT USAGE ON SCHEMA public TO {APP}, {CONSOLE}, {BACKUP}"
    for table in sorted(tables):
        yield f"REVOKE ALL ON {quote(table)} FROM PUBLIC, {APP}, {CONSOLE}, {BACKUP}"
        yield f"GRANT SELECT ON {quote(table)} TO {BACKUP}"
        if table in READ_ONLY_TABLES:
            yield f"GRANT SELECT ON {quote(table)} TO {APP}"
    for sequence in sorted(sequences):
        yield f"GRANT USAGE, SELECT ON SEQUENCE {quote(sequence)} TO {APP}"
        yield f"GRANT SELECT ON SEQUENCE {quote(sequence)} TO {BACKUP}"


def _model_grants(model: type[models.Model]) -> Iterable[str]:
    table = _quote(model._meta.db_table)
    rights = "SELECT, INSERT" if is_append_only(model) else "SELECT, INSERT, UPDATE, DELETE"
    yield f"GRANT {rights} ON {table} TO {APP}"
    if columns := console_columns(model):
        yield f"GRANT SELECT ({', '.join(map(_quote, columns))}) ON {table} TO {CONSOLE}"


def is_append_only(model: type[models.Model]) -> bool:
    """Tell whether the model's rows are never changed."""
    return any(isinstance(rule, AppendOnly) for rule in model._meta.constraints)


def console_columns(model: type[models.Model]) -> list[str]:
    """Return the columns operators may see: all but content, digests, vectors and passwords.

    A model names further content in its attribute ``content_fields``. Tables of other packages
    are seen only where they are known to hold no secret.
    """
    if model._meta.app_label not in CONSOLE_APPS:
        return []
    hidden = {"password", *getattr(model, "content_fields", ())}
    return [
        str(field.column)
        for field in model._meta.local_concrete_fields
        if field.name not in hidden and not _is_content(field)
    ]


def _is_content(field: "models.Field[Any, Any]") -> bool:
    inner = field.base_field if isinstance(field, ArrayField) else field
    return isinstance(inner, CONTENT_FIELDS)


def _quote(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


# --- who we are ----------------------------------------------------------------------------------

IDENTITY: Final[LiteralString] = """
    SELECT session_user, current_user, me.rolsuper, me.rolbypassrls, me.rolcreaterole,
      (SELECT pg_has_role(session_user, datdba, 'MEMBER')
         FROM pg_database WHERE datname = current_database()),
      (SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p')
         AND relnamespace = 'public'::regnamespace
         AND pg_has_role(session_user, relowner, 'MEMBER')),
      (SELECT count(*) FROM pg_roles other WHERE (other.rolsuper OR other.rolbypassrls)
         AND other.rolname <> session_user AND pg_has_role(session_user, other.oid, 'MEMBER')),
      has_schema_privilege(session_user, 'public', 'CREATE')
    FROM pg_roles me WHERE me.rolname = session_user"""


def role_problems(cursor: Any) -> tuple[str, list[str]]:
    """Return the role behind a cursor and the reasons why it could pass the walls."""
    cursor.execute(IDENTITY)
    session, current, superuser, bypass, creates, owner, tables, strong, ddl = cursor.fetchone()
    reasons = {
        "it is a superuser": superuser,
        "it has BYPASSRLS": bypass,
        "it may make roles (CREATEROLE)": creates,
        "it owns the database, or is a member of its owner": owner,
        f"it owns {tables} tables, or is a member of their owner": tables,
        f"it acts as another role (SET ROLE {current})": session != current,
        f"it is a member of {strong} stronger roles": strong,
        "it may create tables in the schema public": ddl,
    }
    return session, [reason for reason, holds in reasons.items() if holds]


def require_safe_role(using: str = DEFAULT_DB_ALIAS) -> None:
    """Refuse to go on as a role that could pass the walls. Raises `UnsafeRole`."""
    with connections[using].cursor() as cursor:
        role, problems = role_problems(cursor)
    if problems:
        raise UnsafeRole(
            f"The database role {role!r} could pass the walls: {'; '.join(problems)}. "
            f"Connect as {APP} (DATABASE_URL)."
        )
