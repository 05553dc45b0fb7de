"""Two shares compared: their difference with its interval, and what may be said of it. Pure.

The interval of a share is Wilson's (1927), that of a difference Newcombe's method 10 (Statistics in
Medicine 17, 1998, 873-890), which holds its level for small numbers and shares near 0 and 1.
"""

import math
from dataclasses import dataclass

from memory.policy import EXPERIMENT

TOO_SMALL, NO_DIFFERENCE, A_BETTER, B_BETTER = "too_small", "no_difference", "a_better", "b_better"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """``of`` sessions were told of, ``successes`` of them went well."""

    successes: int
    of: int

    @property
    def value(self) -> float:
        """Return the share, 0 to 1; 0 of nothing."""
        return self.successes / self.of if self.of else 0.0

    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval; all of 0 to 1 if nothing was told."""
        if not self.of:
            return 0.0, 1.0
        z, n, p = EXPERIMENT.z, self.of, self.value
        middle = p + z * z / (2 * n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        below, above = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
        return max(0.0, below), min(1.0, above)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """By how much B's share is above A's, within ``low`` to ``high``, and what that says."""

    value: float
    low: float
    high: float
    says: str


def compared(a: Share, b: Share) -> Difference:
    """Return how much more of B went well than of A."""
    (low_a, high_a), (low_b, high_b) = a.interval(), b.interval()
    value = b.value - a.value
    low = value - math.hypot(b.value - low_b, high_a - a.value)
    high = value + math.hypot(high_b - b.value, a.value - low_a)
    says = NO_DIFFERENCE
    if min(a.of, b.of) < EXPERIMENT.least:
        says = TOO_SMALL
    elif low > 0:
        says = B_BETTER
    elif high < 0:
        says = A_BETTER
    return Difference(value=value, low=low, high=high, says=says)
