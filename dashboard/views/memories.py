"""The list of memories: by filter in pages, or by what was searched for."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.logins import agent_names
from dashboard.filters import Filters, read
from dashboard.pages import page, wants_part
from dashboard.people import PersonRequest, person_view
from dashboard.shown import rows
from memory.recall.listing import list_memories
from memory.recall.lookup import MAX_QUERY, lookup

PAGE = 25


@require_GET
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show a page of the list, newest first; ``more`` is the part that "Show more" adds."""
    cursor = request.GET.get("cursor", "")
    context = _listed(request, read(request.GET), cursor)
    return page(request, "memories.html", context, part="more" if cursor else "results")


def _listed(request: PersonRequest, filters: Filters, cursor: str = "") -> dict[str, Any]:
    found = list_memories(
        request.principal, filters=filters.columns, limit=PAGE, cursor=cursor or None
    )
    return _context(filters) | {
        "rows": rows(found.items, agent_names(request.principal)),
        "total": found.total,
        "next": found.next,
        "first": not cursor,
    }


@require_http_methods(["GET", "POST"])
@person_view
def search(request: PersonRequest) -> HttpResponse:
    """Show what was searched for. By POST: the words are content and stand in no address."""
    filters, text = read(request.POST), request.POST.get("q", "").strip()[:MAX_QUERY]
    if not text:
        return _unsearched(request, filters)
    found = lookup(request.principal, text=text, filters=filters.columns)
    context = _context(filters) | {
        "q": text,
        "rows": rows(found.items, agent_names(request.principal)),
        "total": len(found.items),
        "words_only": "meaning" in found.degraded,
        "first": True,
    }
    return page(request, "memories.html", context, part="results")


def _unsearched(request: PersonRequest, filters: Filters) -> HttpResponse:
    """Answer a search without words: the plain list, at an address of its own."""
    address = f"/memories/?{filters.query}" if filters.query else "/memories/"
    if not wants_part(request):
        return redirect(address)
    answer = page(request, "memories.html", _listed(request, filters), part="results")
    answer["HX-Push-Url"] = address
    return answer


def _context(filters: Filters) -> dict[str, Any]:
    labels = {
        "state": _("State"),
        "kind": _("Kind"),
        "level": _("Sensitivity"),
        "basis": _("Where from"),
    }
    return {
        "filters": filters,
        "fields": [(name, labels[name], *rest) for name, *rest in filters.fields],
    }
