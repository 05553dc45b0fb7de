"""/sessions/{id}/context, /turn and /compact: a session within a token budget."""

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import replays, schema_sessions, session_inputs, session_outputs
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.choices import Role
from memory.context import turn
from memory.context.build import Context, build
from memory.context.compact import compact
from memory.context.values import ContextQuery, Style
from memory.quotas import Quota
from memory.sessions import IncomingMessage


class ContextView(MemoryView):
    """Lay a session out for a model."""

    counts = {"POST": (Quota.RECALLS,)}

    @extend_schema(
        request=session_inputs.ContextInput, responses={200: schema_sessions.ContextAnswer}
    )
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        """Return messages ready for a chat API, never over the budget, and what was left out."""
        values = parse(session_inputs.ContextInput, request.data)
        principal = access.for_object(self.caller, "session", session_id)
        query = _asked(values)
        return Response(
            session_outputs.context(build(principal, session_id=session_id, query=query))
        )


def _asked(values: dict[str, Any]) -> ContextQuery:
    return ContextQuery(style=Style(values.pop("format")), **values)


class TurnView(MemoryView):
    """Take one turn of a conversation."""

    counts = {"POST": (Quota.EVENTS, Quota.RECALLS)}

    def answer(self, written: Written) -> Response:
        """Answer a repeated request; ids: the event."""
        values = parse(session_inputs.NewTurnInput, self.request.data)
        values.pop("at", None)
        (event_id,) = written.ids
        found = turn.context_of(
            replays.person_of(self, written),
            session_id=self.kwargs["session_id"],
            event_id=event_id,
            query=_asked(values),
        )
        return Response(_turned(event_id, found))

    @extend_schema(request=session_inputs.NewTurnInput, responses={200: schema_sessions.TurnAnswer})
    @idempotent(answer)
    def post(self, request: Request, session_id: uuid.UUID) -> Written:
        """Keep what the person says, and return the context for the answer; it is read afterwards."""
        values = parse(session_inputs.NewTurnInput, request.data)
        principal = access.for_object(self.caller, "session", session_id)
        said = IncomingMessage(role=Role.USER, content=values["query"], at=values.pop("at", None))
        done = turn.take(principal, session_id=session_id, said=said, query=_asked(values))
        answer = Response(_turned(done.event_id, done.context))
        return Written(answer, [done.event_id], principal.subject_id)


class CompactView(MemoryView):
    """Compact a session."""

    @extend_schema(
        request=session_inputs.CompactInput, responses={200: schema_sessions.CompactAnswer}
    )
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        """Bring it within a budget as a context would; return its summary and what became of its turns."""
        values = parse(session_inputs.CompactInput, request.data)
        principal = access.for_object(self.caller, "session", session_id)
        laid = compact(principal, session_id=session_id, budget=values["budget"])
        return Response(session_outputs.compacted(laid))


def _turned(event_id: uuid.UUID, found: Context) -> dict[str, Any]:
    return {"event": event_id} | session_outputs.context(found)
