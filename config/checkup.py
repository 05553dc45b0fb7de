"""The checks of ``manage.py doctor``. Each returns what it found or raises `Unwell`."""

import shutil
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from datetime import timedelta
from http import HTTPStatus

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

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
    "disk": "Make room on the disk of DATA_DIR, or move what grows.",
    "beat": "Start exactly one beat: celery -A config beat (manage.py up does it). "
    "If one sweeper alone is late, look at the log of the worker.",
    "jobs": "Start workers, or more of them; look at the log of the worker.",
    "erasures": "Look at the erasure's steps in the console, mend the cause, retry failed steps.",
    "backup": "Run manage.py backup every day; BACKUP_DIR must be where it writes.",
    "web": "Start the web server (manage.py up); PUBLIC_URL must be its address.",
}
# A check of whose needs one has failed is not tried.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "extension": ("database",),
    "role": ("database",),
    "tables": ("database",),
    "master key": ("tables",),
    "ledger": ("tables",),
    "worker": ("broker",),
    "beat": ("worker",),
    "disk": ("database",),
    "jobs": ("tables",),
    "erasures": ("tables",),
    "backup": ("tables",),
    "vectors": ("tables", "embedder"),
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
    from memory.rotation import check_sentinel

    try:
        check_sentinel()
    except VaultError as error:
        raise Unwell(error.detail) from error
    return "matches this database"


def ledger() -> str:
    """The ledger can be written, and holds all that the database knows of."""
    from accounts.ledger import path
    from memory import ledger as outside
    from memory.errors import LedgerUnavailable

    try:
        lacking = outside.missing()
    except LedgerUnavailable as error:
        raise Unwell(error.detail) from error
    if lacking:
        raise Unwell(f"{len(lacking)} erasures of the database are not in {path()}.")
    return "holds every erasure"


def disk() -> str:
    """The disk of DATA_DIR has room."""
    from memory.operations.standing import database_bytes
    from memory.policy import HEALTH

    room = shutil.disk_usage(settings.DATA_DIR)
    found = f"{_size(room.free)} of {_size(room.total)} free, the database has {_size(database_bytes())}"
    if room.free < max(HEALTH.disk_bytes, HEALTH.disk_share * room.total):
        raise Unwell(f"{found}.")
    return found


def beat() -> str:
    """The clock that wakes the sweepers ticks, a worker hears it, and each of them comes to its end."""
    from memory.operations.standing import last_sweep, late_sweepers
    from memory.policy import HEALTH

    ago = last_sweep()
    if ago is None:
        raise Unwell("No sweeper has ever run.")
    if ago > HEALTH.beat:
        raise Unwell(f"The last sweeper ran {_ago(ago)} ago.")
    if late := late_sweepers():
        raise Unwell(f"Late: {', '.join(late)}.")
    return f"the last sweeper ran {_ago(ago)} ago"


def jobs() -> str:
    """No job waits for long."""
    from memory.operations.standing import oldest_job
    from memory.policy import HEALTH

    ago = oldest_job()
    if ago is not None and ago > HEALTH.job:
        raise Unwell(f"The oldest job has been due for {_ago(ago)}.")
    return "none waits" if ago is None else f"the oldest has been due for {_ago(ago)}"


def erasures() -> str:
    """No erasure is stuck or late."""
    from memory.operations.standing import oldest_erasure, stuck_erasures
    from memory.policy import HEALTH

    ago, stuck = oldest_erasure(), stuck_erasures()
    if stuck:
        raise Unwell(f"{stuck} need attention.")
    if ago is not None and ago > HEALTH.erasure:
        raise Unwell(f"The oldest open one was asked for {_ago(ago)} ago.")
    return "none is open" if ago is None else f"the oldest was asked for {_ago(ago)} ago"


def backup() -> str:
    """There is a backup that is not old; tables that are new themselves need none yet."""
    from memory.backup.files import last_backup
    from memory.operations.standing import age_of_tables
    from memory.policy import HEALTH

    made = last_backup()
    if made is None:
        if (age := age_of_tables()) > HEALTH.backup:
            raise Unwell(f"There is none in {settings.BACKUP_DIR}, after {_ago(age)}.")
        return "none yet, the tables are new"
    ago = timezone.now() - made
    if ago > HEALTH.backup:
        raise Unwell(f"The newest in {settings.BACKUP_DIR} is {_ago(ago)} old.")
    return f"the newest is {_ago(ago)} old"


def _ago(time: timedelta) -> str:
    seconds = max(int(time.total_seconds()), 0)
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"


def _size(number: float) -> str:
    return f"{number / 1e9:.2f} GB"


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
    "disk": disk,
    "beat": beat,
    "jobs": jobs,
    "erasures": erasures,
    "backup": backup,
    "web": web,
}
