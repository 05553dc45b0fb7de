"""Help: how memory works here, on one page; it says the same to everybody."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from dashboard.guide import guide
from dashboard.pages import page


@require_GET
def show(request: HttpRequest) -> HttpResponse:
    """Show the guide for the person."""
    return page(request, "help.html", {"guide": guide(get_language() or "")})
