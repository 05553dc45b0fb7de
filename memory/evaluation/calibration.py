"""What an embedder's cosines mean, measured on the hand-made sets.

Two points place its cosines beside any other's: where a question's answer parts from what is merely
nearest to a question without one, and where sentences begin to say the same.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray

from memory.errors import InvalidInput
from memory.evaluation.dedupe import POSITIVE
from memory.evaluation.handmade import PAIRS_FILE
from memory.evaluation.handmade.sets import MEMORIES, PAIRS, QUESTIONS, UNRELATED
from memory.models import Calibration
from memory.policy import REFERENCE
from memory.providers.embedding import Embedder
from memory.text.guard import same_facts

type Cosines = NDArray[np.float32]

# Groups of questions asked in another language than their answer.
ACROSS = ("ze", "ez")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The two points in an embedder's own cosines, and how well it tells answers from the rest.

    ``area`` is the area under the curve, 0.5 for chance to 1; ``across`` the same for questions in
    another language than their answer. ``wrong`` counts pairs that differ and would be merged.
    """

    gate: float
    duplicate: float
    area: float
    across: float
    wrong: int

    def check(self) -> None:
        """Refuse what no threshold can be taken from.

        Raises:
            InvalidInput: says what is wrong with the embedder.
        """
        if self.area < REFERENCE.least_area or self.across < REFERENCE.least_area:
            raise InvalidInput(
                "This model does not tell an answer from small talk in either language "
                f"(area {self.area:.2f}, across languages {self.across:.2f}; "
                f"{REFERENCE.least_area} is the least). Choose another."
            )
        if self.duplicate - self.gate < REFERENCE.least_distance:
            raise InvalidInput("This model puts everything equally close. Choose another.")
        if self.wrong:
            raise InvalidInput(f"{self.wrong} pairs that differ would be merged.")


def measure(embedder: Embedder) -> Measured:
    """Measure an embedder on all sets: about 1,000 short texts are embedded.

    Raises:
        EmbedderUnavailable: if it does not answer.
    """
    answered, across, unanswered = _questions(embedder)
    duplicate, wrong = _pairs(embedder)
    return Measured(
        gate=_parting(answered, unanswered),
        duplicate=duplicate,
        area=_area(answered, unanswered),
        across=_area(across, unanswered),
        wrong=wrong,
    )


def calibrate(embedder: Embedder) -> Measured:
    """Measure an embedder and keep its points, from now on used by every process.

    The service's own embedder is measured only: the policy's thresholds are its own.

    Raises:
        EmbedderUnavailable: if it does not answer.
        InvalidInput: if no threshold can be taken from what it answers; nothing is changed.
    """
    found = measure(embedder)
    found.check()
    if not embedder.calibrated:
        with transaction.atomic():
            Calibration.objects.update_or_create(
                model=embedder.id,
                defaults={
                    "name": embedder.name[:200],
                    "gate": found.gate,
                    "duplicate": found.duplicate,
                    "measured_at": timezone.now(),
                },
            )
    return found


def _questions(embedder: Embedder) -> tuple[Cosines, Cosines, Cosines]:
    """Return the cosine of each question to its best answer, of those across languages, and of
    each question without an answer to whatever is nearest."""
    names = list(MEMORIES)
    memories = embedder.passage([MEMORIES[name] for name in names]).T
    asked = embedder.query([text for _, text, _ in QUESTIONS]) @ memories
    best = [
        max(row[names.index(name)] for name in answers.split())
        for row, (_, _, answers) in zip(asked, QUESTIONS, strict=True)
    ]
    other = [one for one, (group, _, _) in zip(best, QUESTIONS, strict=True) if group in ACROSS]
    nearest = (embedder.query(UNRELATED) @ memories).max(axis=1)
    return np.array(best), np.array(other), nearest


def _pairs(embedder: Embedder) -> tuple[float, int]:
    """Return the cosine that pairs of one meaning reach, and how many others would be merged by it."""
    rows: list[dict[str, Any]] = [json.loads(line) for line in PAIRS_FILE.open(encoding="utf-8")]
    pairs = [*PAIRS, *((row["kind"], row["a"], row["b"]) for row in rows)]
    alike = embedder.passage([one for _, one, _ in pairs])
    cosines = (alike * embedder.passage([other for _, _, other in pairs])).sum(axis=1)
    passing = [same_facts(one, other) for _, one, other in pairs]
    same = [kind in POSITIVE for kind, _, _ in pairs]
    rightly = [c for c, passes, means in zip(cosines, passing, same, strict=True) if passes & means]
    duplicate = float(np.quantile(rightly, 1 - REFERENCE.share))
    wrong = sum(
        c >= duplicate and passes and not means
        for c, passes, means in zip(cosines, passing, same, strict=True)
    )
    return duplicate, int(wrong)


def _parting(above: Cosines, below: Cosines) -> float:
    """Return the threshold that parts the two best (Youden 1950), amid those about as good."""
    values = np.unique(np.concatenate([above, below]))
    between = (values[1:] + values[:-1]) / 2
    parted = [(above >= one).mean() + (below < one).mean() for one in between]
    good = between[np.array(parted) >= max(parted) - REFERENCE.plateau]
    return float(good.mean())


def _area(above: Cosines, below: Cosines) -> float:
    """Return the share of pairs in which the one above is higher, 0 to 1."""
    return float((above[:, None] > below[None]).mean())
