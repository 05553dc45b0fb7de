"""Let the operator look: by the person's leave, as far and as long as they say, stopped at once."""

import uuid
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts import looks
from accounts.principal import ALL_KINDS
from dashboard.granting import Option
from dashboard.pages import page, then
from dashboard.people import PersonRequest, person_view
from dashboard.shown import row
from dashboard.support import shown
from dashboard.words import KINDS, LEVEL_WORDS, Words
from memory.recall.listing import open_memory
from memory.recall.looking import let_look

EVERYTHING = "all"
UNTIL: Mapping[str, Words] = {
    "hour": gettext_lazy("for one hour"),
    "today": gettext_lazy("until the end of today"),
    "days": gettext_lazy("for 3 days"),
}


@require_http_methods(["GET", "POST"])
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show who may look and who looked; let the operator look."""
    if request.method != "POST":
        return _page(request)
    what, level = request.POST.get("what", ""), request.POST.get("level", "")
    until, memory_id = request.POST.get("until", ""), _memory(request.POST.get("memory", ""))
    one = what == "one" and memory_id is not None
    known = (what in (EVERYTHING, *KINDS) and level in map(str, LEVEL_WORDS)) or one
    if not known or until not in UNTIL:
        return _page(request, error=_("Choose one of the options shown."))
    look = let_look(
        request.principal,
        clearance=0 if one else int(level),
        kinds=frozenset({what}) if what in KINDS else ALL_KINDS,
        until=_end(until),
        memory_id=memory_id if one else None,
    )
    say = _("Saved. The operator can look until %(time)s. Each look is shown to you.")
    return then(request, say % {"time": shown(look)["until"]}, "support-access")


@require_POST
@person_view
def stop(request: PersonRequest, look_id: uuid.UUID) -> HttpResponse:
    """End a look at once."""
    try:
        looks.end(request.principal, look_id)
    except looks.NoLook:
        return then(request, _("It had ended already."), "support-access")
    return then(request, _("Stopped. The operator can look no more."), "support-access")


def _page(request: PersonRequest, *, error: str = "") -> HttpResponse:
    asked = _memory(request.GET.get("memory", "") or request.POST.get("memory", ""))
    one = row(open_memory(request.principal, asked), {}) if asked else None
    chosen = request.POST.get("what", "one" if one else EVERYTHING)
    whats: dict[str, Words] = {EVERYTHING: _("Everything"), **KINDS}
    if one:
        whats = {"one": _("Only this memory"), **whats}
    found = [shown(look) for look in looks.told(request.principal)]
    context: dict[str, Any] = {
        "row": one,
        "open": [look for look in found if look["open"]],
        "past": [look for look in found if not look["open"]],
        "whats": [Option(value=v, words=w, chosen=v == chosen) for v, w in whats.items()],
        "levels": [
            Option(value=str(n), words=w, chosen=str(n) == request.POST.get("level", "20"))
            for n, w in LEVEL_WORDS.items()
        ],
        "untils": UNTIL.items(),
        "break_glass": looks.may_break_glass(request.principal),
        "error": error,
    }
    return page(request, "support.html", context, status=422 if error else 200)


def _memory(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _end(until: str) -> datetime:
    now = timezone.localtime()
    if until == "hour":
        return now + timedelta(hours=1)
    if until == "days":
        return now + timedelta(days=3)
    return timezone.make_aware(datetime.combine(now.date() + timedelta(days=1), time.min))
