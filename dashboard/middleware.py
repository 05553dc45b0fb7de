"""What every page has in common: kept in no cache, and errors of the services shown as pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from dashboard.views.problems import problem
from memory.errors import KeepsakeError


class PagesMiddleware:
    """Keeps pages out of every cache; turns a service's error into the page that explains it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer; HTML is personal and never stored."""
        answer = self.get_response(request)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            answer.headers["Cache-Control"] = "no-store"
        return answer

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page of an error that a service raised; others stay crashes."""
        return problem(request, error) if isinstance(error, KeepsakeError) else None
