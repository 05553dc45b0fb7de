"""The clock that wakes the sweepers. Celery's own waits, after the clock was set back, until it is as late again."""

from celery.beat import PersistentScheduler


class Scheduler(PersistentScheduler):
    """Celery's, which begins anew with what it has last done in what is still to come."""

    def tick(self) -> float:
        """Wake what is due; return the seconds until the next look."""
        ahead = [one for one in self.schedule.values() if one.last_run_at > one.default_now()]
        if ahead:
            for entry in ahead:
                entry.last_run_at = entry.default_now()
            self.populate_heap()
        seconds: float = super().tick()
        return seconds
