"""The vector of a question. Layers that are asked the same question share it: it is made once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.errors import EmbedderUnavailable
from memory.index.scale import Scale, scale_of
from memory.providers.embedding import Embedder, get_embedder


@dataclass(frozen=True, slots=True)
class Asked:
    """The embedder that answered and the question's vector, shape ``(dim,)``; None: it did not.

    ``measured`` is the embedder's scale; None: nobody has calibrated it.
    """

    embedder: Embedder | None
    vector: NDArray[np.float32] | None
    measured: Scale | None = None

    @property
    def model(self) -> int:
        """The id vectors must have to be compared with this one; 0 has none."""
        return self.embedder.id if self.embedder else 0

    @property
    def calibrated(self) -> bool:
        """Whether the policy's thresholds hold for this vector."""
        return self.measured is not None

    @property
    def scale(self) -> Scale:
        """What brings its cosines onto the policy's scale, as far as that is known."""
        return self.measured or Scale()

    @property
    def degraded(self) -> Sequence[str]:
        """What cannot be searched with it."""
        if self.embedder is None:
            return ["meaning"]
        return [] if self.calibrated else ["calibration"]


_made: ContextVar[dict[str, Asked] | None] = ContextVar("made", default=None)


@contextmanager
def sharing() -> Iterator[None]:
    """Make each question's vector once until the end of the block; nothing is kept after it."""
    token = _made.set({})
    try:
        yield
    finally:
        _made.reset(token)


def asked(text: str) -> Asked:
    """Return the vector of a question; words can be searched even when there is none."""
    made = _made.get()
    if made is None:
        return _embed(text)
    if text not in made:
        made[text] = _embed(text)
    return made[text]


def _embed(text: str) -> Asked:
    try:
        embedder = get_embedder()
        return Asked(embedder, embedder.query([text])[0], scale_of(embedder))
    except EmbedderUnavailable:
        return Asked(None, None)
