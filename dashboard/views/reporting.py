"""Everything held about you: where, why, until when, who read it; to read here or to take along."""

import json
from collections.abc import Iterator
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.devices import called
from dashboard import words
from dashboard.happened import CLOSER, WHAT, WHO
from dashboard.holding import FACTORS, GROUPS, LOG, LOGIN
from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from dashboard.report import Items, as_markdown
from dashboard.support import shown
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
    login = _login(found)
    counted = [
        *(
            (one, sum(found.stores.get(store, 0) for store in one.stores))
            for one in GROUPS.values()
        ),
        (LOGIN, 1 + len(login["sign_ins"]) + len(login["factors"]) if login else 0),
        (LOG, found.lines + found.erasures),
    ]
    held = [
        {"what": one.what, "why": one.why, "until": one.until, "count": count}
        for one, count in counted
    ]
    readers = [
        {
            "who": one.name or WHO[one.kind],
            "named": bool(one.name),
            "what": CLOSER.get((one.code, one.export), WHAT[one.code]),
            "times": one.times,
            "first": one.first,
            "last": one.last,
        }
        for one in found.readers
    ]
    hold = words.HOLDS.get(request.person.subject.hold_reason, "")
    return {
        "held": held,
        "login": login,
        "looks": [shown(one) for one in found.looks],
        "readers": readers,
        "on_hold": hold,
    }


def _login(found: Report) -> dict[str, Any]:
    """Return what is kept of the login as the page names it; nothing where there is none."""
    if found.login is None:
        return {}
    sign_ins = [
        {
            "where": " · ".join(filter(None, called(one["user_agent"]))) or _("A browser"),
            "network": one["ip"],
            "since": one["created_at"],
            "last": one["last_seen_at"],
        }
        for one in found.login["sign_ins"]
    ]
    factors = [
        {
            "what": FACTORS[one["type"]],
            "name": one["name"],
            "since": one["created_at"],
            "last": one["last_used_at"],
        }
        for one in found.login["second_factors"]
    ]
    kept = {name: found.login[name] for name in ("email", "date_joined", "last_login")}
    return kept | {"sign_ins": sign_ins, "factors": factors}


@require_GET
@person_view
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth ships no types
def download(request: PersonRequest, form: str) -> HttpResponse:
    """Hand it over as a file, with each memory and whom it was told."""
    if form not in MEDIA:
        raise Http404
    held = _shown(request, report(request.principal))
    items = told(request.principal)
    pieces = as_markdown(held, items) if form == "md" else _json(held, items)
    answer = StreamingHttpResponse((one.encode() for one in list(pieces)), content_type=MEDIA[form])
    name = f"keepsake-report-{timezone.localdate():%Y-%m-%d}.{form}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer  # type: ignore[return-value]  # a stream is an answer too


def _json(held: dict[str, Any], items: Items) -> Iterator[str]:
    plain = json.dumps(
        held | {"memories": [item | {"told_to": told_to} for item, told_to in items]},
        ensure_ascii=False,
        indent=1,
        default=_plainly,
    )
    yield plain + "\n"


def _plainly(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
