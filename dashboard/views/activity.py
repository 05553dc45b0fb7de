"""Activity: who did what, when. The log holds ids and codes; the page adds the current text."""

import uuid
from collections.abc import Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts import looks
from accounts.choices import ActorKind
from accounts.logins import agent_names
from dashboard import happened
from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from dashboard.shown import row
from dashboard.support import shown
from memory.recall.activity import Line, activity


@require_GET
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show the person's log by days, newest first."""
    who, what = request.GET.get("who", ""), request.GET.get("what", "")
    chosen = {}
    if who in happened.WHO_FILTERS:
        chosen["who"] = who
    if what in happened.WHAT_FILTERS:
        chosen["what"] = what
    found, more = activity(
        request.principal,
        who=chosen.get("who", ""),
        codes=happened.WHAT_FILTERS[what][1] if "what" in chosen else (),
        cursor=request.GET.get("cursor") or None,
    )
    names = agent_names(request.principal)
    groups = [list(group) for _, group in groupby(found, key=_what_it_says)]
    lines = [_line(group[0], names, times=len(group)) for group in groups]
    context = {
        "days": [
            (list_[0]["event"].at, list_)
            for _day, group in groupby(lines, key=lambda one: timezone.localdate(one["event"].at))
            for list_ in [list(group)]
        ],
        "looks": [] if "cursor" in request.GET else _looks(request),
        "whos": [(value, happened.WHO[value]) for value in happened.WHO_FILTERS],
        "whats": [(name, one[0]) for name, one in happened.WHAT_FILTERS.items()],
        "chosen": chosen,
        "earlier": urlencode(chosen | {"cursor": more}) if more else "",
    }
    return page(request, "activity.html", context)


def _looks(request: PersonRequest) -> list[dict[str, Any]]:
    """Return what stays on top of the first page for thirty days: who looked beside the agents."""
    return [shown(look) for look in looks.told(request.principal)]


def _what_it_says(one: Line) -> tuple[object, ...]:
    """What a line says: those that follow each other and say the same within a minute are one."""
    event = one.event
    when = timezone.localtime(event.at).replace(second=0, microsecond=0)
    return when, event.actor_kind, event.actor_id, happened.what(event), event.object_id


def _line(one: Line, names: Mapping[uuid.UUID, str], *, times: int) -> dict[str, Any]:
    event = one.event
    named = names.get(event.actor_id, "") if event.actor_id else ""
    changed = event.object_id if event.object_kind == "agent" else None
    return {
        "event": event,
        "who": happened.WHO[event.actor_kind],
        "agent": named if event.actor_kind == ActorKind.AGENT else "",
        "what": happened.what(event),
        "row": row(one.opened, names) if one.opened else None,
        "erased": one.erased,
        "about": names.get(changed, "") if changed else "",
        "count": event.result_count if times == 1 else None,
        "times": times,
        "operator": event.actor_kind == ActorKind.OPERATOR,
    }
