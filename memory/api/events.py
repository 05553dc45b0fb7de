"""/events/{id}: the original behind a message or a piece of evidence."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api import outputs, schema_sessions, session_outputs
from memory.api.base import MemoryView
from memory.api.problems import CONTENT_TYPE, document
from memory.sessions.originals import Gone, open_original, rights_for


class EventView(MemoryView):
    """Open one original."""

    @extend_schema(
        responses={200: schema_sessions.Original, (410, CONTENT_TYPE): schema_sessions.GoneOriginal}
    )
    def get(self, request: Request, event_id: uuid.UUID) -> Response:
        """Return the original; once it is gone, 410 with the quotes that are left of it."""
        principal = rights_for(self.caller, event_id)
        found = open_original(principal, event_id)
        if isinstance(found, Gone):
            return _gone(found)
        return Response(session_outputs.original(found))


def _gone(found: Gone) -> Response:
    detail = "It was erased." if found.erased else "It has expired; quotes of it are left."
    body = document(status=410, code="gone", title="Erased or expired", detail=detail)
    quotes = [outputs.quote(one) for one in found.quotes]
    return Response(
        body | {"quotes": quotes}, status=status.HTTP_410_GONE, content_type=CONTENT_TYPE
    )
