"""Everything held about you: where, why, until when, who read it; to read here or to take along."""

import json
from collections.abc import Iterator
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from dashboard import words
from dashboard.happened import WHAT, WHO
from dashboard.holding import GROUPS, LOG
from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from dashboard.templatetags.keepsake import moment
from memory.transfer.report import Report, report, told

MEDIA = {"json": "application/json", "md": "text/markdown; charset=utf-8"}


@require_GET
@person_view
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth ships no types
def show(request: PersonRequest) -> HttpResponse:
    """Show it, after the password or a passkey."""
    found = report(request.principal)
    context = _shown(request, found) | {"memories": found.memories}
    return page(request, "report.html", context)


def _shown(request: PersonRequest, found: Report) -> dict[str, Any]:
    held = [
        {
            "what": group.what,
            "why": group.why,
            "until": group.until,
            "count": sum(found.stores.get(one, 0) for one in group.stores),
        }
        for group in GROUPS.values()
    ]
    record = found.lines + found.erasures
    held.append({"what": LOG.what, "why": LOG.why, "until": LOG.until, "count": record})
    readers = [
        {
            "who": one.name or WHO[one.kind],
            "named": bool(one.name),
            "what": WHAT[one.code],
            "times": one.times,
            "first": one.first,
            "last": one.last,
        }
        for one in found.readers
    ]
    hold = words.HOLDS.get(request.person.subject.hold_reason, "")
    return {"held": held, "readers": readers, "on_hold": hold}


@require_GET
@person_view
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth ships no types
def download(request: PersonRequest, form: str) -> HttpResponse:
    """Hand it over as a file, with each memory and whom it was told."""
    if form not in MEDIA:
        raise Http404
    shown = _shown(request, report(request.principal))
    items = told(request.principal)
    pieces = _markdown(shown, items) if form == "md" else _json(shown, items)
    answer = StreamingHttpResponse((one.encode() for one in list(pieces)), content_type=MEDIA[form])
    name = f"keepsake-report-{timezone.localdate():%Y-%m-%d}.{form}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer  # type: ignore[return-value]  # a stream is an answer too


type Items = Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]


def _json(shown: dict[str, Any], items: Items) -> Iterator[str]:
    plain = json.dumps(
        shown | {"memories": [item | {"told_to": told_to} for item, told_to in items]},
        ensure_ascii=False,
        indent=1,
        default=_plainly,
    )
    yield plain + "\n"


def _plainly(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _markdown(shown: dict[str, Any], items: Items) -> Iterator[str]:
    yield f"# {_('Everything held about you')}\n\n{moment(timezone.now())}\n"
    if shown["on_hold"]:
        yield f"\n{_('On hold')}: {shown['on_hold']}\n"
    for one in shown["held"]:
        yield f"\n## {one['what']} ({one['count']})\n\n"
        yield f"- {_('Why')}: {one['why']}\n- {_('Until when')}: {one['until']}\n"
    yield f"\n## {_('Who read it')}\n\n"
    for one in shown["readers"]:
        yield f"- {one['who']} {one['what']} · {one['times']} · {moment(one['last'])}\n"
    yield f"\n## {_('Memories, and whom they were told')}\n\n"
    for item, told_to in items:
        text = str(item["versions"][-1]["text"]).strip().replace("\n", "\n  ")
        yield f"- {text} ({words.BASES[item['origin']]}, {moment(item['created_at'])})\n"
        for one in told_to:
            who = one["agent"] or _("An agent")
            yield f"  - {who} · {one['times']} · {moment(one['last'])}\n"
