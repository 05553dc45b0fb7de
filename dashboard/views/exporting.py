"""Export: everything kept about the person as a file, after the password is asked again."""

from typing import Any

from allauth.core import ratelimit
from django.http import HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.logins import agent_names
from dashboard.granting import Option
from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from dashboard.picked import meant_by
from dashboard.views.memories import known
from memory.errors import InvalidInput
from memory.recall.listing import list_memories
from memory.recall.selecting import Selection
from memory.transfer.package import Form, Package, package

FORMS = {
    Form.JSON: (
        gettext_lazy("JSON"),
        gettext_lazy("Complete. It can be brought back in."),
    ),
    Form.MARKDOWN: (gettext_lazy("Markdown"), gettext_lazy("To read: what holds now, as lists.")),
    Form.CSV: (gettext_lazy("CSV"), gettext_lazy("For a spreadsheet: one row for each memory.")),
    Form.ZIP: (gettext_lazy("All of these"), gettext_lazy("In one zip, with a list of its files.")),
}


@sensitive_post_parameters("password", "passphrase", "again")
@require_http_methods(["GET", "POST"])
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Say what the file holds; hand it over."""
    if request.method != "POST":
        return _page(request)
    mark = request.POST.get("picked", "")
    form = request.POST.get("format", Form.JSON.value)
    if form not in Form:
        return _page(request, 422, format=_("Choose one of the options shown."))
    if not ratelimit.consume(request, action="reauthenticate", user=request.user):
        return _page(
            request, 429, password=_("Too many tries. Wait a few minutes, then try again.")
        )
    if not request.user.check_password(request.POST.get("password", "")):
        wrong = _("This is not your password. Nothing was exported.")
        return _page(request, 422, password=wrong)
    passphrase = request.POST.get("passphrase", "")
    if passphrase != request.POST.get("again", ""):
        return _page(request, 422, again=_("The two passphrases differ. Nothing was exported."))
    try:
        selection = _meant(request, mark) if mark else None
        made = package(request.principal, Form(form), passphrase=passphrase, selection=selection)
    except InvalidInput:
        short = _("Too short: at least 8 characters. Nothing was exported.")
        return _page(request, 422, passphrase=short)
    return _download(made)


def ask_for(request: PersonRequest, mark: str) -> HttpResponse:
    """Show the form for what was picked in the list."""
    return _page(request, picked=mark)


def _meant(request: PersonRequest, mark: str) -> Selection:
    return meant_by(mark, known(request, {}, agent_names(request.principal)))


def _page(
    request: PersonRequest, status: int = 200, *, picked: str = "", **errors: str
) -> HttpResponse:
    picked = picked or request.POST.get("picked", "")
    chosen = request.POST.get("format", Form.JSON.value)
    options = [
        Option(value=form, words=words, hint=hint, chosen=form == chosen)
        for form, (words, hint) in FORMS.items()
    ]
    context: dict[str, Any] = {"errors": errors, "formats": options, "picked": picked}
    if picked:
        selection = _meant(request, picked)
        context["number"] = list_memories(
            request.principal, selection=selection, limit=1, cursor=None
        ).total
    return page(request, "export.html", context, status=status)


def _download(made: Package) -> HttpResponse:
    answer = StreamingHttpResponse(made.pieces, content_type=made.media_type)
    name = f"keepsake-{timezone.localdate():%Y-%m-%d}.{made.suffix}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer  # type: ignore[return-value]  # a stream is an answer too
