"""Connecting an agent: what it needs, what to copy, and whether it has called yet."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from accounts.calls import Refusal, calls_after, last_call, last_line, refused_after
from accounts.principal import Principal
from dashboard.connecting import examples
from dashboard.pages import page
from dashboard.people import PersonRequest, current, person_view
from dashboard.words import Words

SOMEBODY = "alice"
REFUSED: Mapping[Refusal, Words] = {
    Refusal.FORBIDDEN: _("was refused: it may not do that. Change what it may do under Agents."),
    Refusal.NOT_FOUND: _(
        "was refused: it named something that is not here. Compare the user_id and the ids it sends."
    ),
    Refusal.SOMEBODY_ELSE: _(
        "called about somebody else. Compare the user_id it sends with the one above."
    ),
    Refusal.KEY: _("was refused: its key is revoked or has expired. Give it a new one."),
}
LONGEST = 18  # digits of a line's number


@require_GET
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """Say what an agent needs; to an operator without memories of their own, about somebody."""
    person = current(request)
    api = f"{settings.PUBLIC_URL}/api/v1"
    user_id = person.subject.external_id if person else SOMEBODY
    context: dict[str, Any] = {"api": api, "user_id": user_id, "examples": examples(api, user_id)}
    if person is None:
        return page(request, "connect.html", context)
    given = _number(request, "after")
    after = last_line(person.principal) if given is None else given
    with timezone.override(person.zone):
        found = _calls(person.principal, after)
        return page(request, "connect.html", context | found | _before(person.principal, found))


@require_GET
@person_view
def calls(request: PersonRequest) -> HttpResponse:
    """Show who has called since a line of the log; 204 if the page has it already."""
    found = _calls(request.principal, _number(request, "after") or 0)
    if found["seen"] == _number(request, "seen"):
        return HttpResponse(status=204)
    found |= _before(request.principal, found)
    return page(request, "connect.html", found, part="calls")


def _calls(principal: Principal, after: int) -> dict[str, Any]:
    found, refused = calls_after(principal, after), refused_after(principal, after)
    return {
        "after": after,
        "calls": found,
        "refused": [(one, REFUSED[one.why]) for one in refused],
        "seen": max((one.line for one in found), default=after) + sum(one.mark for one in refused),
        "waiting": not any(one.read_at and one.wrote_at for one in found),
    }


def _before(principal: Principal, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return who called last, where nobody has called since the page was opened."""
    return {"last": None if found["calls"] else last_call(principal)}


def _number(request: HttpRequest, name: str) -> int | None:
    given = request.GET.get(name, "")
    return int(given) if given.isdecimal() and len(given) <= LONGEST else None
