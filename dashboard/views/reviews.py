"""What waits for the person: keep, edit and keep, not true, later; each can be taken back."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.logins import agent_names
from accounts.principal import Principal
from dashboard.diff import diff
from dashboard.pages import page, then, wants_part
from dashboard.people import PersonRequest, person_view
from dashboard.picked import read_ids
from dashboard.questions import QUESTIONS, decided
from dashboard.shown import lang, row, shown_quote
from dashboard.templatetags.keepsake import ago
from dashboard.views.correcting import fault_of, why
from dashboard.words import Words, sentences
from memory.choices import State
from memory.errors import InvalidInput, SaidAlready, StaleState
from memory.policy import WRITE
from memory.reviews import answers, taking_back
from memory.reviews.desk import Desk, desk, waiting_one
from memory.reviews.listing import OpenReview, count_open, standing
from memory.reviews.together import Answer, answer_together, groups, may_be_answered


@require_GET
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show what waits and what was decided a moment ago."""
    return _queue(request)


def _queue(request: PersonRequest, **said: str) -> HttpResponse:
    """Show the queue; to htmx only itself, with the number beside it in the navigation."""
    kind = request.GET.get("kind", "")
    kind = kind if kind in QUESTIONS else ""
    found, names = desk(request.principal, kind=kind), agent_names(request.principal)
    waits = found.kinds.get(kind, 0) if kind else sum(found.kinds.values())
    context = {
        "groups": [
            {
                "items": [_waiting(request, found, one, names) for one in group],
                "together": may_be_answered(group),
                "session": group[0].opened.memory.session_id,
            }
            for group in groups(found.waiting)
        ],
        "more": waits - len(found.waiting),
        "kind": kind,
        "kinds": [(value, one.about) for value, one in QUESTIONS.items() if value in found.kinds],
        "decided": [
            (
                one.item,
                decided(one.item.kind, one.item.state),
                row(one.opened, names),
                one.item.undo_until is not None and one.item.undo_until > timezone.now(),
            )
            for one in found.decided
        ],
        "oob": wants_part(request),
    }
    return page(request, "review.html", context | said, part="queue")


def _waiting(
    request: PersonRequest, found: Desk, one: OpenReview, names: Mapping[uuid.UUID, str]
) -> dict[str, Any]:
    """Return one question; a sensitive one is opened where the address asks for it by its id."""
    shown = row(one.opened, names, reveal=request.GET.get("show") == str(one.item.id))
    quotes = found.quotes.get(one.opened.memory.id, ()) if not shown.withheld else ()
    change = None
    if one.current is not None and not shown.withheld:
        change = diff(one.current.text, one.opened.text)
    return {
        "item": one.item,
        "asked": QUESTIONS[one.item.kind],
        "in_use": one.opened.memory.state == State.ACTIVE,
        "row": shown,
        "quotes": [shown_quote(quote) for quote in quotes],
        "change": change,
        "parts": [row(part, names) for part in one.parts],
    }


def _answer(
    request: PersonRequest,
    review_id: uuid.UUID,
    answer: Callable[[Principal, uuid.UUID], object],
    say: Words,
) -> HttpResponse:
    try:
        answer(request.principal, review_id)
    except StaleState:
        return _elsewhere(request, review_id)
    say = sentences(say, _left(request))
    return _queue(request, say=say) if wants_part(request) else then(request, say, "reviews")


def _elsewhere(request: PersonRequest, review_id: uuid.UUID) -> HttpResponse:
    """Go back to the queue, which first says what stands instead."""
    stale = _stale(standing(request.principal, review_id))
    if wants_part(request):
        return _queue(request, stale=stale)
    messages.error(request, stale)
    return redirect("reviews")


def _stale(item: Any) -> str:
    """Say what stands instead: it was decided elsewhere, or is too late to take back."""
    badge = decided(item.kind, item.state)
    if item.decided_at is None or badge is None:
        return _("This does not wait any more. Nothing was changed now.")
    return _("You decided this %(when)s: %(what)s. Nothing was changed now.") % {
        "when": ago(item.decided_at),
        "what": badge.words,
    }


