"""/memories: propose, list, open, correct, erase."""

import uuid
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import inputs, outputs
from memory.api.base import MemoryView, if_match, parse
from memory.choices import Kind, Outcome, Sensitivity, Subtype, Visibility
from memory.forget.fence import erase
from memory.forget.receipt import receipt
from memory.recall.listing import list_memories, open_memory
from memory.write.correct import correct
from memory.write.pipeline import decide
from memory.write.proposal import Proposal
from memory.write.sources import source_of

STATUS = {
    Outcome.ACCEPTED: status.HTTP_201_CREATED,
    Outcome.NEEDS_CONFIRMATION: status.HTTP_201_CREATED,
    Outcome.REINFORCED: status.HTTP_200_OK,
    Outcome.SUPERSEDED: status.HTTP_200_OK,
    Outcome.REFUSED: status.HTTP_422_UNPROCESSABLE_ENTITY,
}


class MemoriesView(MemoryView):
    """Propose a memory; list memories."""

    @extend_schema(request=inputs.MemoryInput, responses={201: dict, 200: dict, 422: dict})
    def post(self, request: Request) -> Response:
        """Propose one memory; a refusal is an answer (422) with its reasons."""
        values = parse(inputs.MemoryInput, request.data)
        principal = access.for_user(self.caller, values.pop("user_id"), create=True)
        decided = decide(principal, _proposal(principal, values), by_hand=principal.is_person)
        return Response(outputs.decided(decided), status=STATUS[decided.outcome])

    @extend_schema(parameters=[inputs.MemoryListQuery], responses={200: dict})
    def get(self, request: Request) -> Response:
        """List the person's memories, newest first."""
        values = parse(inputs.MemoryListQuery, request.query_params.dict())
        principal = access.for_user(self.caller, values.pop("user_id"))
        limit, cursor = values.pop("limit"), values.pop("cursor", None)
        page = list_memories(principal, filters=values, limit=limit, cursor=cursor)
        items = [outputs.memory(one) for one in page.items]
        return Response({"memories": items, "next": page.next})


class MemoryDetailView(MemoryView):
    """Open, correct or erase one memory."""

    @extend_schema(responses={200: dict})
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        """Open one memory; its version comes as ETag."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return _tagged(open_memory(principal, memory_id))

    @extend_schema(
        request=inputs.CorrectionInput,
        parameters=[OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, required=True)],
        responses={200: dict},
    )
    def patch(self, request: Request, memory_id: uuid.UUID) -> Response:
        """Correct one memory; needs If-Match with the version that was read."""
        version = if_match(request)
        values = parse(inputs.CorrectionInput, request.data)
        principal = access.for_object(self.caller, "memory", memory_id)
        return _tagged(correct(principal, memory_id, text=values["text"], if_version=version))

    @extend_schema(responses={200: dict})
    def delete(self, request: Request, memory_id: uuid.UUID) -> Response:
        """Erase one memory now; nothing returns its content after this answer."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return Response(receipt(erase(principal, memory_id)))


def _tagged(opened: access.OpenedMemory) -> Response:
    return Response(outputs.memory(opened), headers={"ETag": f'"{opened.memory.version}"'})


def _proposal(principal: Any, values: dict[str, Any]) -> Proposal:
    evidence = values.pop("evidence", {})
    typed = {
        "kind": Kind,
        "subtype": Subtype,
        "sensitivity": Sensitivity,
        "visibility": Visibility,
        "tags": tuple,
    }
    for name, convert in typed.items():
        if name in values:
            values[name] = convert(values[name])
    source, quote = source_of(
        principal,
        event_id=evidence.get("event_id"),
        quote=evidence.get("quote", ""),
        now=timezone.now(),
    )
    return Proposal(source=source, **quote, **values)
