"""A clock that can be moved. Only this room and tests use it.

Django's ``timezone.now`` is bound into column defaults, so it cannot be replaced; the ``datetime`` it
reads can. Inside `moved` every moment of the product comes from the clock, outside nothing changed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from unittest.mock import patch

from django.utils import timezone


class Clock:
    """A moment that stands still until it is moved."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def set(self, at: datetime) -> None:
        """Move to a moment, forward or back."""
        self.at = at

    def advance(self, by: timedelta) -> None:
        """Move on."""
        self.at += by


class _AnyDatetime(type):
    """Lets every datetime count as an instance of the stand-in."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, datetime)


@contextmanager
def moved(clock: Clock) -> Iterator[Clock]:
    """Let ``timezone.now`` follow ``clock``."""

    class Moved(datetime, metaclass=_AnyDatetime):
        """What ``timezone.now`` reads instead of ``datetime``."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            """Return the clock's moment."""
            return clock.at.astimezone(tz)

    with patch.object(timezone, "datetime", Moved):
        yield clock
