"""The page behind a one-time link: somebody takes charge of what is remembered about them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.charge import BadLogin, take_charge_anew, who_asks
from accounts.devices import sign_in
from accounts.links import LinkRefused, find_link, redeem
from dashboard.pages import page, then
from dashboard.people import choose


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def show(request: HttpRequest, secret: str) -> HttpResponse:
    """Say who asks; let a signed-in person take charge, or make a login that does."""
    link = find_link(secret)
    if link is None:
        return _no_longer(request)
    context: dict[str, Any] = {"secret": secret, "asker": who_asks(link), "until": link.expires_at}
    if request.method != "POST":
        return page(request, "link.html", context)
    try:
        return _take(request, secret)
    except LinkRefused:
        return _no_longer(request)
    except BadLogin as fault:
        field = "email" if fault.field == "taken" else fault.field
        context |= {"email": request.POST.get("email", ""), "errors": {field: _say(fault)}}
        return page(request, "link.html", context, status=422)


def _take(request: HttpRequest, secret: str) -> HttpResponse:
    if request.user.is_authenticated:
        subject = redeem(secret, request.user)
    else:
        email, password = request.POST.get("email", ""), request.POST.get("password", "")
        user, subject = take_charge_anew(secret, email=email, password=password)
        sign_in(request, user)
    choose(request, subject.id)
    say = _("You are in charge now. What you change here holds for every agent at once.")
    return then(request, say, "overview")


def _say(fault: BadLogin) -> str:
    if fault.field == "taken":
        return _("There is a login with this address. Sign in with it, then open the link again.")
    return " ".join(fault.why) or _("Write an e-mail address.")


def _no_longer(request: HttpRequest) -> HttpResponse:
    """Unknown, used and too old links give the same page."""
    context = {
        "title": _("This link is no longer good"),
        "text": _("It works once, and only for a time. Ask whoever gave it to you for a new one."),
    }
    return page(request, "problem.html", context, status=404)
