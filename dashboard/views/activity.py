"""Activity: who did what, when. The log holds ids and codes; the page adds the current text."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts import looks
from accounts.choices import ActorKind, AuditCode
from accounts.logins import agent_names
from dashboard import happened
from dashboard.filters import is_day, midnight
from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from dashboard.shown import row
from dashboard.support import shown
from memory.recall.activity import Line, Narrowed, activity, every_line
from memory.recall.listing import writers
from memory.transfer.log import as_json, as_table

JSON = "application/json"


@require_GET
@person_view
def show(request: PersonRequest) -> HttpResponse:
    """Show the person's log by days, newest first."""
    names = agent_names(request.principal)
    chosen = _chosen(request, names)
    cursor = request.GET.get("cursor") or None
    found, more = activity(request.principal, _narrowed(chosen), cursor=cursor)
    says = _what_it_says if chosen.get("what") == "looks" else _what_it_says_at_once
    groups = [list(group) for _, group in groupby(found, key=says)]
    lines = [_line(group, names) for group in groups]
    mine = {str(one): names[one] for one in writers(request.principal) if one in names}
    context = {
        "days": [
            (list_[0]["event"].at, list_)
            for _day, group in groupby(lines, key=lambda one: timezone.localdate(one["event"].at))
            for list_ in [list(group)]
        ],
        "looks": [] if "cursor" in request.GET else _looks(request),
        "whos": [(value, happened.WHO[value]) for value in happened.WHO_FILTERS],
        "whats": [(name, one[0]) for name, one in happened.WHAT_FILTERS.items()],
        "agents": sorted(mine.items(), key=itemgetter(1)),
        "chosen": chosen,
        "query": urlencode(chosen),
        "earlier": urlencode(chosen | {"cursor": more}) if more else "",
    }
    return page(request, "activity.html", context)


def _looks(request: PersonRequest) -> list[dict[str, Any]]:
    """Return what stays on top of the first page for thirty days: who looked beside the agents."""
    return [shown(look) for look in looks.told(request.principal)]


@require_GET
@person_view
def export(request: PersonRequest) -> HttpResponse:
    """Hand the lines over that match: there is no word of a memory in them, so nothing more is asked."""
    lines = every_line(
        request.principal, _narrowed(_chosen(request, agent_names(request.principal)))
    )
    form = "csv" if request.GET.get("format") == "csv" else "json"
    pieces, kind = (
        (as_table(lines), "text/csv; charset=utf-8") if form == "csv" else (as_json(lines), JSON)
    )
    answer = StreamingHttpResponse(pieces, content_type=kind)
    name = f"keepsake-activity-{timezone.localdate():%Y-%m-%d}.{form}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer  # type: ignore[return-value]  # a stream is an answer too


def _chosen(request: PersonRequest, names: Mapping[uuid.UUID, str]) -> dict[str, str]:
    """Return what the log is narrowed by; an unknown value counts as none."""
    known = {
        "who": happened.WHO_FILTERS,
        "what": happened.WHAT_FILTERS,
        "agent": {str(one) for one in names},
    }
    given = {name: request.GET.get(name, "") for name in (*known, "from", "to")}
    found = {name: given[name] for name, values in known.items() if given[name] in values}
    return found | {name: given[name] for name in ("from", "to") if is_day(given[name])}


def _narrowed(chosen: Mapping[str, str]) -> Narrowed:
    begin, end = (
        midnight(date.fromisoformat(chosen[name])) if name in chosen else None
        for name in ("from", "to")
    )
    return Narrowed(
        who=chosen.get("who", ""),
        codes=happened.WHAT_FILTERS[chosen["what"]][1] if "what" in chosen else (),
        agent_id=uuid.UUID(chosen["agent"]) if "agent" in chosen else None,
        since=begin,
        until=end + timedelta(days=1) if end else None,
    )


def _what_it_says(one: Line) -> tuple[object, ...]:
    """What a line says: those that follow each other and say the same within a minute are one."""
    event = one.event
    when = timezone.localtime(event.at).replace(second=0, microsecond=0)
    return when, event.actor_kind, event.actor_id, happened.what(event), event.object_id


def _what_it_says_at_once(one: Line) -> tuple[object, ...]:
    """As above, but the person's own looks that follow each other on a day are one line: they know where
    they were, and come to see what others did.
    """
    event = one.event
    here = event.actor_kind == ActorKind.PERSON and not event.key_prefix  # in these pages
    if here and event.code in happened.LOOKS and event.code != AuditCode.ACCESS_DENIED:
        return (timezone.localdate(one.event.at),)
    return _what_it_says(one)


def _line(lines: Sequence[Line], names: Mapping[uuid.UUID, str]) -> dict[str, Any]:
    """Return what stands for lines that are said at once; lines that say different things are looks."""
    one, times = lines[0], len(lines)
    event = one.event
    several = len({_what_it_says(line)[1:] for line in lines}) > 1
    named = names.get(event.actor_id, "") if event.actor_id else ""
    changed = event.object_id if event.object_kind == "agent" else None
    return {
        "event": event,
        "who": happened.WHO[event.actor_kind],
        "agent": named if event.actor_kind == ActorKind.AGENT else "",
        "what": happened.OWN_LOOKS if several else happened.what(event),
        "row": row(one.opened, names) if one.opened and not several else None,
        "erased": one.erased and not several,
        "several": several,
        "about": names.get(changed, "") if changed else "",
        "count": event.result_count if times == 1 else None,
        "times": times,
        "operator": event.actor_kind == ActorKind.OPERATOR,
    }
