"""What is counted where it happens. Labels are codes and names of routes: a few hundred series in all."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from django.conf import settings
from django.db import transaction
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

from memory.errors import KeepsakeError
from memory.measuring import shared, spans
from memory.policy import MEASURE

if settings.METRICS_TOKEN:
    shared.share(settings.METRICS_DIR)

SERVER_ERROR = 500
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class Step(StrEnum):
    """What is timed inside a request or a job."""

    RECALL = "recall"
    UNDERSTAND = "understand"
    FIND = "find"
    FETCH = "fetch"
    RANK = "rank"
    APPEND = "append"
    EXTRACT = "extract"
    WRITE = "write"
    EMBED_QUERY = "embed_query"
    EMBED_PASSAGE = "embed_passage"


@dataclass(slots=True)
class Timing:
    """What is being timed; ``outcome`` is how it ends unless an error ends it."""

    outcome: str = "ok"


REGISTRY = CollectorRegistry()
REQUESTS = Histogram(
    "keepsake_request_seconds",
    "Answering a request",
    ["route", "method", "status"],
    buckets=MEASURE.buckets,
    registry=REGISTRY,
)
STEPS = Histogram(
    "keepsake_step_seconds",
    "A step of a request or job",
    ["step", "outcome"],
    buckets=MEASURE.buckets,
    registry=REGISTRY,
)
JOBS = Histogram(
    "keepsake_job_seconds",
    "One try of a job",
    ["kind", "outcome"],
    buckets=MEASURE.buckets,
    registry=REGISTRY,
)
DECISIONS = Counter(
    "keepsake_decisions", "What the gate answered", ["outcome", "reason"], registry=REGISTRY
)


def step(name: Step) -> AbstractContextManager[Timing]:
    """Time a step."""
    return _timed(STEPS, name, span=name)


def job(kind: str) -> AbstractContextManager[Timing]:
    """Time one try of a job."""
    return _timed(JOBS, kind, span=f"job {kind}")


def request(
    *, route: str, method: str, status: int, seconds: float, told: spans.Told = spans.NOBODY
) -> None:
    """Count an answered request, and tell its span; a method that nobody knows is ``other``."""
    known = method if method in METHODS else "other"
    _observe(REQUESTS, route, known, str(status), seconds=seconds)
    codes: spans.Codes = {
        "http.request.method": known,
        "http.route": route,
        "http.response.status_code": status,
    }
    told.add(codes, name=f"{known} {route}", failed=status >= SERVER_ERROR)


def decided(outcome: str, reason: str) -> None:
    """Count a decision once it is stored."""
    transaction.on_commit(partial(_count, outcome, reason), robust=True)


@contextmanager
def gathered() -> Iterator[CollectorRegistry]:
    """Give what all processes have counted, the dead ones too."""
    if shared.folder() is None:
        yield REGISTRY
        return
    with shared.added_up():
        together = CollectorRegistry()
        MultiProcessCollector(together)
        yield together


@contextmanager
def _timed(series: Histogram, what: str, *, span: str) -> Iterator[Timing]:
    timing, began = Timing(), time.perf_counter()
    with spans.span(span) as told:
        try:
            yield timing
        except BaseException as error:
            timing.outcome = error.code if isinstance(error, KeepsakeError) else "error"
            raise
        finally:
            failed = timing.outcome in {"error", "failed", "given_up"}
            told.add({"keepsake.outcome": timing.outcome}, failed=failed)
            _observe(series, what, timing.outcome, seconds=time.perf_counter() - began)


def _observe(series: Histogram, *labels: str, seconds: float) -> None:
    with suppress(OSError):  # a full disk is no reason to be down
        series.labels(*labels).observe(seconds)


def _count(outcome: str, reason: str) -> None:
    with suppress(OSError):
        DECISIONS.labels(outcome, reason).inc()
