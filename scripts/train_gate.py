"""Train the classifier beside the rules: ``python scripts/train_gate.py``.

Its lines are those of ``scripts/gate`` and nothing else. A logistic regression with an l2 penalty, found by
Newton's method (iteratively reweighted least squares; Hastie, Tibshirani, Friedman: The Elements of
Statistical Learning, 4.4.1), over what `memory.write.worth.features` says of a turn and over its vector.
The same lines, rules and embedder give the same file.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import django
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from memory.choices import Role  # noqa: E402 - Django must be set up first
from memory.providers.embedding import get_embedder  # noqa: E402
from memory.write.candidate import Turn  # noqa: E402
from memory.write.redact import redact  # noqa: E402
from memory.write.rules import extract  # noqa: E402
from memory.write.worth import WEIGHTS, features  # noqa: E402
from scripts.gate.lines import lines  # noqa: E402

SAID = datetime(2026, 1, 15, 12, tzinfo=UTC)
RULES_SHARE = 0.05  # how much a feature weighs beside a vector of length 1, in standard deviations
PENALTY = 6.0
ROUNDS = 30
CLOSE = 1e-7  # a step in which no weight moves further ends the search
BATCH = 64

type Numbers = NDArray[np.float64]


def main() -> None:
    """Read the lines, fit, write the weights, and say how well they fit what they were made from."""
    known = dict(lines())
    turns = [Turn(role=Role.USER, text=redact(text).text, at=SAID) for text in known]
    worth = np.array(list(known.values()), dtype=float)
    seen = np.array([features(turn, extract(turn, at=SAID)) for turn in turns])
    mean, scale = seen.mean(axis=0), RULES_SHARE / (seen.std(axis=0) + 1e-6)
    rows = np.hstack([(seen - mean) * scale, vectors(turns), np.ones((len(turns), 1))])
    weights = fitted(rows, worth)
    right = np.mean((rows @ weights > 0) == worth)
    np.savez(
        WEIGHTS,
        model=np.int16(get_embedder().id),
        mean=mean.astype(np.float32),
        scale=scale.astype(np.float32),
        weights=weights.astype(np.float32),
    )
    sys.stdout.write(f"{len(known)} lines, {right:.3f} of them fitted, {WEIGHTS}\n")


def vectors(turns: list[Turn]) -> Numbers:
    """Return the vectors of the turns, shape ``(n, dim)``."""
    texts = [turn.text for turn in turns]
    parts = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
    return np.vstack([get_embedder().passage(part) for part in parts]).astype(float)


def fitted(rows: Numbers, worth: Numbers) -> Numbers:
    """Return the weights that fit best under the penalty; the last, the bias, is free of it."""
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[-1] = 1e-6
    for _ in range(ROUNDS):
        likely = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (likely - worth) + penalty * weights
        bend = (rows.T * (likely * (1 - likely))) @ rows + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < CLOSE:
            break
    return weights


if __name__ == "__main__":
    main()
