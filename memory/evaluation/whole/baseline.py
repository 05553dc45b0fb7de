"""Numbers kept to compare later ones with: what fell by more than a margin is named. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.errors import InvalidInput
from memory.evaluation.whole.tally import flat

MARGIN = 0.02  # by which a share may fall unremarked

HIGHER, LOWER = "higher", "lower"
# What is compared, which way is better, and whether the margin counts: of what must be 0 it does not.
COMPARED: Mapping[str, tuple[str, bool]] = {
    "write.precision": (HIGHER, True),
    "write.recall": (HIGHER, True),
    "write.false_write_rate": (LOWER, True),
    "write.item_precision": (HIGHER, True),
    "write.item_recall": (HIGHER, True),
    "sensitive.intercepted": (HIGHER, True),
    "sensitive.secrets_intercepted": (HIGHER, True),
    "dedupe.precision": (HIGHER, True),
    "dedupe.recall": (HIGHER, True),
    "recall.hit@1": (HIGHER, True),
    "recall.hit@5": (HIGHER, True),
    "recall.recall@5": (HIGHER, True),
    "recall.ndcg@10": (HIGHER, True),
    "recall.nothing_relevant": (HIGHER, True),
    "tasks.on": (HIGHER, True),
    "stale.rate": (LOWER, True),
    "leakage.foreign": (LOWER, False),
    "erasure.residue": (LOWER, False),
    # Of how many: of nothing, whatever should be low is.
    "write.sessions": (HIGHER, False),
    "stale.n": (HIGHER, False),
    "leakage.n": (HIGHER, False),
    "erasure.people": (HIGHER, False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """One number that is worse than it was, or gone (None)."""

    name: str
    was: float
    now: float | None

    def __str__(self) -> str:
        now = "gone" if self.now is None else f"{self.now:g}"
        return f"{self.name}: {now}, was {self.was:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Numbers by their dotted names, and of which example they are (none: of a file with this digest)."""

    numbers: Mapping[str, float]
    digest: str
    sessions: int | None = None
    seed: int | None = None


def drops(now: Mapping[str, Any], was: Baseline, *, margin: float) -> list[Drop]:
    """Return what is worse by more than ``margin`` than it was.

    What the baseline does not name is not compared; what it names and is gone is worse.
    """
    found = flat(now)
    return [
        Drop(name=name, was=was.numbers[name], now=found.get(name))
        for name in COMPARED
        if name in was.numbers and _fell(name, was.numbers[name], found.get(name), margin)
    ]


def _fell(name: str, before: float, after: float | None, margin: float) -> bool:
    if after is None:
        return True
    better, with_margin = COMPARED[name]
    loss = before - after if better == HIGHER else after - before
    # A hair's breadth, so that a loss of exactly the margin passes whatever floats make of it.
    return loss > (margin if with_margin else 0.0) + 1e-9


def write(path: Path, baseline: Baseline) -> None:
    """Keep numbers in a file, those that are compared."""
    kept = {name: baseline.numbers[name] for name in COMPARED if name in baseline.numbers}
    told = {
        "digest": baseline.digest,
        "sessions": baseline.sessions,
        "seed": baseline.seed,
        "numbers": kept,
    }
    path.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


def read(path: Path) -> Baseline:
    """Return what a file keeps.

    Raises:
        InvalidInput: if it is no baseline.
    """
    try:
        told = json.loads(path.read_text("utf-8"))
        return Baseline(
            numbers={str(name): float(one) for name, one in told["numbers"].items()},
            digest=str(told["digest"]),
            sessions=told["sessions"],
            seed=told["seed"],
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path.name} is no baseline: {error!r}.") from None
