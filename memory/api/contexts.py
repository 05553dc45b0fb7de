"""/sessions/{id}/context: the prompt of a session, within a token budget."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import schema_sessions, session_inputs, session_outputs
from memory.api.base import MemoryView, parse
from memory.context.build import build
from memory.context.values import ContextQuery, Style


class ContextView(MemoryView):
    """Lay a session out for a model."""

    @extend_schema(
        request=session_inputs.ContextInput, responses={200: schema_sessions.ContextAnswer}
    )
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        """Return messages ready for a chat API, never over the budget, and what was left out."""
        values = parse(session_inputs.ContextInput, request.data)
        principal = access.for_object(self.caller, "session", session_id)
        query = ContextQuery(style=Style(values.pop("format")), **values)
        return Response(
            session_outputs.context(build(principal, session_id=session_id, query=query))
        )
