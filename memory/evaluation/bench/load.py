"""Doing the same thing again and again, by one or by many at once, and how long it takes."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from memory.evaluation.metrics import percentile

# One call, given which client makes it and the text it is about.
type Call = Callable[[int, str], object]


def timed(
    call: Call, texts: Sequence[str], *, clients: int, rate: float = 0, seconds: float = math.inf
) -> dict[str, float]:
    """Return milliseconds (p50, p95) and calls a second over all ``texts`` begun within ``seconds``.

    Each of ``clients`` threads takes the next text as soon as it is done; with ``rate`` a call begins
    every 1/rate seconds, and waiting for a free client counts.
    """
    taken, spent, faults = iter(enumerate(texts)), list[float](), list[BaseException]()
    turn = threading.Lock()
    begun = time.perf_counter()

    def work(client: int) -> None:
        try:
            while not faults:
                with turn:
                    number, text = next(taken, (-1, ""))
                if number < 0 or time.perf_counter() - begun > seconds:
                    return
                start = begun + number / rate if rate else time.perf_counter()
                time.sleep(max(start - time.perf_counter(), 0))
                call(client, text)
                spent.append((time.perf_counter() - start) * 1000)
        except BaseException as fault:  # noqa: BLE001 - raised again in the caller's thread
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(client,)) for client in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return {
        "p50_ms": round(percentile(spent, 0.5), 1),
        "p95_ms": round(percentile(spent, 0.95), 1),
        "per_s": round(len(spent) / (time.perf_counter() - begun), 1),
    }


@dataclass(slots=True)
class Queries:
    """The statements that one piece of work sent to the database."""

    sent: list[str] = field(default_factory=list)

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        """Note a statement and send it on."""
        self.sent.append(sql)
        return execute(sql, *rest)


@contextmanager
def counting() -> Iterator[Queries]:
    """Count the statements until the end of the block; those that open and close it are none."""
    queries = Queries()
    with connection.execute_wrapper(queries):
        yield queries
