"""The engine: texts in, raw e5 vectors out, several texts a run."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import structlog

from memory.providers.e5_onnx.tokens import Tokeniser
from memory.providers.e5_onnx.weights import Weights
from memory.providers.embedding import Vectors, unit

log = structlog.get_logger()

# Tokens of one run, padding counted: what a core's cache holds. In a run of four times as many, each
# takes a fifth longer.
RUN = 256


class OnnxEngine:
    """multilingual-e5-small on onnxruntime: raw unit vectors, shape ``(n, 384)``.

    Safe to call from several threads. The graph is kept in the folder ``cache``.

    Raises:
        OSError: if ``weights`` is missing or of another format.
    """

    name = "onnx"

    def __init__(self, weights: Path, *, cache: Path, threads: int) -> None:
        opened = Weights(weights)
        self._tokeniser = Tokeniser(opened)
        self._hidden, self._window = opened.hidden, opened.positions - 2
        self._begin, self._end, self._pad = opened.begin, opened.end, opened.pad
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            _graph(weights, opened, cache), options, providers=["CPUExecutionProvider"]
        )

    def query(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._embed([f"query: {text}" for text in texts])

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found."""
        return self._embed([f"passage: {text}" for text in texts])

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """A text longer than the model's window has the mean of its windows, weighted by length."""
        windows = [
            (row, window)
            for row, text in enumerate(texts)
            for window in self._windows(self._tokeniser.cut(text))
        ]
        sums = np.zeros((len(texts), self._hidden), np.float32)
        for run in _runs(windows):
            for (row, window), mean in zip(run, self._means([w for _, w in run]), strict=True):
                sums[row] += mean * len(window)
        return unit(sums)

    def _windows(self, tokens: list[int]) -> Iterator[list[int]]:
        for begin in range(0, len(tokens), self._window):
            yield tokens[begin : begin + self._window]

    def _means(self, windows: Sequence[list[int]]) -> Vectors:
        """Each window's mean over the tokens' last states, shape ``(len(windows), 384)``."""
        shape = (len(windows), max(map(len, windows)) + 2)
        ids, mask = np.full(shape, self._pad, np.int64), np.zeros(shape, np.int32)
        for row, window in enumerate(windows):
            ids[row, : len(window) + 2] = [self._begin, *window, self._end]
            mask[row, : len(window) + 2] = 1
        means: Vectors = self._session.run(["mean"], {"ids": ids, "mask": mask})[0]
        return means


def _runs(windows: list[tuple[int, list[int]]]) -> Iterator[list[tuple[int, list[int]]]]:
    """Put windows of like length together, so that little is padded."""
    run: list[tuple[int, list[int]]] = []
    for row, window in sorted(windows, key=lambda one: len(one[1])):
        if run and (len(run) + 1) * (len(window) + 2) > RUN:
            yield run
            run = []
        run.append((row, window))
    if run:
        yield run


def _graph(path: Path, weights: Weights, cache: Path) -> str | bytes:
    """Return the graph's file, made now if it is not there; its content where none can be kept."""
    kept = cache / f"e5-small-{_key(path)}.onnx"
    if kept.is_file():
        return str(kept)
    # Only the building needs `onnx`, which takes its time and memory.
    from memory.providers.e5_onnx.graph import build

    content = build(weights)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}")
        draft.write_bytes(content)
        draft.replace(kept)
    except OSError as error:
        log.warning("graph_not_kept", folder=str(cache), error=type(error).__name__)
        return content
    return str(kept)


def _key(path: Path) -> str:
    """Name these weights and this way of making a graph of them."""
    with path.open("rb") as weights:
        digest = hashlib.file_digest(weights, "sha256")
    digest.update(Path(__file__).with_name("graph.py").read_bytes())
    return digest.hexdigest()[:16]
