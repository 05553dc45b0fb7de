"""The clock that wakes the sweepers, when the machine's is set."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from config.beat import Scheduler
from config.celery import app

QUICK = {name: entry for name, entry in app.conf.beat_schedule.items() if entry["schedule"] <= 15}


class Noting(Scheduler):
    """Notes whom it would wake, and wakes nobody."""

    producer: Any = None

    def setup_schedule(self) -> None:
        self.woken: list[str] = []
        super().setup_schedule()

    def apply_entry(self, entry: Any, producer: object = None) -> None:
        self.woken.append(entry.name)


def look(beat: Noting) -> set[str]:
    """Return who is woken until there is nothing more to do now."""
    beat.woken.clear()
    while not beat.tick():
        pass
    return set(beat.woken)


@pytest.mark.parametrize("days", [-1, 1])
def test_the_sweepers_are_woken_in_their_time_when_the_clock_was_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    off = timedelta()
    monkeypatch.setattr(app, "now", lambda: datetime.now(UTC) + off)
    beat = Noting(app=app, schedule_filename=str(tmp_path / "schedule"))
    try:
        assert look(beat) >= set(app.conf.beat_schedule), "a clock that starts wakes everybody"
        for _ in range(3):
            off += timedelta(seconds=16)
            assert look(beat) == set(QUICK)
        off += timedelta(days=days)
        look(beat)
        for _ in range(3):
            off += timedelta(seconds=16)
            assert look(beat) == set(QUICK)
    finally:
        beat.close()


def test_calls_to_a_sweeper_that_found_no_worker_end() -> None:
    """They piled up while no worker ran, and new work stood behind days of them."""
    for entry in app.conf.beat_schedule.values():
        if entry["task"].startswith("memory."):
            expires = entry["options"]["expires"]
            assert entry["schedule"] <= expires <= max(600, entry["schedule"])


def test_the_service_runs_with_this_clock() -> None:
    assert app.conf.beat_scheduler == "config.beat.Scheduler"
