"""Many memories at once: picked in the list, looked at once more, then changed together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.logins import agent_names
from dashboard.pages import page, refuse, then
from dashboard.people import PersonRequest, person_view
from dashboard.picked import mark_these, meant_by, read_ids
from dashboard.shown import rows
from dashboard.templatetags.keepsake import time_of
from dashboard.views import exporting
from dashboard.views.memories import known
from dashboard.words import Words, sentences
from memory.errors import InvalidInput, NotFound, StaleState
from memory.forget.reach import forgotten
from memory.recall.selecting import Selection
from memory.reviews.many import Act, Done, change, erase_together, plan, take_back_together

EXPORT = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """The words of one act: its title, what it does to agents, its button and icon, what was done."""

    title: Callable[[int], str]
    effect: Words
    button: Words
    icon: str
    done: Callable[[int], str]


SAYINGS: Mapping[Act, Saying] = {
    Act.PAUSE: Saying(
        title=lambda n: ngettext("Pause %(n)s memory?", "Pause %(n)s memories?", n) % {"n": n},
        effect=gettext_lazy("They are kept. No agent can use them until you use them again."),
        button=gettext_lazy("Pause"),
        icon="icons/pause.svg",
        done=lambda n: (
            ngettext(
                "Paused %(n)s memory. No agent can use it now.",
                "Paused %(n)s memories. No agent can use them now.",
                n,
            )
            % {"n": n}
        ),
    ),
    Act.RESUME: Saying(
        title=lambda n: (
            ngettext("Use %(n)s memory again?", "Use %(n)s memories again?", n) % {"n": n}
        ),
        effect=gettext_lazy("Agents you allow can use them from now on."),
        button=gettext_lazy("Use again"),
        icon="icons/play.svg",
        done=lambda n: (
            ngettext(
                "%(n)s memory is in use again. Agents you allow can use it.",
                "%(n)s memories are in use again. Agents you allow can use them.",
                n,
            )
            % {"n": n}
        ),
    ),
    Act.FORGET: Saying(
        title=lambda n: ngettext("Forget %(n)s memory?", "Forget %(n)s memories?", n) % {"n": n},
        effect=gettext_lazy(
            "No agent can use them from now on. You can undo all of them together for a while; then they are erased, with the messages they came from."
        ),
        button=gettext_lazy("Forget"),
        icon="icons/trash-2.svg",
        done=lambda n: (
            ngettext(
                "Forgot %(n)s memory. No agent can use it now.",
                "Forgot %(n)s memories. No agent can use them now.",
                n,
            )
            % {"n": n}
        ),
    ),
    Act.SENSITIVE: Saying(
        title=lambda n: (
            ngettext("Mark %(n)s memory as sensitive?", "Mark %(n)s memories as sensitive?", n)
            % {"n": n}
        ),
        effect=gettext_lazy(
            "Only agents that you let see sensitive memories can use them, and lists do not show their words."
        ),
        button=gettext_lazy("Mark sensitive"),
        icon="icons/shield.svg",
        done=lambda n: (
            ngettext(
                "%(n)s memory is sensitive now. Only agents you let see that can use it.",
                "%(n)s memories are sensitive now. Only agents you let see that can use them.",
                n,
            )
            % {"n": n}
        ),
    ),
    Act.ORDINARY: Saying(
        title=lambda n: (
            ngettext(
                "Mark %(n)s memory as not sensitive?", "Mark %(n)s memories as not sensitive?", n
            )
            % {"n": n}
        ),
        effect=gettext_lazy("Agents that may see personal memories can use them from now on."),
        button=gettext_lazy("Not sensitive"),
        icon="icons/user.svg",
        done=lambda n: (
            ngettext(
                "%(n)s memory is personal now, no longer sensitive.",
                "%(n)s memories are personal now, no longer sensitive.",
                n,
            )
            % {"n": n}
        ),
    ),
}


@require_http_methods(["GET", "POST"])
@person_view
def ask(request: PersonRequest) -> HttpResponse:
    """Show what an act would do to what was picked; exporting asks on its own page."""
    if request.method != "POST":
        return redirect("memories")
    ids = read_ids(one for one in request.POST.getlist("ids") if one)
    mark = request.POST.get("all") or (mark_these(ids) if ids else "")
    if not mark:
        none = _("Nothing was picked. Tick the memories that are meant.")
        return refuse(request, none, "memories")
    if request.POST.get("act") == EXPORT:
        return exporting.ask_for(request, mark)
    return _ask(request, mark, _act(request))


def _ask(request: PersonRequest, mark: str, act: Act, *, missing: bool = False) -> HttpResponse:
    """Show the plan; ``missing``: it was sent without the tick that sensitive ones need."""
    found = plan(request.principal, _meant(request, mark), act)
    certain = found.concerned - found.sensitive or found.concerned
    missing = missing and 0 < found.sensitive == found.concerned
    context: dict[str, Any] = {
        "plan": found,
        "mark": mark,
        "act": act,
        "saying": SAYINGS[act],
        "effect": _effect(request, act),
        "title": SAYINGS[act].title(certain),
        "others": found.meant - found.concerned,
        "rows": rows(found.first, agent_names(request.principal)),
        "more": certain - len(found.first),
        "danger": act == Act.FORGET,
        "missing": missing,
    }
    return page(request, "bulk.html", context, status=422 if missing else 200)


def _effect(request: PersonRequest, act: Act) -> Words:
    if act == Act.FORGET and not request.person.subject.undo_minutes:
        return _(
            "No agent can use them from now on. There is no undo: they are erased at once, with the messages they came from."
        )
    return SAYINGS[act].effect


@require_POST
@person_view
def confirm(request: PersonRequest) -> HttpResponse:
    """Do it, and say what it did."""
    act, mark = _act(request), request.POST.get("picked", "")
    sensitive = request.POST.get("sensitive") == "1"
    done = change(request.principal, _meant(request, mark), act, sensitive=sensitive)
    if not done.changed and not done.displaced:
        return _ask(request, mark, act, missing=not sensitive)
    if not done.changed:
        return _unchanged(request, done)
    say = sentences(SAYINGS[act].done(done.changed), _left_out(done))
    if done.undo_until is not None and done.undo_until > timezone.now():
        until = _("You can undo until %(time)s.") % {"time": time_of(done.undo_until)}
        return then(request, sentences(say, until), "forgotten")
    if done.undo_until is not None:
        say = sentences(say, _("Their erasure begins."))
    return then(request, say, "memories")


@require_POST
@person_view
def undo(request: PersonRequest) -> HttpResponse:
    """Take back what was forgotten together."""
    until = _moment(request.POST.get("until", ""))
    try:
        done = take_back_together(request.principal, until)
    except StaleState:
        return page(request, "too_late.html", {"erasure": None}, part="part", status=410)
    if not done.changed:
        return _unchanged(request, done)
    say = ngettext(
        "%(n)s memory is back. Agents can use it as before.",
        "%(n)s memories are back. Agents can use them as before.",
        done.changed,
    ) % {"n": done.changed}
    return then(request, sentences(say, _left_out(done)), "memories")


@require_http_methods(["GET", "POST"])
@person_view
def erase(request: PersonRequest) -> HttpResponse:
    """Ask once more, and erase what was forgotten together before its time to undo is over."""
    if request.method == "POST":
        erasure = erase_together(request.principal, _moment(request.POST.get("until", "")))
        say = _("Erasing has begun. No agent can use it, and it can't be brought back.")
        return then(request, say, "erasure", erasure.id)
    until = _moment(request.GET.get("until", ""))
    found = next((one for one in forgotten(request.principal) if one.until == until), None)
    if found is None:
        raise NotFound
    context = {
        "until": until,
        "number": found.number,
        "rows": rows(found.first, agent_names(request.principal)),
        "more": found.number - len(found.first),
    }
    return page(request, "forgotten_erase.html", context)


def _unchanged(request: PersonRequest, done: Done) -> HttpResponse:
    return refuse(request, sentences(_("Nothing was changed."), _left_out(done)), "memories")


def _left_out(done: Done) -> str:
    if not done.displaced:
        return ""
    return ngettext(
        "%(n)s was left as it is: another memory has taken its place.",
        "%(n)s were left as they are: other memories have taken their place.",
        done.displaced,
    ) % {"n": done.displaced}


def _moment(text: str) -> datetime:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise InvalidInput("Which memories were forgotten together is not said.")
    return found


def _act(request: PersonRequest) -> Act:
    try:
        return Act(request.POST.get("act", ""))
    except ValueError:
        raise InvalidInput("This list knows no such act.") from None


def _meant(request: PersonRequest, mark: str) -> Selection:
    return meant_by(mark, known(request, {}, agent_names(request.principal)))
