"""The page of a new installation: the first operator, once, by the token that lies on the server."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import first_run
from accounts.charge import BadLogin
from accounts.devices import sign_in
from dashboard.pages import page

FIELDS = ("token", "email", "password", "tenant", "agent")


@sensitive_post_parameters("password", "token")
@require_http_methods(["GET", "POST"])
def show(request: HttpRequest) -> HttpResponse:
    """Ask for the first operator and what they begin with; make it, and show the agent's key once."""
    if not first_run.is_open():
        raise Http404
    if request.method != "POST":
        return page(request, "setup.html", {"token": request.GET.get("token", "")})
    given = {name: request.POST.get(name, "") for name in FIELDS}
    try:
        made = first_run.begin(**given)
    except first_run.AlreadyBegun:
        raise Http404 from None
    except BadLogin as fault:
        given.pop("password")
        errors = {fault.field.removesuffix("_taken").replace("taken", "email"): _say(fault)}
        return page(request, "setup.html", given | {"errors": errors}, status=422)
    sign_in(request, made.user)
    context: dict[str, Any] = {"made": made}
    return page(request, "setup_done.html", context)


def _say(fault: BadLogin) -> str:
    words = {
        "token": _("This is not the token. It stands in the file setup.token on the server."),
        "email": _("Write an e-mail address."),
        "taken": _("There is a login with this address."),
        "tenant": _("Write a name of up to 200 characters."),
        "agent": _("Write a name of up to 200 characters."),
        "tenant_taken": _("There is an organisation of this name already."),
    }
    return " ".join(fault.why) or words[fault.field]
