"""The checks of ``manage.py doctor``. Each returns what it found or raises `Unwell`."""

import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

START = "Start the service (make run), or set DATABASE_URL to a database that is running."
ADVICE = {
    "database": START,
    "extension": "Install pgvector 0.8 or newer, then run manage.py bootstrap_roles.",
    "role": "Put the role keepsake_app into DATABASE_URL (manage.py bootstrap_roles makes it).",
    "tables": "Run manage.py migrate; if a restore has not finished, manage.py restore again.",
    "broker": "Start the service (make run), or set REDIS_URL to a Valkey or Redis that is running.",
    "worker": "Start a worker: celery -A config worker (manage.py up does it).",
    "embedder": "Check EMBEDDER and its settings; run `make setup` to install the models.",
    "vectors": "Run manage.py reembed: the workers make the vectors of today's embedder.",
    "master key": "Put the right key back as DATA_DIR/master.key or MASTER_KEY, from your backup.",
    "ledger": "Make LEDGER_FILE writable for web and workers; manage.py backup adds what it lacks.",
    "web": "Start the web server (manage.py up); PUBLIC_URL must be its address.",
}
# A check whose need has failed is not tried.
NEEDS = {
    "extension": "database",
    "role": "database",
    "tables": "database",
    "master key": "tables",
    "ledger": "tables",
    "worker": "broker",
    "vectors": "embedder",
}
OLDEST_POSTGRES, OLDEST_VECTOR = 150_000, (0, 8)


class Unwell(Exception):
    """A check failed; `ADVICE` says what to do."""


def database() -> str:
    """The database answers and is new enough."""
    if not settings.DATABASE_URL:
        raise Unwell("No service runs here, and DATABASE_URL is not set.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, current_user")
        version, role = cursor.fetchone()
    if version < OLDEST_POSTGRES:
        raise Unwell(f"PostgreSQL {version // 10_000} is too old; 15 is needed.")
    return f"PostgreSQL {version // 10_000}.{version % 10_000}, connected as {role}"


def extension() -> str:
    """The extension ``vector`` is there and new enough."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        row = cursor.fetchone()
    if row is None:
        raise Unwell("The extension vector is not installed in this database.")
    if tuple(int(part) for part in row[0].split(".")[:2]) < OLDEST_VECTOR:
        raise Unwell(f"vector {row[0]} is too old; 0.8 is needed.")
    return f"vector {row[0]}"


def role() -> str:
    """The role cannot pass the walls."""
    from accounts.roles import UnsafeRole, require_safe_role

    try:
        require_safe_role()
    except UnsafeRole as error:
        raise Unwell(str(error)) from error
    return "owns nothing and cannot pass the walls"


def tables() -> str:
    """Every migration has run, and no restore has left the tables closed."""
    from accounts.closing import is_closed

    if is_closed():
        raise Unwell("The service is closed: a restore has not finished.")
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        raise Unwell(f"{len(missing)} migrations have not run.")
    return f"{len(executor.loader.applied_migrations)} migrations applied"


def broker() -> str:
    """The broker answers."""
    if not settings.REDIS_URL:
        raise Unwell("No service runs here, and REDIS_URL is not set.")
    with current_app.connection_for_read(connect_timeout=3) as broker_connection:
        broker_connection.ensure_connection(max_retries=1, timeout=5)
    return "answers"


def worker() -> str:
    """A worker answers."""
    answers = current_app.control.ping(timeout=5, limit=1)
    if not answers:
        raise Unwell("No worker answered within 5 s.")
    return f"{len(answers)} answers"


def embedder() -> str:
    """The embedder loads and turns a text into a vector."""
    from memory.providers.embedding import get_embedder

    model = get_embedder()
    shape = model.query(["你好 hello"]).shape
    return f"{model.name}, {shape[1]} dimensions"


def vectors() -> str:
    """All vectors are of today's embedder, or workers are making them so."""
    from memory.jobs import outdated_indexes
    from memory.providers.embedding import get_embedder

    left, at_work = outdated_indexes()
    if left > at_work:
        raise Unwell(f"{left} people or document sets have vectors of another embedder.")
    return f"{left} being made anew" if left else f"all of {get_embedder().name}"


def master_key() -> str:
    """The master key is the one this database was sealed with."""
    from memory.errors import VaultError
    from memory.vault import check_sentinel

    try:
        check_sentinel()
    except VaultError as error:
        raise Unwell(error.detail) from error
    return "matches this database"


def ledger() -> str:
    """The ledger of erasures can be written, and holds all that the database knows of."""
    from memory import ledger as outside
    from memory.errors import LedgerUnavailable

    try:
        lacking = outside.missing()
    except LedgerUnavailable as error:
        raise Unwell(error.detail) from error
    if lacking:
        raise Unwell(f"{len(lacking)} erasures of the database are not in {outside.path()}.")
    return "holds every erasure"


def web() -> str:
    """The web server answers and calls itself ready."""
    address = f"{settings.PUBLIC_URL}/health/ready"
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            status = answer.status
    except urllib.error.HTTPError as error:
        status = error.code
    except OSError as error:
        raise Unwell(f"{settings.PUBLIC_URL} does not answer: {error}") from error
    if status != HTTPStatus.OK:
        raise Unwell(f"{address} answers {status}.")
    return settings.PUBLIC_URL


CHECKS: dict[str, Callable[[], str]] = {
    "database": database,
    "extension": extension,
    "role": role,
    "tables": tables,
    "broker": broker,
    "worker": worker,
    "embedder": embedder,
    "vectors": vectors,
    "master key": master_key,
    "ledger": ledger,
    "web": web,
}
