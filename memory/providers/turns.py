"""Engines that serve one caller at a time."""

import threading
from collections.abc import Callable, Sequence
from itertools import batched

import numpy as np

from memory.providers.embedding import Vectors

# Texts per turn: a question waits for one turn of a long job, not for all of it.
TURN = 8


class Turns:
    """The queue before one engine."""

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def take(self, encode: Callable[[list[str]], Vectors], texts: Sequence[str]) -> Vectors:
        """Return ``encode``'s rows for ``texts``, which must not be empty, a few texts a turn."""
        rows: list[Vectors] = []
        for turn in batched(texts, TURN, strict=False):
            with self._turn:
                rows.append(encode(list(turn)))
        return np.concatenate(rows)
