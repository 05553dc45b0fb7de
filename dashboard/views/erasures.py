"""Erasures: how far each is, and its receipt."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from accounts.logins import agent_names
from dashboard import tracker, words
from dashboard.pages import page
from dashboard.people import PersonRequest, person_view
from memory.forget.notices import told
from memory.forget.reach import erasures, tracked
from memory.forget.receipt import access_erasure, receipt


@require_GET
@person_view
def show_all(request: PersonRequest) -> HttpResponse:
    """List the person's erasures, newest first."""
    found = [shown(one, steps) for one, steps in erasures(request.principal)]
    return page(request, "erasures.html", {"erasures": found})


@require_GET
@person_view
def show(request: PersonRequest, erasure_id: uuid.UUID) -> HttpResponse:
    """Show how far one erasure is, and its receipt; ``progress`` is the part that is polled."""
    erasure, rows = tracked(request.principal, erasure_id)
    names = agent_names(request.principal)
    context = shown(erasure, rows, names) | {
        "receipt": receipt(erasure),
        "receipt_steps": rows,
        "copies": [
            (one, names.get(one.agent_id, "") if one.agent_id else "") for one in told(erasure)
        ],
    }
    return page(request, "erasure.html", context, part="progress")


@require_GET
@person_view
def download(request: PersonRequest, erasure_id: uuid.UUID) -> HttpResponse:
    """Hand the receipt over as a file."""
    return as_file(access_erasure(request.principal, erasure_id))


def as_file(erasure: Any) -> HttpResponse:
    """Return an erasure's signed receipt as a file."""
    signed = receipt(erasure)
    body = json.dumps(signed, indent=2, ensure_ascii=False) + "\n"
    answer = HttpResponse(body, content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="receipt-{erasure.id}.json"'
    answer["Cache-Control"] = "no-store"
    return answer


def shown(
    erasure: Any, rows: Sequence[Any], names: Mapping[uuid.UUID, str] | None = None
) -> dict[str, Any]:
    """Return what a page says of an erasure; ``rows`` are its steps, ``names`` those of agents."""
    steps = tracker.steps(erasure, rows)
    done, of = tracker.progress(steps)
    return {
        "erasure": erasure,
        "state": words.ERASURES[erasure.state],
        "by": tracker.begun_by(erasure, names or {}),
        "steps": steps,
        "done": done,
        "of": of,
        "running": tracker.is_running(erasure),
        "memories": len(erasure.memory_ids),
        "messages_gone": len(erasure.event_ids),
        "needs_attention": erasure.state == "needs_attention",
        "on_hold": words.HOLDS.get(erasure.hold_reason, ""),
        "ended": erasure.state in tracker.ENDED,
    }
