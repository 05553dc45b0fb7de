"""Whose memories a signed-in person looks at, and the decorator every page of theirs wears."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate
from zoneinfo import ZoneInfo

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts import audit
from accounts.first_run import is_fresh
from accounts.logins import ZONE, subjects_of, zone_of
from accounts.principal import Principal
from accounts.subjects import person
from accounts.visits import note_visit
from dashboard.pages import page
from dashboard.shown import withholding
from memory.anew import read_anew
from memory.policy import LOOK

CHOSEN = "person"  # the session's key of the person shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The person shown now: their principal, their names for the switcher, their switches.

    ``subject`` is their row; ``others`` are the rows of the same login.
    """

    principal: Principal
    subject: Any
    others: Sequence[Any]
    zone: ZoneInfo


class PersonRequest(HttpRequest):
    """A request of a signed-in person whose memories are known."""

    person: Person
    principal: Principal
    htmx: HtmxDetails


def current(request: HttpRequest) -> Person | None:
    """Return the person the login looks at, or None: nobody signed in, or no person linked."""
    if not request.user.is_authenticated:
        return None
    found: Person | None = getattr(request, "person", None)
    return found or _find(request, request.user.id)


def _find(request: HttpRequest, user_id: uuid.UUID) -> Person | None:
    subjects = subjects_of(user_id)
    if not subjects:
        return None
    chosen = request.session.get(CHOSEN)
    subject = next((one for one in subjects if str(one.id) == chosen), subjects[0])
    address = audit.shorten(request.META.get("REMOTE_ADDR", ""))
    return Person(
        principal=person(subject, address=address),
        subject=subject,
        others=[one for one in subjects if one.id != subject.id],
        zone=zone_of(subject, request.COOKIES.get(ZONE, "UTC")),
    )


def choose(request: HttpRequest, subject_id: uuid.UUID) -> bool:
    """Look at another person of the same login from now on; False if they are not theirs."""
    mine = request.user.is_authenticated and subjects_of(request.user.id)
    if not mine or all(one.id != subject_id for one in mine):
        return False
    request.session[CHOSEN] = str(subject_id)
    return True


def person_view[**P](
    view: Callable[Concatenate[PersonRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let a signed-in person in, with ``request.principal``, and show times in their zone.

    Nobody signed in: to the sign-in page. No person linked to the login: a page that says so. What
    meets a memory that is erased meanwhile is done again.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return _to_login(request)
        person = current(request)
        if person is None:
            return page(request, "no_person.html")
        request.person = person  # type: ignore[attr-defined]  # PersonRequest from here on
        request.principal = person.principal  # type: ignore[attr-defined]
        note_visit(person.subject, pause=LOOK.visit)
        hides = person.subject.hide_sensitive

        def answer() -> HttpResponse:
            return view(request, *args, **kwargs)  # type: ignore[arg-type]  # see above

        with timezone.override(person.zone), withholding(on=hides):
            return read_anew(answer)

    return wrapped  # type: ignore[return-value]  # its argument may be given by position only


def _to_login(request: HttpRequest) -> HttpResponse:
    if request.path == "/" and is_fresh():
        return redirect("setup")
    answer = redirect_to_login(request.get_full_path() if request.method == "GET" else "/")
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(answer.url)
    return answer
