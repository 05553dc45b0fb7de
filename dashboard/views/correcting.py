"""Correcting a memory, and adding one by hand."""

import uuid

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard import words
from dashboard.pages import page, then, wants_part
from dashboard.people import PersonRequest, person_view
from dashboard.shown import lang
from dashboard.views.memory import one_row
from dashboard.words import STATES, sentences
from memory.choices import Outcome, State
from memory.errors import InvalidInput, SaidAlready, StaleState, StaleVersion
from memory.policy import WRITE
from memory.recall.history import Wording, wordings
from memory.recall.listing import open_memory
from memory.write.correct import correct
from memory.write.pipeline import propose
from memory.write.proposal import Decided, Proposal
from memory.write.sources import source_of


@require_http_methods(["GET", "POST"])
@person_view
def edit(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Show the form with the current wording; take the new one."""
    if request.method == "POST":
        return _save(request, memory_id)
    opened = open_memory(request.principal, memory_id)
    return _form(
        request, memory_id, opened.text, opened.version.number, lang(opened.version.language)
    )


def _save(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    text, number = request.POST.get("text", "").strip(), number_of(request.POST.get("version", ""))
    if fault := fault_of(text):
        return _form(request, memory_id, text, number, error=fault)
    try:
        done = correct(request.principal, memory_id, text=text, if_version=number)
    except StaleVersion:
        return _conflict(request, memory_id, text, number)
    except (InvalidInput, StaleState) as refused:
        return _form(request, memory_id, text, number, error=why(refused))
    say = corrected(done.opened.memory.state, done.opened.version.number)
    return (
        one_row(request, memory_id, say)
        if wants_part(request)
        else then(request, say, "memory", memory_id)
    )


def corrected(state: str, number: int) -> str:
    """Return what a correction did: a new wording, and what agents get of it."""
    if state == State.ACTIVE:
        say = _("Saved as version %(number)s. Agents get the new wording from now on.")
        return say % {"number": number}
    saved = _("Saved as version %(number)s.") % {"number": number}
    return sentences(saved, STATES[state].says)


def fault_of(text: str) -> str:
    """Return what is wrong with a text before anybody looks at what it says."""
    if not text:
        return _("Write what agents should remember.")
    if len(text) > WRITE.max_text:
        return _("This is too long. The most is %(most)s characters.") % {"most": WRITE.max_text}
    return ""


def why(refused: InvalidInput | StaleState) -> str:
    """Return in words why a wording was not taken, and what to do."""
    if isinstance(refused, SaidAlready):
        return _("Another memory already says exactly this. Forget one of the two.")
    if isinstance(refused, StaleState):
        return _("This memory was forgotten. Undo that first, then correct it.")
    return _(
        "This can't be kept: it looks like a password, key or card number, "
        "or nothing to remember is left of it. Write it as a short statement."
    )


def _form(
    request: PersonRequest,
    memory_id: uuid.UUID,
    text: str,
    number: int,
    lang_: str = "",
    *,
    error: str = "",
) -> HttpResponse:
    context = {
        "memory_id": memory_id,
        "text": text,
        "number": number,
        "lang": lang_,
        "error": error,
        "error_id": f"err-{memory_id}",
        "most": WRITE.max_text,
    }
    return page(request, "edit.html", context, part="form", status=422 if error else 200)


def _conflict(request: PersonRequest, memory_id: uuid.UUID, mine: str, number: int) -> HttpResponse:
    """Show three wordings: the person's, the one in force now, and the one they began with."""
    found = wordings(request.principal, memory_id)
    context = {
        "memory_id": memory_id,
        "mine": mine,
        "now": found[0],
        "before": _ofnumber_of(found, number),
    }
    return page(request, "conflict.html", context, part="conflict", status=409)


def _ofnumber_of(found: list[Wording], number: int) -> Wording | None:
    return next((one for one in found if one.version.number == number), None)


def number_of(value: str) -> int:
    """Return the version a form was opened with; anything else is no version at all."""
    return int(value) if value.isdecimal() and len(value) < 9 else 0  # noqa: PLR2004 - a database's integer


@require_http_methods(["GET", "POST"])
@person_view
def add(request: PersonRequest) -> HttpResponse:
    """Take a memory the person types."""
    if request.method != "POST":
        return page(request, "add.html", {"most": WRITE.max_text})
    text = request.POST.get("text", "").strip()
    if fault := fault_of(text):
        return _add_form(request, text, fault)
    source, quote = source_of(request.principal, event_id=None, quote="", now=timezone.now())
    decided = propose(request.principal, Proposal(text=text, source=source, **quote), by_hand=True)
    if decided.memory is None:
        return _add_form(request, text, _refused(decided))
    return then(request, _added(decided), "memory", decided.memory.id)


def _add_form(request: PersonRequest, text: str, error: str) -> HttpResponse:
    context = {"text": text, "error": error, "most": WRITE.max_text}
    return page(request, "add.html", context, status=422)


def _refused(decided: Decided) -> str:
    return _("This was not saved: %(why)s.") % {"why": words.reasons(decided.reasons)}


def _added(decided: Decided) -> str:
    if decided.outcome == Outcome.REINFORCED:
        return _("This is known already. Nothing new was saved.")
    if decided.outcome == Outcome.NEEDS_CONFIRMATION:
        return _("Saved, but not used yet: another memory says otherwise.")
    if decided.outcome == Outcome.SUPERSEDED:
        return _("Saved as a new version. Agents get the new wording from now on.")
    return _("Saved. Agents you allow can use it now.")
