"""Compaction: what older turns said, within a cap, as they said it. Pure; extractive.

Points of earlier compactions and of newly folded turns are brought together; if they are more than the
cap allows the lightest go, never simply the oldest, and it is said which. Nothing is ever written
anew, so compacting six times changes no number.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from memory.policy import SUMMARY
from memory.sessions.points import Place, Point
from memory.sessions.replacing import linked
from memory.text.normalise import fold

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile("[0-9A-Za-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The points that fit, in the order they were said, and those that did not."""

    points: Sequence[Point]
    dropped: Sequence[Point]


def merged(points: Sequence[Point], *, order: Sequence[UUID] = ()) -> list[Point]:
    """Return points in the order of their events, what was replaced linked to what replaced it.

    A sentence said twice stands where it was said last: what holds now is the newer word.
    """
    number = {event_id: place for place, event_id in enumerate(order)}
    ordered = sorted(points, key=lambda one: (number.get(one.event_id, -1), one.start))
    latest = {(fold(one.text), one.role): one for one in ordered}
    kept = {one.place for one in latest.values()}
    return linked([one for one in ordered if one.place in kept])


def fitted(points: Sequence[Point], *, fits: Callable[[Sequence[Point]], bool]) -> Kept:
    """Return what ``fits``: the weightiest first; of equals the later said."""
    if fits(points):
        return Kept(points=points, dropped=[])
    chosen: set[Place] = set()
    for _, point in sorted(enumerate(points), key=_importance):
        if fits([one for one in points if one.place in chosen or one is point]):
            chosen.add(point.place)
    return Kept(
        points=[one for one in points if one.place in chosen],
        dropped=[one for one in points if one.place not in chosen],
    )


def _importance(numbered: tuple[int, Point]) -> tuple[float, int]:
    number, point = numbered
    weight = point.weight * (SUMMARY.replaced if point.by else 1.0)
    return -weight, -number


def capped(points: Sequence[Point]) -> bool:
    """Whether points are within the cap of a summary."""
    return sum(share(one.text) for one in points) <= 1.0


@lru_cache(maxsize=4096)
def share(text: str) -> float:
    """Return how much of a summary's cap a text takes: 500 Chinese characters, or 300 words, are 1."""
    return len(_HAN.findall(text)) / SUMMARY.han + len(_WORD.findall(text)) / SUMMARY.words
