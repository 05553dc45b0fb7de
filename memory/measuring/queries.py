"""Statements that take long, and those asked again and again in one request: told to the log by shape.

A statement's parameters are never looked at, and literals in it are left out.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from django.db import connection

from memory.policy import MEASURE

log = structlog.get_logger()

LITERAL = re.compile(r"'(?:[^']|'')*'")


@contextmanager
def watched() -> Iterator[Counter[str]]:
    """Look at the statements of a block; gives how often each was asked."""
    asked: Counter[str] = Counter()

    def watch(execute: Callable[..., Any], sql: Any, params: Any, many: Any, context: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            asked[str(sql)] += 1
            if (seconds := time.perf_counter() - began) > MEASURE.slow_query:
                log.warning("slow_query", seconds=round(seconds, 3), statement=_shape(str(sql)))

    with connection.execute_wrapper(watch):
        yield asked


def tell_repeated(asked: Counter[str]) -> None:
    """Warn of the statement asked most, if it was asked once a row: what only reads needs it once."""
    for sql, times in asked.most_common(1):
        if times > MEASURE.same_query:
            log.warning("repeated_query", times=times, statement=_shape(sql))


def _shape(sql: str) -> str:
    return LITERAL.sub("'…'", sql)[: MEASURE.statement]
