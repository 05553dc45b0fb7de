"""Erasing everything, and closing the login: what goes, words to type, who it is once more, the receipt."""

import unicodedata
import uuid
from collections.abc import Mapping
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts import audit
from accounts.logins import ZONE, agent_names, subjects_of, zone_named
from accounts.subjects import person
from dashboard import words
from dashboard.navigation import names_of
from dashboard.pages import page, then
from dashboard.people import CHOSEN, PersonRequest, current, person_view
from dashboard.views.erasures import as_file, shown
from memory.errors import NotFound
from memory.forget.leaving import leave
from memory.forget.notices import told
from memory.forget.reach import steps_of, whole_reach
from memory.forget.receipt import kept_by, receipt, token_for
from memory.forget.requests import erase_by_hand

# What has to be typed, in either language whatever the page is in.
ERASE_ALL = ("清除全部", "erase all")
DELETE_ACCOUNT = ("删除账号", "delete account")


@require_http_methods(["GET", "POST"])
@person_view
def erase_all(request: PersonRequest) -> HttpResponse:
    """Say what goes with everything, and erase it."""
    if request.method != "POST":
        return _ask(request)
    if request.POST.get("person") != str(request.principal.person_id):
        return _ask(request, person=_("Another person is shown now. Nothing was erased."))
    if not _typed(request, ERASE_ALL):
        return _ask(request, phrase=_("This is not what is to be typed. Nothing was erased."))
    answer: HttpResponse = _erase_all(request)
    return answer


def _ask(request: PersonRequest, **errors: str) -> HttpResponse:
    context = {
        "reach": whole_reach(request.principal),
        "person": request.principal.person_id,
        "held": words.HOLDS.get(request.person.subject.hold_reason, ""),
        "name": names_of([request.person.subject, *request.person.others])[0][1],
        "others": bool(request.person.others),
        "phrase": request.POST.get("phrase", ""),
        "errors": errors,
    }
    return page(request, "erase_all.html", context, status=422 if errors else 200)


def _typed(request: HttpRequest, phrases: tuple[str, ...]) -> bool:
    given = unicodedata.normalize("NFKC", request.POST.get("phrase", "")).casefold()
    return " ".join(given.split()) in phrases


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth ships no types
def _erase_all(request: PersonRequest) -> HttpResponse:
    erasure = erase_by_hand(request.principal, anew=True)
    request.session.pop(CHOSEN, None)
    say = _("Erasing has begun. No agent can use it, and it can't be brought back.")
    return then(request, say, "ended", token_for([erasure]))


@require_http_methods(["GET", "POST"])
@login_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Say what becomes of each person of the login, erase them all and close it."""
    if request.method != "POST":
        return _ask_to_leave(request)
    if not _typed(request, DELETE_ACCOUNT):
        wrong = _("This is not what is to be typed. Nothing was erased.")
        return _ask_to_leave(request, phrase=wrong)
    answer: HttpResponse = _delete_account(request)
    return answer


def _ask_to_leave(request: HttpRequest, **errors: str) -> HttpResponse:
    subjects = subjects_of(_id(request))
    address = audit.shorten(request.META.get("REMOTE_ADDR", ""))
    reaches = [whole_reach(person(one, address=address)) for one in subjects]
    named = [name for _id, name in names_of(subjects)]
    context = {
        "persons": list(zip(named, reaches, strict=True)),
        "held": next((words.HOLDS[one.hold_reason] for one in subjects if one.hold_reason), ""),
        "operator": request.user.is_staff,
        "phrase": request.POST.get("phrase", ""),
        "errors": errors,
    }
    return page(request, "delete_account.html", context, status=422 if errors else 200)


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth ships no types
def _delete_account(request: HttpRequest) -> HttpResponse:
    erased = leave(_id(request), address=audit.shorten(request.META.get("REMOTE_ADDR", "")))
    logout(request)
    say = _("Your login is closed. You are signed out everywhere.")
    return then(request, say, "ended", token_for(erased))


def _id(request: HttpRequest) -> uuid.UUID:
    assert request.user.is_authenticated
    return request.user.id


@require_GET
def ended(request: HttpRequest, token: str) -> HttpResponse:
    """Show how far the erasure of everything is, to whoever has the address; ``progress`` is polled.

    Who is signed in reads the names of their agents and their own time, others their browser's time.
    """
    mine = current(request)
    names = agent_names(mine.principal) if mine else {}
    found = [_shown(one, names) for one in kept_by(token)]
    context = {
        "erasures": found,
        "token": token,
        "running": any(one["running"] for one in found),
    }
    zone = mine.zone if mine else zone_named(request.COOKIES.get(ZONE, "UTC"))
    with timezone.override(zone):
        return page(request, "ended.html", context, part="progress")


def _shown(erasure: Any, names: Mapping[uuid.UUID, str]) -> dict[str, Any]:
    rows = steps_of(erasure)
    copies = [(one, names.get(one.agent_id, "") if one.agent_id else "") for one in told(erasure)]
    more = {"receipt": receipt(erasure), "receipt_steps": rows, "copies": copies}
    return shown(erasure, rows, names) | more


@require_GET
def ended_receipt(request: HttpRequest, token: str, erasure_id: uuid.UUID) -> HttpResponse:  # noqa: ARG001 - Django names it
    """Hand over the receipt of one of them as a file."""
    for one in kept_by(token):
        if one.id == erasure_id:
            return as_file(one)
    raise NotFound
