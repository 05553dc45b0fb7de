"""Pages that say what did not happen, what is still true, and what to do.

An erased, a foreign and an unknown address give the same page, so that addresses tell nothing.
"""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts import audit
from accounts.acting import acting
from dashboard.pages import page
from dashboard.people import current
from memory.errors import Forbidden, Gone, KeepsakeError, NotFound


def problem(request: HttpRequest, error: KeepsakeError) -> HttpResponse:
    """Return the page of a service's error."""
    if isinstance(error, (NotFound, Gone)):
        _note_denial(request, error)
        return not_found(request)
    if isinstance(error, Forbidden):
        _note_denial(request, error)
        return forbidden(request)
    if error.status in (HTTPStatus.CONFLICT, HTTPStatus.PRECONDITION_FAILED):
        title = _("This has changed meanwhile")
        text = _("It was changed in another window or by an agent. Nothing was changed now.")
    elif error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        title = _("This does not work right now")
        text = _("A part of this server does not answer. Nothing was changed. Try again soon.")
    else:
        title = _("This was not understood")
        text = _("The address or the form was incomplete. Nothing was changed.")
    return _show(request, title, text, status=error.status)


def not_found(request: HttpRequest, exception: object = None) -> HttpResponse:  # noqa: ARG001 - Django names it
    """Return the one page for what is not here, whatever the reason."""
    title = _("This isn't here")
    text = _("It may have been erased, or the address is wrong.")
    return _show(request, title, text, status=404)


def forbidden(request: HttpRequest, exception: object = None) -> HttpResponse:  # noqa: ARG001 - Django names it
    """Return the page for what is not allowed."""
    title = _("You can't do this here")
    text = _("Nothing was changed.")
    return _show(request, title, text, status=403)


def bad_request(request: HttpRequest, exception: object = None) -> HttpResponse:  # noqa: ARG001 - Django names it
    """Return the page for a request that makes no sense."""
    title = _("This was not understood")
    text = _("The address or the form was incomplete. Nothing was changed.")
    return _show(request, title, text, status=400)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django names it
    """Return the page for a form that did not come from this browser's page (CSRF)."""
    title = _("This page was open for too long")
    text = _("Nothing was changed. Go back, load the page again, and repeat.")
    return _show(request, title, text, status=403)


def _show(request: HttpRequest, title: str, text: str, *, status: int) -> HttpResponse:
    context = {"title": title, "text": text}
    return page(request, "problem.html", context, part="part", status=status)


def _note_denial(request: HttpRequest, error: KeepsakeError) -> None:
    """Record a refused access; what the person's own page refused was asked for by address."""
    person = current(request) if hasattr(request, "user") else None
    if person is not None:
        with acting(person.principal):
            audit.denied(person.principal, reason=error.code, subject_id=person.subject.id)
