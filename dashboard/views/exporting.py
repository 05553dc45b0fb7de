"""Export: everything kept about the person as one JSON file, after the password is asked again."""

from allauth.core import ratelimit
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from memory.transfer.export import export


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Say what the file holds; hand it over."""
    if request.method != "POST":
        return page(request, "export.html")
    if not ratelimit.consume(request, action="reauthenticate", user=request.user):
        error = _("Too many tries. Wait a few minutes, then try again.")
        return page(request, "export.html", {"error": error}, status=429)
    if not request.user.check_password(request.POST.get("password", "")):
        error = _("This is not your password. Nothing was exported.")
        return page(request, "export.html", {"error": error}, status=422)
    return _download(request)  # type: ignore[return-value]  # a stream is an answer too


def _download(request: PersonRequest) -> HttpResponseBase:
    answer = StreamingHttpResponse(export(request.principal), content_type="application/json")
    name = f"keepsake-{timezone.localdate():%Y-%m-%d}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer
