"""The clock that only evaluation and tests may move."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from memory.evaluation.clock import Clock, moved
from memory.models import Memory

THEN = datetime(2031, 5, 4, 3, 2, 1, tzinfo=UTC)


def test_now_follows_the_clock_and_comes_back() -> None:
    clock = Clock(THEN)
    with moved(clock):
        assert timezone.now() == THEN
        clock.advance(timedelta(days=2))
        assert timezone.now() == THEN + timedelta(days=2)
        clock.set(THEN)
        assert timezone.localtime().astimezone(UTC) == THEN
    assert abs(datetime.now(UTC) - timezone.now()) < timedelta(minutes=1)


def test_defaults_of_columns_follow_too() -> None:
    with moved(Clock(THEN)):
        assert Memory().created_at == THEN
    assert Memory().created_at != THEN
