"""How the time of a function grows with its input: a pattern that backtracks shows here.

A ratio of two measurements in one process, not a number of seconds: a busy machine slows both.
"""

import time
from collections.abc import Callable

TENFOLD = 10
# Ten times the input takes about ten times as long; quadratic growth would take a hundred times.
TOO_MUCH = 45


def _seconds(run: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        run(text)
        best = min(best, time.process_time() - begun)
    return best


def grows_gently(run: Callable[[str], object], piece: str, *, size: int = 100_000) -> bool:
    """Whether ten times the text takes clearly less than a hundred times as long."""
    count = size // len(piece.encode())
    small = _seconds(run, piece * (count // TENFOLD))
    return _seconds(run, piece * count) <= TOO_MUCH * max(small, 0.0005)
