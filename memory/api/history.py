"""/memories/{id}/versions and /evidence; /decisions; /audit: where things come from."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import inputs, outputs, schema_people
from memory.api.base import MemoryView, parse
from memory.recall import person
from memory.recall.history import quotes, sources, wordings


class VersionsView(MemoryView):
    """The wordings of one memory."""

    @extend_schema(responses={200: schema_people.WordingList})
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        """List the versions, newest first; old wordings are shown to the person only."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return Response(
            {"versions": [outputs.wording(one) for one in wordings(principal, memory_id)]}
        )


class EvidenceView(MemoryView):
    """The words one memory rests on."""

    @extend_schema(responses={200: schema_people.QuoteList})
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        """List the quotes, oldest first, each with the message it stands in."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return Response({"evidence": [outputs.quote(one) for one in quotes(principal, memory_id)]})


class SourcesView(MemoryView):
    """What one memory was worked out from."""

    @extend_schema(responses={200: schema_people.SourceList})
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        """List the memories a pattern was counted from, oldest first, each with its messages."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return Response({"sources": [outputs.source(one) for one in sources(principal, memory_id)]})


class DecisionsView(MemoryView):
    """What the gate decided."""

    @extend_schema(parameters=[inputs.PageQuery], responses={200: schema_people.DecisionPage})
    def get(self, request: Request) -> Response:
        """List decisions, newest first: codes and ids, no refused text."""
        values = parse(inputs.PageQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        found, more = person.decisions(
            principal, limit=values["limit"], cursor=values.get("cursor")
        )
        return Response({"decisions": [outputs.decision(one) for one in found], "next": more})


class AuditView(MemoryView):
    """The log."""

    @extend_schema(parameters=[inputs.PageQuery], responses={200: schema_people.AuditPage})
    def get(self, request: Request) -> Response:
        """List who did what, newest first; a person sees all about them, an agent what it did."""
        values = parse(inputs.PageQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        found, more = person.audit_events(
            principal, limit=values["limit"], cursor=values.get("cursor")
        )
        return Response({"events": [outputs.audit_event(one) for one in found], "next": more})
