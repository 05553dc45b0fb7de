"""The overview: a ten-second check that nothing surprising happened."""

import hashlib
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from accounts import looks
from accounts.logins import agent_names
from accounts.modes import mode_of
from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from dashboard.shown import row, rows
from dashboard.support import shown
from memory.charts import bars
from memory.recall.months import changes
from memory.recall.overview import Overview, overview


@require_GET
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show how much there is, what is new and what was used."""
    found = overview(request.principal)
    return page(request, "overview.html", _context(request, found) | _since(request))


@require_GET
@person_view
def recent(request: PersonRequest) -> HttpResponse:
    """Show what is new again; 204 if the page has it already."""
    found = overview(request.principal)
    if request.GET.get("seen") == _mark(found):
        return HttpResponse(status=204)
    return page(request, "overview.html", _context(request, found), part="recent")


def _context(request: PersonRequest, found: Overview) -> dict[str, Any]:
    names = agent_names(request.principal)
    mode, mode_until = mode_of(request.person.subject)
    return {
        "counts": found.counts,
        "learned": rows(found.learned, names),
        "used": [
            (use, names.get(use.agent_id, "") if use.agent_id else "", row(opened, names))
            for use, opened in found.used
        ],
        "chart_learned": bars(found.weeks_learned),
        "chart_used": bars(found.weeks_used),
        "looks": [shown(look) for look in looks.told(request.principal)],
        "mode": mode,
        "mode_until": mode_until,
        "seen": _mark(found),
    }


def _since(request: PersonRequest) -> dict[str, Any]:
    """Return what has changed since the end of the last visit, if there was one."""
    since = request.person.subject.visit_before
    return {"since": since, "changes": changes(request.principal, since)} if since else {}


def _mark(found: Overview) -> str:
    """Return a short mark of what the moving part shows: ids and times, no content."""
    parts = [f"{one.memory.id} {one.memory.version} {one.memory.state}" for one in found.learned]
    parts += [f"{use.memory_id} {use.at.isoformat()}" for use, _ in found.used]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
