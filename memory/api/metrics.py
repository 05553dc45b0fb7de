"""/metrics: what Prometheus reads, for whoever shows the token; and the clock over every request."""

import time
from collections.abc import Callable
from hmac import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from memory import measuring
from memory.measuring import spans
from memory.operations.gauges import Gauges


class MeasuringMiddleware:
    """Counts each answer by the name of its route, never by its address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Time the request."""
        began = time.perf_counter()
        parent = request.headers.get(spans.PARENT, "")
        with spans.span("request", answers=True, parent=parent) as told:
            with measuring.watched() as asked:
                response = self.get_response(request)
            if request.method == "GET":
                measuring.tell_repeated(asked)
            match = request.resolver_match
            measuring.request(
                route=match.view_name if match else "none",
                method=str(request.method),
                status=response.status_code,
                seconds=time.perf_counter() - began,
                told=told,
            )
        return response


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all counts and gauges; without a token in the settings there is no such address."""
    if not settings.METRICS_TOKEN:
        raise Http404
    shown = request.headers.get("Authorization", "")
    if not compare_digest(shown.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    now = CollectorRegistry()
    now.register(Gauges())
    with measuring.gathered() as counted:
        body = generate_latest(counted) + generate_latest(now)
    return HttpResponse(
        body, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
    )
