"""Compaction: what older turns said, within a cap, as they said it. Pure; extractive.

Points of earlier compactions and of newly folded turns are brought together; if they are more than the
cap allows the lightest go, never simply the oldest, and it is said which. Nothing is ever written
anew, so compacting six times changes no number.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from memory.policy import SUMMARY
from memory.sessions.points import Place, Point
from memory.sessions.replacing import linked
from memory.text.normalise import fold

_HAN = re.compile("[\u3400-\u9fff]")
_DIGITS = re.compile("[0-9]+")
_WORD = re.compile("[0-9A-Za-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The points that fit, in the order they were said, and those that did not."""

    points: Sequence[Point]
    dropped: Sequence[Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What a summary holds: points, the events it speaks for, and those whose facts it had no room for.

    ``prose`` says the points in a model's words, if it has and may. ``version`` is 0 where there is
    none yet.
    """

    points: Sequence[Point] = ()
    event_ids: frozenset[UUID] = frozenset()
    dropped: frozenset[UUID] = frozenset()
    prose: str = ""
    version: int = 0


def merged(points: Sequence[Point], *, order: Sequence[UUID] = ()) -> list[Point]:
    """Return points in the order of their events, what was replaced linked to what replaced it.

    A sentence said twice stands where it was said last: what holds now is the newer word.
    """
    number = {event_id: place for place, event_id in enumerate(order)}
    ordered = sorted(points, key=lambda one: (number.get(one.event_id, -1), one.start))
    latest = {(fold(one.text), one.role): one for one in ordered}
    kept = {one.place for one in latest.values()}
    return linked([one for one in ordered if one.place in kept])


def fitted(points: Sequence[Point], *, cost: Callable[[Point], float], room: float) -> Kept:
    """Return what has room: the weightiest first; of equals the later said."""
    chosen: set[Place] = set()
    for point in _by_importance(points):
        needed = cost(point)
        if needed <= room:
            room -= needed
            chosen.add(point.place)
    return Kept(
        points=[one for one in points if one.place in chosen],
        dropped=[one for one in points if one.place not in chosen],
    )


def _by_importance(points: Sequence[Point]) -> list[Point]:
    """The weightiest first; what is said again and again with other numbers is routine, and weighs less."""
    times = Counter(_frame(point) for point in points)

    def importance(point: Point) -> float:
        share = SUMMARY.replaced if point.by else 1.0
        if times[_frame(point)] > SUMMARY.often:
            share *= SUMMARY.routine
        return point.weight * share + SUMMARY.replacing * point.replaces

    numbered = sorted(enumerate(points), key=lambda one: (importance(one[1]), one[0]), reverse=True)
    return [point for _, point in numbered]


def _frame(point: Point) -> str:
    return _DIGITS.sub("0", point.text)


def capped(points: Sequence[Point]) -> Kept:
    """Return what the cap of a summary has room for."""
    return fitted(points, cost=lambda point: share(point.text), room=1.0)


@lru_cache(maxsize=4096)
def share(text: str) -> float:
    """Return how much of a summary's cap a text takes: 500 Chinese characters, or 300 words, are 1."""
    return len(_HAN.findall(text)) / SUMMARY.han + len(_WORD.findall(text)) / SUMMARY.words
