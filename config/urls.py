"""Addresses."""

import sys

from allauth.urls import urlpatterns as accounts
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path, re_path
from django.utils.csp import CSP
from django.views.decorators.csp import csp_override
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from accounts.closing import shuts_out
from accounts.ways_in import watched
from memory.admin.urls import console
from memory.api import health, metrics
from memory.api.problems import plain_problem
from memory.errors import ServiceClosed

# Swagger UI styles itself inline and makes no trusted types; it shows no personal data.
DOCS_CSP: dict[str, list[str]] = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF, CSP.UNSAFE_INLINE],
    "img-src": [CSP.SELF, "data:"],
    "frame-ancestors": [CSP.NONE],
}


@csrf_exempt  # nothing happens here, and a program must read the answer
def no_such_address(_request: HttpRequest) -> HttpResponse:
    """Answer an unknown API address with a problem document."""
    return plain_problem(status=404, code="not_found", title="No such address")


def no_such_page(_request: HttpRequest) -> HttpResponse:
    """Answer as for an address that does not exist."""
    raise Http404


def crashed(request: HttpRequest) -> HttpResponse:
    """Answer a crash without a word of what was being handled."""
    if shuts_out(sys.exception()):
        return closed(request)
    if request.path.startswith("/api/"):
        return plain_problem(status=500, code="internal", title="Something broke here")
    return render(request, "500.html", status=500)


def closed(request: HttpRequest) -> HttpResponse:
    """Answer while a backup is restored."""
    if request.path.startswith("/api/"):
        return plain_problem(status=503, code=ServiceClosed.code, title=ServiceClosed.title)
    return render(request, "closed.html", status=503)


handler400 = "dashboard.views.problems.bad_request"
handler403 = "dashboard.views.problems.forbidden"
handler404 = "dashboard.views.problems.not_found"
handler500 = crashed

# This server sends no mail and nobody signs up by themselves: allauth's pages for these would say that
# a letter is on its way. Its views still ask for their names, so the names stay and lead nowhere.
CLOSED = r"^accounts/(?:signup|sessions|email|confirm-email|password/(?:set|reset)|(?:reauthenticate|login)/code)\b"

urlpatterns = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics.metrics, name="metrics"),
    path("api/v1/", include("memory.api.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path(
        "api/docs/",
        csp_override(DOCS_CSP)(SpectacularSwaggerSplitView.as_view(url_name="api-schema")),
        name="api-docs",
    ),
    re_path(r"^api/", no_such_address),
    re_path(CLOSED, no_such_page),
    path("accounts/", include(watched(accounts))),
    path("admin/", console.urls),
    path("", include("dashboard.urls")),
]
