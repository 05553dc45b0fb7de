"""How long somebody still waits for the work done here; without a deadline it runs to its end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_stopped: ContextVar[Callable[[], bool] | None] = ContextVar("stopped", default=None)
_until: ContextVar[float | None] = ContextVar("until", default=None)


class OutOfTime(Exception):
    """Whoever waited waits no longer. What is done stays done; the rest goes on elsewhere."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let work in the block stop with `OutOfTime` where it asks, once ``seconds`` have passed.

    Of two deadlines the nearer one holds.
    """
    outer, until = _until.get(), time.monotonic() + seconds
    token = _until.set(until if outer is None else min(outer, until))
    try:
        yield
    finally:
        _until.reset(token)


@contextmanager
def unless(stopped: Callable[[], bool]) -> Iterator[None]:
    """Let work in the block stop with `OutOfTime` at a step where ``stopped`` says so."""
    token = _stopped.set(stopped)
    try:
        yield
    finally:
        _stopped.reset(token)


def check() -> None:
    """Stop here, between two steps, if nobody waits any more.

    Raises:
        OutOfTime: if the deadline has passed, or the work was stopped.
    """
    seconds_left(0.0)
    stopped = _stopped.get()
    if stopped is not None and stopped():
        raise OutOfTime


def seconds_left(longest: float) -> float:
    """Return how many seconds a step may take: ``longest``, or what is left of the deadline.

    Raises:
        OutOfTime: if nothing is left.
    """
    until = _until.get()
    if until is None:
        return longest
    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    return min(longest, left)
