"""The clock that wakes the sweepers. Celery's own waits, after the clock was set back, until it is as late again."""

from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry


class Scheduler(PersistentScheduler):
    """Celery's, which begins anew with what it has last done in what is still to come."""

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
