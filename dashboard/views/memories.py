"""The list of memories: by filter in pages, or by what was searched for; as a list or as a table."""

import uuid
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import preferences
from accounts.logins import agent_names
from accounts.visits import note_filters
from dashboard.filters import VIEWS, Filters, midnight, of_query, read
from dashboard.pages import page, then, wants_part
from dashboard.people import PersonRequest, person_view
from dashboard.picked import mark_all, mark_these
from dashboard.shown import rows
from memory.charts import bars
from memory.policy import LOOK
from memory.recall.listing import list_memories, writers
from memory.recall.lookup import MAX_QUERY, lookup
from memory.recall.months import months

ALL = "all"  # in an address: everything, whatever was chosen the last time


@require_GET
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show a page of the list; ``more`` is the part that "Show more" adds.

    An address without any filter shows the list as the person left it.
    """
    subject, names = request.person.subject, agent_names(request.principal)
    cursor, as_left = request.GET.get("cursor", ""), not request.GET
    values = dict(parse_qsl(subject.list_filters)) if as_left else request.GET.dict()
    filters = known(request, values, names)
    if not as_left:
        note_filters(subject, filters.query)
    context = _listed(request, filters, names, cursor) | {"as_left": as_left and filters.narrows}
    return page(request, "memories.html", context, part="more" if cursor else "results")


def known(
    request: PersonRequest, values: Mapping[str, str], names: Mapping[uuid.UUID, str]
) -> Filters:
    """Return the filters in some values; the agents to choose from are those that brought memories."""
    brought = {str(one): names[one] for one in writers(request.principal) if one in names}
    return read(values, names=brought, since=request.person.subject.visit_before)


def _listed(
    request: PersonRequest, filters: Filters, names: Mapping[uuid.UUID, str], cursor: str = ""
) -> dict[str, Any]:
    found = list_memories(
        request.principal,
        selection=filters.selection(),
        order=filters.order,
        limit=LOOK.page,
        cursor=cursor or None,
    )
    return _context(request, filters) | {
        "rows": rows(found.items, names),
        "total": found.total,
        "next": found.next,
        "coming": min(LOOK.page, found.left),
        "first": not cursor,
        "all_mark": mark_all(filters),
    }


@require_http_methods(["GET", "POST"])
@person_view
def search(request: PersonRequest) -> HttpResponse:
    """Show what was searched for. By POST: the words are content and stand in no address."""
    names = agent_names(request.principal)
    filters = known(request, request.POST.dict(), names)
    text = request.POST.get("q", "").strip()[:MAX_QUERY]
    if text:
        note_filters(request.person.subject, filters.query)
        found = lookup(
            request.principal,
            text=text,
            selection=filters.selection(),
            limit=_asked_for(request.POST.get("shown", "")),
        )
        left = len(found.ids) - len(found.items)
        context = _context(request, filters) | {
            "q": text,
            "rows": rows(found.items, names),
            "total": len(found.ids),
            "coming": min(LOOK.page, left),
            "shown": len(found.items) + LOOK.page,
            "words_only": "meaning" in found.degraded,
            "first": True,
            "all_mark": mark_these(found.ids),
        }
        return page(request, "memories.html", context, part="results")
    if not wants_part(request):
        return redirect(_address(filters.query))
    note_filters(request.person.subject, filters.query)
    answer = page(request, "memories.html", _listed(request, filters, names), part="results")
    answer["HX-Push-Url"] = _address(filters.query)
    return answer


def _asked_for(shown: str) -> int:
    """Return how many of what was found to show: a page, or as many as a button said."""
    short = shown.isdecimal() and len(shown) < 6  # noqa: PLR2004 - more than one person can have
    return max(int(shown), LOOK.page) if short else LOOK.page


def _address(query: str) -> str:
    return f"{reverse('memories')}?{query or ALL}"


def _context(request: PersonRequest, filters: Filters) -> dict[str, Any]:
    kept = [
        of_query(one, names=filters.names, since=filters.since)
        for one in request.person.subject.list_views
    ]
    mine = [(one.said, one.narrowing) for one in kept if one.narrows]
    tabs = [(said, _address(query), query == filters.narrowing) for said, query in (*VIEWS, *mine)]
    return {
        "filters": filters,
        "tabs": tabs,
        "may_keep": not any(here for *_rest, here in tabs),
        "may_drop": filters.narrowing in {query for _said, query in mine},
    }


@require_GET
@person_view
def by_month(request: PersonRequest) -> HttpResponse:
    """Show how much was learnt in each month and before; each leads to its part of the list."""
    found = months(request.principal)
    chart = bars([(midnight(month), number) for month, number in found.months])
    # Translators: how a month is written, in Django's date format characters.
    written = _("F Y")
    shown = [
        (bar, f"{reverse('memories')}?{_of_month(month)}", date_format(month, written))
        for bar, (month, _number) in zip(chart.bars, found.months, strict=True)
    ]
    context = {
        "chart": chart,
        "bars": shown,
        "total": chart.total + found.earlier,
        "earlier": found.earlier,
        "before": f"{reverse('memories')}?{_until(found.months[0][0])}",
    }
    return page(request, "months.html", context)


def _until(month: date) -> str:
    return urlencode({"to": (month - timedelta(days=1)).isoformat()})


def _of_month(month: date) -> str:
    last = month.replace(day=monthrange(month.year, month.month)[1])
    return urlencode({"from": month.isoformat(), "to": last.isoformat()})


@require_POST
@person_view
def keep_view(request: PersonRequest) -> HttpResponse:
    """Keep what the list is narrowed to as a view of the person's own."""
    filters = _posted(request)
    if filters.narrows:
        preferences.save_view(request.principal, filters.narrowing, most=LOOK.views)
    say = _("Kept as a view. It stands beside the others from now on.")
    return _then(request, say, filters)


@require_POST
@person_view
def drop_view(request: PersonRequest) -> HttpResponse:
    """Take a view of the person's own away; the memories stay as they are."""
    filters = _posted(request)
    preferences.drop_view(request.principal, filters.narrowing)
    say = _("The view is gone. Your memories stay as they are.")
    return _then(request, say, filters)


def _posted(request: PersonRequest) -> Filters:
    values = dict(parse_qsl(request.POST.get("query", "")))
    return known(request, values, agent_names(request.principal))


def _then(request: PersonRequest, say: str, filters: Filters) -> HttpResponse:
    note_filters(request.person.subject, filters.query)
    return then(request, say, "memories")