def _left(request: PersonRequest) -> str:
    count = count_open(request.principal)
    if not count:
        return _("Nothing else waits for you.")
    return ngettext("%(number)s is left.", "%(number)s are left.", count) % {"number": count}


@require_POST
@person_view
def keep(request: PersonRequest, review_id: uuid.UUID) -> HttpResponse:
    """Keep what waited."""
    say = _("Kept. Agents you allow can use it now.")
    return _answer(request, review_id, answers.keep, say)


@require_POST
@person_view
def reject(request: PersonRequest, review_id: uuid.UUID) -> HttpResponse:
    """Say that it is not true."""
    asked = QUESTIONS[standing(request.principal, review_id).kind]
    return _answer(request, review_id, answers.reject, asked.refused)


@require_POST
@person_view
def later(request: PersonRequest, review_id: uuid.UUID) -> HttpResponse:
    """Put it off for a day."""
    say = _("Put off until tomorrow. Until then everything stays as it is.")
    return _answer(request, review_id, answers.later, say)


@require_POST
@person_view
def together(request: PersonRequest) -> HttpResponse:
    """Give the guesses of one conversation the same answer."""
    ids = read_ids(request.POST.getlist("ids"))
    answer = Answer.KEEP if request.POST.get("answer") == Answer.KEEP else Answer.REJECT
    try:
        number = answer_together(request.principal, ids, answer)
    except InvalidInput:
        stale = _("One of these was decided meanwhile. Nothing was changed now.")
        if wants_part(request):
            return _queue(request, stale=stale)
        messages.error(request, stale)
        return redirect("reviews")
    if answer == Answer.KEEP:
        say = ngettext(
            "Kept %(number)s. Agents you allow can use it now.",
            "Kept %(number)s. Agents you allow can use them now.",
            number,
        )
    else:
        say = ngettext(
            "%(number)s is not learnt again, no agent can use it, and it will be erased.",
            "%(number)s are not learnt again, no agent can use them, and they will be erased.",
            number,
        )
    say = sentences(say % {"number": number}, _left(request))
    return _queue(request, say=say) if wants_part(request) else then(request, say, "reviews")


@require_POST
@person_view
def undo(request: PersonRequest, review_id: uuid.UUID) -> HttpResponse:
    """Take a decision back."""
    say = _("Taken back. It stands as it stood before, and waits for you again.")
    return _answer(request, review_id, taking_back.undo, say)


@require_http_methods(["GET", "POST"])
@person_view
def edit(request: PersonRequest, review_id: uuid.UUID) -> HttpResponse:
    """Keep it in the person's own words; if it was decided elsewhere, the words stay in the form."""
    text = request.POST.get("text", "").strip()
    try:
        found = waiting_one(request.principal, review_id)
        if request.method != "POST":
            return _form(
                request, found.item, found.opened.text, lang(found.opened.version.language)
            )
        if fault := fault_of(text):
            return _form(request, found.item, text, error=fault)
        answers.edit_and_keep(request.principal, review_id, text=text)
    except (InvalidInput, SaidAlready) as refused:
        return _form(request, found.item, text, error=why(refused))
    except StaleState:
        if not text:
            return _elsewhere(request, review_id)
        item = standing(request.principal, review_id)
        return _form(request, item, text, error=_stale(item))
    say = _("Kept in your words. Agents you allow can use it now.")
    return then(request, sentences(say, _left(request)), "reviews")


def _form(
    request: PersonRequest, item: Any, text: str, lang_: str = "", *, error: str = ""
) -> HttpResponse:
    context = {"item": item, "text": text, "lang": lang_, "error": error, "most": WRITE.max_text}
    return page(request, "review_edit.html", context, status=422 if error else 200)
