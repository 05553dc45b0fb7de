"""How requests were answered, as far as the counts go back: all processes' where they share them."""

from collections import defaultdict
from dataclasses import dataclass

from memory import measuring

SERIES = "keepsake_request_seconds"
PERCENTILE = 95


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """Answers, those among them that were faults of ours (5xx), and the seconds that 95 of 100 took at most.

    ``seconds`` is the upper edge of a class of durations; None if nothing was answered, or longer.
    """

    answers: int
    faults: int
    seconds: float | None

    @property
    def share(self) -> float:
        """How many of a hundred were faults."""
        return 100 * self.faults / self.answers if self.answers else 0


def served() -> Served:
    """Return how requests were answered."""
    answers = faults = 0
    within: dict[float, float] = defaultdict(float)
    with measuring.gathered() as counted:
        samples = [
            one for family in counted.collect() if family.name == SERIES for one in family.samples
        ]
    for one in samples:
        if one.name.endswith("_count"):
            answers += int(one.value)
            faults += int(one.value) if one.labels["status"].startswith("5") else 0
        elif one.name.endswith("_bucket"):
            within[float(one.labels["le"])] += one.value
    enough = [edge for edge, n in within.items() if answers and 100 * n >= PERCENTILE * answers]
    seconds = min(enough, default=None)
    known = seconds if seconds != float("inf") else None
    return Served(answers=answers, faults=faults, seconds=known)
