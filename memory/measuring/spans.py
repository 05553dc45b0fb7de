"""Spans for OpenTelemetry, where a collector is named: what ran, for how long, how it ended.

A span holds names out of the code, codes, a status and the request's id: no address or query string,
no statement, no body, no id of a person, no text of an error. Nothing is instrumented from outside, so
nothing else can get in.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.requests import current_request_id

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, SpanKind

PARENT = "traceparent"  # the header, in HTTP and in a task's message, by W3C's Trace Context

type Codes = Mapping[str, str | int]

if settings.OTEL_EXPORTER_OTLP_ENDPOINT and find_spec("opentelemetry") is None:
    raise ImproperlyConfigured(
        "OTEL_EXPORTER_OTLP_ENDPOINT is set and its packages are missing: uv sync --extra telemetry"
    )
_followed: ContextVar[str] = ContextVar("followed", default="")


class Told:
    """What is told about a span while it lasts: nothing, where no collector is named."""

    def __init__(self, span: "Span | None" = None) -> None:
        self._span = span

    def add(self, codes: Codes, *, name: str = "", failed: bool = False) -> None:
        """Add codes; ``name`` replaces the span's, ``failed`` marks it."""
        if self._span is None:
            return
        from opentelemetry.trace import StatusCode

        self._span.set_attributes(dict(codes))
        if name:
            self._span.update_name(name)
        if failed:
            self._span.set_status(StatusCode.ERROR)


NOBODY = Told()


@contextmanager
def span(name: str, *, answers: bool = False, parent: str = "") -> Iterator[Told]:
    """Tell the collector of the block, as part of the span around it or of what this task follows.

    ``answers``: a request is answered in it; ``parent`` is what its caller sent as ``traceparent``.
    """
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        yield NOBODY
        return
    from opentelemetry.trace import SpanKind, get_current_span

    if not get_current_span().get_span_context().is_valid:
        parent = parent or _followed.get()
    kind = SpanKind.SERVER if answers else SpanKind.INTERNAL
    with _started(name, kind, parent) as begun:
        yield Told(begun)


def follow(parent: str | None) -> None:
    """Make what this task does a part of the trace that ``parent`` names; of none without it."""
    _followed.set(parent or "")


def carried() -> str:
    """Return what makes a task a part of the trace that runs now, or an empty string."""
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(PARENT, "")


@contextmanager
def _started(name: str, kind: "SpanKind", parent: str) -> Iterator["Span"]:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    around = TraceContextTextMapPropagator().extract({PARENT: parent}) if parent else None
    tracer = provider(settings.OTEL_EXPORTER_OTLP_ENDPOINT).get_tracer("keepsake")
    with tracer.start_as_current_span(
        name,
        context=around,
        kind=kind,
        attributes={"keepsake.request_id": current_request_id()},
        record_exception=False,  # its text may quote what a person wrote
        set_status_on_exception=False,
    ) as begun:
        yield begun


@cache
def provider(endpoint: str) -> "TracerProvider":
    """Return what sends this process's spans to ``endpoint``, from a thread and in batches."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = Resource({"service.name": "keepsake"}).merge(OTELResourceDetector().detect())
    made = TracerProvider(resource=named)
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
    made.add_span_processor(BatchSpanProcessor(exporter))
    return made
