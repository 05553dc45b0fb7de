"""Conversations: when and with which agent, what was said and kept, and erased with what came from it."""

import uuid
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.logins import agent_names
from dashboard.pages import page, then
from dashboard.people import PersonRequest, person_view
from dashboard.shown import lang_of, rows
from dashboard.words import SPEAKERS
from memory.choices import Role
from memory.sessions import OpenedMessage, list_messages
from memory.sessions.erasing import erase_session, session_reach
from memory.sessions.kept import Past, past_session, past_sessions

PAGE, MESSAGES = 25, 50
IN_FULL = (Role.USER, Role.ASSISTANT)  # what tools and systems say is folded away


@require_GET
@person_view
def show_all(request: PersonRequest) -> HttpResponse:
    """List the conversations, newest first; ``more`` is the part that "Show more" adds."""
    cursor = request.GET.get("cursor", "")
    found, more = past_sessions(request.principal, limit=PAGE, cursor=cursor or None)
    names = agent_names(request.principal)
    context = {
        "sessions": [_shown(one, names) for one in found],
        "next": more,
        "first": not cursor,
    }
    return page(request, "sessions.html", context, part="more")


def _shown(past: Past, names: dict[uuid.UUID, str]) -> dict[str, Any]:
    session = past.session
    return {
        "id": session.id,
        "began": past.began,
        "ended": past.ended,
        "running": session.closed_at is None,
        "agent": names.get(session.agent_id, ""),
        "messages": past.messages,
        "kept": past.kept,
    }


@require_GET
@person_view
def show(request: PersonRequest, session_id: uuid.UUID) -> HttpResponse:
    """Show what was kept of one conversation and what was said; ``more`` is its next messages."""
    cursor = request.GET.get("cursor", "")
    past, kept = past_session(request.principal, session_id)
    said = list_messages(
        request.principal, session_id=session_id, limit=MESSAGES, cursor=cursor or None
    )
    names = agent_names(request.principal)
    context = {
        "session": _shown(past, names),
        "rows": rows(kept, names),
        "messages_said": [_said(one) for one in said.items],
        "next": said.next,
        "first": not cursor,
    }
    return page(request, "session.html", context, part="more")


def _said(one: OpenedMessage) -> dict[str, Any]:
    return {
        "speaker": SPEAKERS[one.message.role],
        "name": one.name,
        "at": one.message.at,
        "text": one.text,
        "lang": lang_of(one.text),
        "in_full": one.message.role in IN_FULL,
    }


@require_http_methods(["GET", "POST"])
@person_view
def erase(request: PersonRequest, session_id: uuid.UUID) -> HttpResponse:
    """Ask once more, and erase a conversation with what came from it."""
    if request.method == "POST":
        erasure = erase_session(request.principal, session_id)
        say = _("Erasing has begun. No agent can use it, and it can't be brought back.")
        return then(request, say, "erasure", erasure.id)
    found, names = session_reach(request.principal, session_id), agent_names(request.principal)
    context = {
        "session": _shown(found.past, names),
        "reach": found,
        "erased": rows(found.erased, names),
        "changed": rows(found.changed, names),
        "kept": rows(found.kept, names),
    }
    return page(request, "session_erase.html", context)
