"""The clock that wakes the sweepers. Celery's own waits, after the clock was set back, until it is as late again."""

from datetime import timedelta
from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry

A_DAY = timedelta(days=1)  # no sweeper rests for longer


class Scheduler(PersistentScheduler):
    """Celery's, which wakes all when it starts, and again what it has last woken in what is still to come."""

    def setup_schedule(self) -> None:
        """Read the schedule; whatever ran while this stood still, or did not, is due."""
        super().setup_schedule()
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now() - A_DAY

    def tick(self, *rest: Any, **named: Any) -> float:
        """Wake what is due; return the seconds until the next look."""
        ahead = [entry for entry in self.schedule.values() if _is_ahead(entry)]
        if ahead:
            for entry in ahead:
                entry.last_run_at = entry.default_now()
            self.populate_heap()
        return super().tick(*rest, **named)


def _is_ahead(entry: ScheduleEntry) -> bool:
    last = entry.last_run_at
    return last is not None and last > entry.default_now()
