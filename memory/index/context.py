"""The vector of a wording: of its own words, and of what it was said in answer to.

"Yes, in March" is found by what was asked before it. So the vector that questions search takes in the
turn that the message answers, so far as the two are about the same:
``unit(own + a · before)`` with ``a = least + (1 - least) · max(cos(own, before), 0)``.
Wordings are compared with each other by their own words alone.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.errors import EmbedderUnavailable
from memory.policy import CONTEXT_SHARE
from memory.providers.embedding import get_embedder

type Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Before:
    """The turn that a message answers: its event, and its words as an index may hold them."""

    event_id: uuid.UUID
    text: str


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vectors of a wording, shape ``(dim,)``, each of length 1.

    ``own`` compares it with other wordings; questions search ``found``, which leans on the words of
    the event ``leans_on`` too. None: there is none, and the two are the same.
    """

    own: Vector
    found: Vector
    leans_on: uuid.UUID | None = None

    def alone(self) -> "Meaning":
        """Return it without what it leaned on."""
        return Meaning(self.own, self.own)


def embed(text: str, before: Before | None = None, *, own: Vector | None = None) -> Meaning | None:
    """Return what ``text`` means, said in answer to ``before``; None if the embedder is down.

    ``own`` is the text's own vector, if it has been made already.
    """
    try:
        if own is None:
            return embed_all([text], [before])[0]
        if before is None:
            return Meaning(own, own)
        return Meaning(own, mixed(own, get_embedder().passage([before.text])[0]), before.event_id)
    except EmbedderUnavailable:
        return None


def embed_all(texts: Sequence[str], before: Sequence[Before | None]) -> list[Meaning]:
    """Return what each text means, said in answer to the turn at its place.

    Raises:
        EmbedderUnavailable: if the embedder does not answer.
    """
    answered = [one.text for one in before if one is not None]
    vectors = get_embedder().passage([*texts, *answered])
    rest = iter(vectors[len(texts) :])
    return [
        Meaning(own, own) if one is None else Meaning(own, mixed(own, next(rest)), one.event_id)
        for own, one in zip(vectors, before, strict=False)
    ]


def mixed(own: Vector, before: Vector) -> Vector:
    """Return ``own`` with so much of ``before`` as the two are about the same, length 1."""
    share = CONTEXT_SHARE + (1 - CONTEXT_SHARE) * max(float(own @ before), 0.0)
    joined = own + share * before
    length = float(np.linalg.norm(joined))
    scaled: Vector = (joined / length).astype(np.float32) if length > 0 else own
    return scaled
