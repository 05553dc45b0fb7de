"""A memory's past: wordings compared, brought back or erased; the messages behind it, erased or only
not learnt from again."""

import uuid

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.logins import agent_names
from dashboard.diff import diff
from dashboard.pages import page, refuse, then
from dashboard.people import PersonRequest, person_view
from dashboard.shown import lang, row, rows, shown_quote
from dashboard.views.correcting import number_of, why
from memory.errors import InvalidInput, NotFound, StaleState, StaleVersion
from memory.recall.history import Wording, wordings
from memory.sessions.sources import (
    erase_source,
    source_reach,
    unlearn_source,
    wording_reach,
)
from memory.sessions.taking_out import erase_wording
from memory.write.correct import bring_back


@require_GET
@person_view
def compare(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Show two wordings of a memory and what changed from ``a`` to ``b``."""
    found = wordings(request.principal, memory_id)
    a = _chosen(found, request.GET.get("a", ""), found[min(1, len(found) - 1)])
    b = _chosen(found, request.GET.get("b", ""), found[0])
    context = {
        "memory_id": memory_id,
        "wordings": found,
        "a": a,
        "b": b,
        "pieces": diff(a.text or "", b.text or ""),
        "lang": lang(b.version.language),
    }
    return page(request, "compare.html", context)


def _chosen(found: list[Wording], number: str, default: Wording) -> Wording:
    return next((one for one in found if str(one.version.number) == number), default)


@require_POST
@person_view
def restore(request: PersonRequest, memory_id: uuid.UUID, number: int) -> HttpResponse:
    """Give the memory a wording back that it had, as a new version."""
    current = number_of(request.POST.get("version", ""))
    try:
        done = bring_back(request.principal, memory_id, number, if_version=current)
    except StaleVersion:
        stale = _("It was changed meanwhile. Look at its versions again.")
        return refuse(request, stale, "memory", memory_id)
    except (InvalidInput, StaleState) as refused:
        return refuse(request, why(refused), "memory", memory_id)
    say = _("Saved as version %(number)s, with the words of version %(former)s.") % {
        "number": done.opened.version.number,
        "former": number,
    }
    return then(request, say, "memory", memory_id)


@require_http_methods(["GET", "POST"])
@person_view
def erase_one(request: PersonRequest, memory_id: uuid.UUID, number: int) -> HttpResponse:
    """Say what goes with one wording, and erase it."""
    if request.method == "POST":
        erasure = erase_wording(request.principal, memory_id, number)
        return then(request, _begun(), "erasure", erasure.id)
    found = wording_reach(request.principal, memory_id, number)
    names = agent_names(request.principal)
    context = {"row": row(found.opened, names, reveal=True), "reach": found, "number": number}
    return page(request, "wording_erase.html", context)


def _begun() -> str:
    return _("Erasing has begun. No agent can use it, and it can't be brought back.")


@require_http_methods(["GET", "POST"])
@person_view
def source(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Say what else came from the messages of a memory, and erase them."""
    if request.method == "POST":
        return then(request, _begun(), "erasure", erase_source(request.principal, memory_id).id)
    found = source_reach(request.principal, memory_id)
    if not found.messages:
        raise NotFound
    names = agent_names(request.principal)
    context = {
        "row": row(found.opened, names, reveal=True),
        "said": [shown_quote(one) for one in found.quotes],
        "reach": found,
        "erased": rows(found.erased, names),
        "changed": rows(found.changed, names),
        "kept": rows(found.kept, names),
    }
    return page(request, "source_erase.html", context)


@require_POST
@person_view
def unlearn(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Keep what a memory was learnt from from being learnt from again."""
    number = unlearn_source(request.principal, memory_id)
    say = ngettext(
        "Saved. Nothing more is learnt from that message. You lift this under Settings.",
        "Saved. Nothing more is learnt from those messages. You lift this under Settings.",
        number,
    )
    return then(request, say, "memory", memory_id)
