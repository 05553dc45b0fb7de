"""Forget, undo, erase: each says what it reaches before, and what agents can do after."""

import uuid
from datetime import datetime, timedelta
from math import ceil

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.logins import agent_names
from dashboard.pages import page, then, wants_part
from dashboard.people import PersonRequest, person_view
from dashboard.shown import row, rows
from dashboard.templatetags.keepsake import time_of
from dashboard.views.memory import one_row
from memory.choices import State
from memory.errors import Gone, StaleState
from memory.forget.moves import standing
from memory.forget.reach import erasure_of, forgotten, reach
from memory.policy import LOOK
from memory.recall.listing import open_memory
from memory.reviews.forgetting import erase_now, forget, take_back


@require_http_methods(["GET", "POST"])
@person_view
def ask(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Ask how to forget, and do it."""
    if request.method == "POST":
        return _forget(request, memory_id)
    return _ask(request, memory_id, "forget.html")


def _ask(request: PersonRequest, memory_id: uuid.UUID, template: str) -> HttpResponse:
    found = reach(request.principal, memory_id)
    names = agent_names(request.principal)
    minutes = request.person.subject.undo_minutes
    context = {
        "row": row(found.opened, names, reveal=True),
        "reach": found,
        "single": found.opened.memory.single,
        "siblings": rows(found.siblings, names),
        "minutes": minutes,
        "undo_until": timezone.now() + timedelta(minutes=minutes),
    }
    return page(request, template, context)


def _forget(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    never_again = request.POST.get("never_again") == "1"
    if request.POST.get("when") == "now":
        return _erase(request, memory_id, never_again=never_again)
    memory = forget(request.principal, memory_id, never_again=never_again)
    if memory.undo_until is None or memory.undo_until <= timezone.now():
        say, again = _("Forgotten. No agent can use it now, and its erasure begins."), ""
    else:
        say = _("Forgotten. No agent can use it now. You can undo until %(time)s.")
        say, again = say % {"time": time_of(memory.undo_until)}, _after(memory.undo_until)
    if not wants_part(request):
        return then(request, say, "forgotten")
    context = {"id": memory.id, "anchor": f"m{memory.id}", "say": say, "look_again": again}
    return page(request, "parts/memory_row.html", context, part="gone")


def _after(until: datetime) -> str:
    """Return when a page looks again, so that it offers no undo that is over; as htmx writes it."""
    return f"{ceil((until - timezone.now()).total_seconds()) + 1}s"


@require_http_methods(["GET", "POST"])
@person_view
def erase(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Ask once more, and erase."""
    if request.method == "POST":
        return _erase(request, memory_id, never_again=request.POST.get("never_again") == "1")
    return _ask(request, memory_id, "erase.html")


def _erase(request: PersonRequest, memory_id: uuid.UUID, *, never_again: bool) -> HttpResponse:
    erasure = erase_now(request.principal, memory_id, never_again=never_again)
    say = _("Erasing has begun. No agent can use it, and it can't be brought back.")
    return then(request, say, "erasure", erasure.id)


@require_http_methods(["GET", "POST"])
@person_view
def undo(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Take a forgetting back, or say that it is too late; to GET, say whether it is."""
    if request.method != "POST":
        return _is_over(request, memory_id)
    try:
        take_back(request.principal, memory_id)
    except Gone:
        return _too_late(request, memory_id)
    except StaleState:
        return _not_undone(request, memory_id)
    say = _("It is back. Agents can use it as before.")
    if not wants_part(request):
        return then(request, say, "memory", memory_id)
    return one_row(request, memory_id, say)


def _is_over(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Say in the row's place that there is no undo any more; 204 while there is one."""
    try:
        memory = standing(request.principal, memory_id)
    except Gone:
        return _too_late(request, memory_id, quiet=True)
    if memory.state != State.FORGOTTEN or timezone.now() < (memory.undo_until or timezone.now()):
        return HttpResponse(status=204) if wants_part(request) else redirect("memory", memory_id)
    return page(request, "too_late.html", {"quiet": True}, part="part")


def _too_late(request: PersonRequest, memory_id: uuid.UUID, *, quiet: bool = False) -> HttpResponse:
    context = {"erasure": erasure_of(request.principal, memory_id), "quiet": quiet}
    return page(request, "too_late.html", context, part="part", status=200 if quiet else 410)


def _not_undone(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """The window is over and the erasure about to begin, or another memory took its place."""
    memory = open_memory(request.principal, memory_id).memory
    over = memory.undo_until is not None and memory.undo_until <= timezone.now()
    return page(request, "too_late.html", {"rival": not over}, part="part", status=409)


@require_GET
@person_view
def recently(request: PersonRequest) -> HttpResponse:
    """List what was forgotten and can still be taken back."""
    names = agent_names(request.principal)
    found = forgotten(request.principal)
    groups = [
        {
            "until": one.until,
            "number": one.number,
            "rows": rows(one.first[: LOOK.preview], names),
            "rest": rows(one.first[LOOK.preview :], names),
            "more": one.number - len(one.first),
        }
        for one in found
    ]
    context = {"groups": groups, "look_again": _after(found[0].until) if found else ""}
    return page(request, "forgotten.html", context, part="found")
