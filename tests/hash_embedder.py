"""A small real embedder for tests that do not measure meaning: hashed terms, made in microseconds."""

import hashlib
from collections.abc import Sequence

import numpy as np

from memory.index.terms import terms
from memory.providers.embedding import Vectors, unit


class HashEmbedder:
    """Each term adds ±1 to one of the vector's places; texts that share words are close."""

    id = 9_001
    name = "hashed terms"
    dim = 256
    calibrated = True

    def query(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of questions."""
        return self.passage(texts)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts."""
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for term, frequency in terms(text).items():
                digest = hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest()
                place = int.from_bytes(digest[:4], "big") % self.dim
                row[place] += frequency if digest[4] % 2 else -frequency
        return unit(vectors)


class OtherEmbedder(HashEmbedder):
    """Another model: other places, and fewer of them."""

    id = 9_002
    name = "other hashed terms"
    dim = 128

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts; no number of theirs means what one of the other's does."""
        return unit(super().passage(texts)[:, ::-1])


def build() -> HashEmbedder:
    """Return the embedder (``EMBEDDER=tests.hash_embedder.build``)."""
    return HashEmbedder()


def build_other() -> OtherEmbedder:
    """Return the other one (``EMBEDDER=tests.hash_embedder.build_other``)."""
    return OtherEmbedder()
