"""The account: language, looks, time zone, devices, keys; and which of a login's persons is shown."""

import uuid
from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import preferences
from accounts.choices import Theme
from accounts.devices import devices as devices_of
from accounts.devices import sign_out_elsewhere
from accounts.grants import NoGrant
from accounts.logins import save_language, save_looks
from accounts.person_keys import BadKey, make_key, own_keys, revoke_own_key
from accounts.preferences import BadPreference
from dashboard.granting import Option
from dashboard.pages import page, then
from dashboard.people import PersonRequest, choose, current, person_view
from dashboard.signin import asked_again, keep_language
from dashboard.words import Words
from memory.errors import NotFound

THEMES: Mapping[str, tuple[Words, Words]] = {
    Theme.SYSTEM: (gettext_lazy("As your device does"), ""),
    Theme.LIGHT: (gettext_lazy("Light"), ""),
    Theme.DARK: (gettext_lazy("Dark"), ""),
}
LIVES: Mapping[int, Words] = {
    30: gettext_lazy("30 days"),
    90: gettext_lazy("90 days"),
    365: gettext_lazy("a year"),
}


@require_GET
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """Show what belongs to the login, whoever's memories it looks at."""
    return _show(request)


def _show(request: HttpRequest, *, error: str = "", zone: str = "") -> HttpResponse:
    person, user = current(request), cast(Any, request.user)
    chosen = person.subject.time_zone if person else ""
    context = {
        "themes": [
            Option(value=value, words=said, hint=hint, chosen=value == user.theme)
            for value, (said, hint) in THEMES.items()
        ],
        "single_keys": user.single_keys,
        "person": person,
        "zone": zone or ("" if chosen == "UTC" else chosen),
        "shown_zone": person.zone.key if person else "",
        "zones": preferences.time_zones(),
        "error": error,
    }
    return page(request, "account.html", context, status=422 if error else 200)


@require_POST
@login_required
def looks(request: HttpRequest) -> HttpResponse:
    """Choose light or dark, and whether letters press buttons."""
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        return _show(request, error=_("Choose one of the options shown."))
    user_id = cast(Any, request.user).id
    save_looks(user_id, theme=Theme(theme), single_keys="keys" in request.POST)
    return then(request, _("Saved. The pages look like this from now on."), "account")


@require_POST
@person_view
def zone(request: PersonRequest) -> HttpResponse:
    """Choose the time zone."""
    chosen = request.POST.get("zone", "").strip() or "UTC"
    try:
        preferences.set_time_zone(request.principal, chosen)
    except BadPreference:
        error = _("There is no such time zone. Choose one of the list.")
        return _show(request, error=error, zone=chosen)
    return then(request, _("Saved. Times are shown in this zone from now on."), "account")


@require_GET
@login_required
def devices(request: HttpRequest) -> HttpResponse:
    """Show where the login is signed in."""
    return page(request, "devices.html", {"devices": devices_of(request)})


@require_POST
@login_required
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out everywhere but here."""
    sign_out_elsewhere(request)
    return then(request, _("Done. You are signed in here only."), "account-devices")


@require_GET
@person_view
def keys(request: PersonRequest) -> HttpResponse:
    """Show the person's own keys."""
    return page(request, "person_keys.html", {"keys": own_keys(request.principal)})


@require_http_methods(["GET", "POST"])
@person_view
@asked_again
def new_key(request: PersonRequest) -> HttpResponse:
    """Make a key of the person's own, shown this once."""
    if request.method != "POST":
        return page(request, "person_key.html", {"lives": LIVES.items()})
    label, days = request.POST.get("label", "").strip(), request.POST.get("days", "")
    try:
        secret = make_key(request.principal, label=label, days=int(days) if days.isdecimal() else 0)
    except BadKey:
        error = _("Give it a name of up to 100 characters, and choose how long it lasts.")
        context = {"lives": LIVES.items(), "error": error, "label": label}
        return page(request, "person_key.html", context, status=422)
    return page(request, "person_key.html", {"secret": secret})


@require_POST
@person_view
def revoke_key(request: PersonRequest, key_id: uuid.UUID) -> HttpResponse:
    """Revoke one of the person's own keys."""
    try:
        revoke_own_key(request.principal, key_id)
    except NoGrant:
        raise NotFound from None
    say = _("Revoked. Whoever presents this key is refused from now on.")
    return then(request, say, "account-keys")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Read in another language from now on, in this browser and with this login."""
    code, to = request.POST.get("language", ""), request.POST.get("next", "/")
    ours = url_has_allowed_host_and_scheme(to, {request.get_host()}, request.is_secure())
    if not (ours and to.startswith("/")):
        to = "/"
    answer = redirect(to)
    if code in dict(settings.LANGUAGES):
        keep_language(answer, code)
        if request.user.is_authenticated:
            save_language(request.user.id, code)
    return answer


@require_POST
@login_required
def person(request: HttpRequest) -> HttpResponse:
    """Look at another person of this login."""
    try:
        chosen = uuid.UUID(request.POST.get("person", ""))
    except ValueError:
        raise Http404 from None
    if not choose(request, chosen):
        raise Http404
    return redirect("overview")
