"""What each sweeper did last, and whether the clock that wakes them still ticks."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max
from django.utils import timezone

from memory.models import Sweep
from memory.policy import WORK


@dataclass(frozen=True, slots=True, kw_only=True)
class LastRun:
    """How a sweeper's last run went. ``every`` is how often it should; ``late``: it has not of late."""

    name: str
    every: timedelta
    finished_at: datetime | None
    seconds: float
    found: int
    error: str
    late: bool


def sweeper(service: Callable[[], int]) -> Callable[[], None]:
    """Make ``service``, which returns how many rows it found, the task ``memory.NAME`` that beat wakes."""
    name = service.__name__

    def run() -> None:
        began, since = time.monotonic(), timezone.now()
        try:
            found = service()
        except Exception as error:
            _note(name, failed_at=timezone.now(), error=type(error).__name__)
            raise
        seconds = time.monotonic() - began
        _note(name, finished_at=timezone.now(), seconds=seconds, found=found)
        Sweep.objects.filter(name=name, failed_at__lt=since).update(error="")

    run.__doc__ = service.__doc__
    run.__name__ = name
    task: Callable[[], None] = shared_task(name=f"memory.{name}")(run)
    return task


def _note(name: str, **columns: object) -> None:
    Sweep.objects.bulk_create(
        [Sweep(name=name, **columns)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=list(columns),
    )


def last_runs() -> Sequence[LastRun]:
    """Return how the last run of each sweeper went; of one that never ran, too."""
    known = {row.name: row for row in Sweep.objects.all()}
    now = timezone.now()
    # One that never ran had its first chance when the tables became what they are.
    made = MigrationRecorder(connection).migration_qs.aggregate(at=Max("applied"))["at"]
    runs = []
    schedule: dict[str, dict[str, Any]] = settings.CELERY_BEAT_SCHEDULE
    for entry in schedule.values():
        name = entry["task"].removeprefix("memory.")
        row = known.get(name) or Sweep(name=name)
        every = timedelta(seconds=entry["schedule"])
        runs.append(
            LastRun(
                name=name,
                every=every,
                finished_at=row.finished_at,
                seconds=row.seconds,
                found=row.found,
                error=row.error,
                late=now - (row.finished_at or made) > every + WORK.sweep_slack,
            )
        )
    return runs
