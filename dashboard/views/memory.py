"""One memory: why it is there, its wordings, its uses; shown, paused, used again."""

import uuid
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from operator import itemgetter
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.choices import ActorKind
from accounts.logins import agent_names
from dashboard import words
from dashboard.diff import diff
from dashboard.pages import page, then, wants_part
from dashboard.people import PersonRequest, person_view
from dashboard.questions import QUESTIONS
from dashboard.shown import lang, row, rows, shown_quote
from memory.charts import bars
from memory.choices import Reason, Sensitivity
from memory.forget.moves import Move, move
from memory.recall.listing import open_memory
from memory.recall.readers import readers
from memory.recall.whole import Whole, whole


@require_GET
@person_view
def show(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Show one memory with its past and its uses; to htmx, its row as the list shows it."""
    if wants_part(request):
        return one_row(request, memory_id, "")
    found = whole(request.principal, memory_id)
    names = agent_names(request.principal)
    context = {
        "row": row(found.opened, names, reveal=True),
        "memory": found.opened.memory,
        "sensitive": found.opened.memory.sensitivity >= Sensitivity.SPECIAL,
        "version": found.opened.version,
        "said": _quotes(found),
        "source_here": bool(found.sources_here),
        "unlearnt": found.unlearnt,
        "path": _path(found, names),
        "sureness": words.sureness(found.opened.memory.confidence),
        "verdicts": words.verdicts((verdict, n) for _, verdict, n in found.uses.verdicts),
        "judges": _judges(found, names),
        "wordings": _wordings(found, names),
        "uses": [
            (use, names.get(use.agent_id, "") if use.agent_id else "") for use in found.uses.latest
        ],
        "uses_total": found.uses.total,
        "chart": bars(found.uses.weeks),
        "rivals": rows(found.rivals, names),
        "sources": rows(found.sources, names),
        "links": [
            (words.LINKS[link.kind, link.outgoing], row(other, names))
            for link, other in found.links
        ],
        "question": found.question,
        "asked": QUESTIONS[found.question.kind] if found.question else None,
        "readers": readers(request.principal, memory_id),
    }
    return page(request, "memory.html", context)


def _path(found: Whole, names: Mapping[uuid.UUID, str]) -> list[dict[str, Any]]:
    """Return what happened to it, oldest first: decided, answered by the person, corrected."""
    decided = [
        {
            "at": one.created_at,
            "words": words.OUTCOMES[one.outcome],
            "why": words.reasons(one.reasons),
            "agent": names.get(one.agent_id, "") if one.agent_id else "",
        }
        for one in found.decisions
    ]
    answered = [
        {"at": one.decided_at, "words": words.ANSWERS[one.state], "by_person": True}
        for one in found.answers
        if one.state in words.ANSWERS
    ]
    corrected = [
        {
            "at": one.version.recorded_at,
            "words": words.WAS_CORRECTED,
            "why": _("version %(number)s") % {"number": one.version.number},
            "agent": names.get(one.version.author_id, "") if one.version.author_id else "",
            "by_person": one.version.author_kind == ActorKind.PERSON,
        }
        for one in found.wordings
        if one.version.reason == Reason.CORRECTED
    ]
    return sorted([*decided, *answered, *corrected], key=itemgetter("at"))


def _quotes(found: Whole) -> list[dict[str, Any]]:
    here = {None, *found.sources_here}
    return [
        shown_quote(quote) | {"source_gone": quote.evidence.event_id not in here}
        for quote in found.quotes
    ]


def _judges(found: Whole, names: Mapping[uuid.UUID, str]) -> list[tuple[str, str]]:
    """Return what each agent has said of it, by the agents' names."""
    said: dict[uuid.UUID, list[tuple[str, int]]] = defaultdict(list)
    for agent_id, verdict, number in found.uses.verdicts:
        said[agent_id].append((verdict, number))
    return sorted((names.get(one, ""), words.verdicts(counted)) for one, counted in said.items())


def _wordings(found: Whole, names: dict[uuid.UUID, str]) -> list[dict[str, Any]]:
    """Return the wordings, newest first, each with what it changed of the one before."""
    texts = [one.text or "" for one in found.wordings]
    changes = [diff(before, after) for after, before in pairwise(texts)]
    return [
        {
            "number": one.version.number,
            "text": text,
            "lang": lang(one.version.language),
            "change": change,
            "at": one.version.recorded_at,
            "by_person": one.version.author_kind == ActorKind.PERSON,
            "agent": names.get(one.version.author_id, "") if one.version.author_id else "",
            "reason": words.REASONS.get(one.version.reason, ""),
            "current": one.version.superseded_at is None,
            "as_in": before,
        }
        for one, text, change, before in zip(
            found.wordings, texts, [*changes, None], _said_before(found), strict=True
        )
    ]


def _said_before(found: Whole) -> list[int | None]:
    """Return for each wording, newest first, the number of the latest earlier one with the same words."""
    seen: dict[str, int] = {}
    numbers: list[int | None] = []
    for one in reversed(found.wordings):
        numbers.append(seen.get(one.text or ""))
        seen[one.text or ""] = one.version.number
    return numbers[::-1]


@require_POST
@person_view
def reveal(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Show a withheld text in its row; that it was opened is written down."""
    opened = open_memory(request.principal, memory_id)
    if not wants_part(request):
        return redirect("memory", memory_id)
    shown = row(opened, agent_names(request.principal), reveal=True)
    return page(request, "parts/memory_row.html", {"row": shown, "focus": True}, part="row")


@require_POST
@person_view
def pause(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Keep a memory, but unused."""
    return _moved(request, memory_id, Move.PAUSE, _("Paused. It is kept; no agent can use it now."))


@require_POST
@person_view
def resume(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Use a paused memory again."""
    return _moved(request, memory_id, Move.RESUME, _("In use again. Agents you allow can use it."))


@require_POST
@person_view
def restore(request: PersonRequest, memory_id: uuid.UUID) -> HttpResponse:
    """Take a memory that was put away out again."""
    say = _("In use again. Agents you allow can use it.")
    return _moved(request, memory_id, Move.RESTORE, say)


def _moved(request: PersonRequest, memory_id: uuid.UUID, what: Move, say: str) -> HttpResponse:
    move(request.principal, memory_id, what)
    if not wants_part(request):
        return then(request, say, "memory", memory_id)
    return one_row(request, memory_id, say)


def one_row(request: PersonRequest, memory_id: uuid.UUID, say: str) -> HttpResponse:
    """Answer htmx with a memory's row after a change, focused, and what the change did."""
    shown = row(open_memory(request.principal, memory_id), agent_names(request.principal))
    context = {"row": shown, "focus": True, "say": say}
    return page(request, "parts/memory_row.html", context, part="row")
