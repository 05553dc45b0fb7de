"""What ``manage.py doctor`` asks of the work that waits: how old its oldest is, what the clock did last."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Max, Min
from django.db.models.functions import Coalesce
from django.utils import timezone

from memory.choices import UNFINISHED, ErasureState
from memory.models import Erasure, Job, Sweep
from memory.models.erasure import OPEN_STATES
from memory.operations.sweeps import last_runs
from memory.policy import HEALTH, RETENTION


def oldest_job() -> timedelta | None:
    """Return for how long the oldest job has been due; None if none is."""
    due = Job.objects.filter(state__in=UNFINISHED, due_at__lte=timezone.now())
    return _since(due.aggregate(at=Min("due_at"))["at"])


def let_go() -> Coalesce:
    """Return since when an erasure may destroy: since it was asked for, or a hold ended.

    The time for backups is counted from then on.
    """
    return Coalesce(F("backups_until") - RETENTION.backups, F("requested_at"))


def oldest_erasure() -> timedelta | None:
    """Return for how long the oldest open erasure could have been done; None if none is open."""
    return _since(Erasure.objects.filter(state__in=OPEN_STATES).aggregate(at=Min(let_go()))["at"])


def stuck_erasures() -> int:
    """Return how many erasures need attention."""
    return Erasure.objects.filter(state=ErasureState.NEEDS_ATTENTION).count()


def last_sweep() -> timedelta | None:
    """Return how long ago any sweeper ran; waits a little for a clock that has just started."""
    return _seen(
        lambda: _since(Sweep.objects.aggregate(at=Max("finished_at"))["at"]),
        well=lambda ago: ago is not None and ago <= HEALTH.beat,
    )


def late_sweepers() -> list[str]:
    """Return which sweepers should have run since; waits a little, as `last_sweep` does."""
    return _seen(lambda: [run.name for run in last_runs() if run.late], well=lambda late: not late)


def _seen[T](look: Callable[[], T], *, well: Callable[[T], bool]) -> T:
    """Return what is seen once all is well, or when there was time enough."""
    until = time.monotonic() + HEALTH.beat_wait
    while not well(found := look()) and time.monotonic() <= until:
        time.sleep(1)
    return found


def age_of_tables() -> timedelta:
    """Return how long ago the first migration ran."""
    first = MigrationRecorder(connection).migration_qs.aggregate(at=Min("applied"))["at"]
    return _since(first) or timedelta(0)


def database_bytes() -> int:
    """Return the size of the database on its disk."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size: int = cursor.fetchone()[0]
    return size


def _since(moment: datetime | None) -> timedelta | None:
    return None if moment is None else timezone.now() - moment
