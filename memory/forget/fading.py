"""Whether a memory has faded. Pure: ``now`` comes in.

What it weighs is importance × recency × use. Recency halves with the half-life of its subtype, from
when it happened or was last confirmed; use is what being recalled counts for, with a cap, so that
what is recalled because it is kept is not kept because it is recalled.
"""

from dataclasses import dataclass
from datetime import datetime
from math import log2

from memory.choices import Subtype, Trust
from memory.policy.fading import DECAY, recency

FADED, EXPIRED = "faded", "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What decides on one memory.

    ``since`` is the later of when it happened and when it was last confirmed; ``touched`` when it was
    last made, changed, taken out again or recalled; ``recalls`` how often it was.
    """

    subtype: Subtype
    importance: float
    trust: int
    pinned: bool
    in_profile: bool
    since: datetime
    touched: datetime
    recalls: int
    expires_at: datetime | None = None


def exempt(trace: Trace) -> bool:
    """Whether it never fades: pinned, confirmed by the person, or needed whatever is asked."""
    return trace.pinned or trace.in_profile or trace.trust >= Trust.CONFIRMED


def use(recalls: int) -> float:
    """Return what being recalled counts for: 1 for never, up to the cap."""
    return min(1.0 + DECAY.use_step * log2(1 + recalls), DECAY.use_cap)


def weight(trace: Trace, now: datetime) -> float:
    """Return importance × recency × use."""
    fresh = recency(subtype=trace.subtype, pinned=trace.pinned, since=trace.since, now=now)
    return trace.importance * fresh * use(trace.recalls)


def over(trace: Trace, now: datetime) -> str:
    """Return why it is to be put away: it has expired, it has faded; empty if it stays."""
    if exempt(trace):
        return ""
    if trace.expires_at is not None and trace.expires_at <= now:
        return EXPIRED
    rested = now - trace.touched >= DECAY.rest
    return FADED if rested and weight(trace, now) < DECAY.least else ""
