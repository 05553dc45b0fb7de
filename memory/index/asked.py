"""The vectors of a question. Layers that are asked the same question share them: they are made once.

A line that asks several things at once ("which phone do I use? And where does my aunt work?") has a
vector of the whole and one of each: what answers one of them need not be close to the rest.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from memory.errors import EmbedderUnavailable
from memory.index.scale import Scale, scale_of
from memory.index.serving import former_of
from memory.providers.embedding import Embedder, get_embedder
from memory.text.asking import questions


@dataclass(frozen=True, slots=True)
class Asked:
    """The embedder that answered and the question's vectors, shape ``(n, dim)``; None: it did not.

    ``measured`` is the embedder's scale; None: nobody has calibrated it.
    ``former``: it is the one before today's, which still serves.
    """

    embedder: Embedder | None
    vectors: NDArray[np.float32] | None
    measured: Scale | None = None
    former: bool = False

    @property
    def model(self) -> int:
        """The id vectors must have to be compared with this one; 0 has none."""
        return self.embedder.id if self.embedder else 0

    @property
    def calibrated(self) -> bool:
        """Whether the policy's thresholds hold for these vectors."""
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

    def degraded_by(self, *, others: bool) -> Sequence[str]:
        """What cannot be searched with it where ``others`` says that other models' vectors lie.

        While the former embedder serves, only what is new lacks its vector, as ever.
        """
        lacking = others and self.embedder is not None and not self.former
        return [*self.degraded, "other_model"] if lacking else self.degraded


_made: ContextVar[dict[tuple[str, bool], Asked] | None] = ContextVar("made", default=None)


@contextmanager
def sharing() -> Iterator[None]:
    """Make each question's vectors once until the end of the block; nothing is kept after it."""
    token = _made.set({})
    try:
        yield
    finally:
        _made.reset(token)


def asked(text: str, vectors: QuerySet[Any]) -> Asked:
    """Return a question to ``vectors``, by the embedder that serves there.

    Words can be searched even when there is none.
    """
    former, made = former_of(vectors), _made.get()
    if made is None:
        return _embed(text, former)
    key = text, former is not None
    if key not in made:
        made[key] = _embed(text, former)
    return made[key]


def _embed(text: str, former: Embedder | None) -> Asked:
    try:
        embedder = former or get_embedder()
        made = embedder.query([text, *questions(text)])
        return Asked(embedder, made, scale_of(embedder), former=former is not None)
    except EmbedderUnavailable:
        return Asked(None, None)
