"""How memories fade, and when one that has faded is put away and erased."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from memory.choices import Subtype
from memory.policy.kinds import HALF_LIFE

DAY = 86_400.0


def recency(*, subtype: Subtype, pinned: bool, since: datetime, now: datetime) -> float:
    """Return 2^(−Δ/half-life), Δ in days from ``since``; 1 for what never fades."""
    half_life = None if pinned else HALF_LIFE[subtype]
    if half_life is None:
        return 1.0
    days = max((now - since).total_seconds(), 0.0) / DAY
    # Past a thousand half-lives the power is 0 anyway; the bound keeps it from underflowing loudly.
    return float(2.0 ** -min(days / half_life, 1000.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayPolicy:
    """When a memory has faded: what it weighs is too little, and it has rested long enough."""

    least: float = 0.05  # of importance × recency × use
    rest: timedelta = timedelta(days=90)  # since it was recalled, changed or taken out again
    # Being recalled counts for this much with each doubling, and for no more than the cap: one
    # half-life. However often it is recalled, only the person's word keeps a memory for good.
    use_step: float = 0.25
    use_cap: float = 2.0
    hour: int = 3  # of the day, UTC, from which the night's job is due


DECAY = DecayPolicy()

# How long what has faded, or outlived its lifetime, is kept put away before it is erased.
PUT_AWAY = MappingProxyType(
    dict.fromkeys(Subtype, timedelta(days=180)) | {Subtype.BROWSING: timedelta(days=30)}
)
