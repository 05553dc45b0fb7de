"""/memories: propose, list, open, correct, erase."""

import uuid
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.principal import Principal
from memory import access
from memory.api import inputs, outputs, replays, schema
from memory.api.base import MemoryView, if_match, parse
from memory.api.idempotency import Written, idempotent
from memory.api.json_types import in_zone
from memory.api.shapes import IF_MATCH
from memory.choices import Kind, Origin, Sensitivity, Subtype, Visibility
from memory.forget.fence import erase
from memory.forget.receipt import receipt
from memory.recall.listing import list_memories, open_memory
from memory.recall.selecting import Selection
from memory.write.correct import correct
from memory.write.pipeline import propose
from memory.write.proposal import Proposal, Source
from memory.write.sources import source_of


class MemoriesView(MemoryView):
    """Propose a memory; list memories."""

    @extend_schema(
        request=inputs.MemoryInput,
        responses=dict.fromkeys((200, 201, 422), schema.DecisionAnswer),
    )
    @idempotent(replays.decision)
    def post(self, request: Request) -> Written:
        """Propose one memory; a refusal is an answer (422) with its reasons."""
        values = parse(inputs.MemoryInput, request.data)
        principal = access.for_user(self.caller, values.pop("user_id"), create=True)
        decided = propose(principal, proposal(principal, values), by_hand=principal.is_person)
        return replays.decided(principal, decided)

    @extend_schema(parameters=[inputs.MemoryListQuery], responses={200: schema.MemoryPage})
    def get(self, request: Request) -> Response:
        """List the person's memories, newest first."""
        values = parse(inputs.MemoryListQuery, request.query_params)
        principal = access.for_user(self.caller, values.pop("user_id"))
        limit, cursor = values.pop("limit"), values.pop("cursor", None)
        selection = Selection(columns=values)
        page = list_memories(principal, selection=selection, limit=limit, cursor=cursor)
        items = [outputs.memory(one) for one in page.items]
        return Response({"memories": items, "next": page.next, "total": page.total})


class MemoryDetailView(MemoryView):
    """Open, correct or erase one memory."""

    @extend_schema(responses={200: schema.Memory})
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        """Open one memory; its version comes as ETag."""
        principal = access.for_object(self.caller, "memory", memory_id)
        return replays.tagged(open_memory(principal, memory_id))

    @extend_schema(
        request=inputs.CorrectionInput,
        parameters=[IF_MATCH],
        responses={200: schema.CorrectedMemory},
    )
    @idempotent(replays.memory)
    def patch(self, request: Request, memory_id: uuid.UUID) -> Written:
        """Correct one memory; needs If-Match with the version that was read."""
        version = if_match(request)
        values = parse(inputs.CorrectionInput, request.data)
        principal = access.for_object(self.caller, "memory", memory_id)
        source, quote = _source(principal, values.get("evidence", {}), values["text"])
        done = correct(
            principal,
            memory_id,
            text=values["text"],
            if_version=version,
            source=source,
            quote=quote,
        )
        # What waits for the person is a memory of its own; until then the old wording stands.
        waiting = [done.waiting.id] if done.waiting else []
        answer = replays.tagged(done.opened, *waiting)
        return Written(answer, [memory_id, *waiting], principal.subject_id)

    @extend_schema(responses={200: schema.ErasureAnswer})
    @idempotent(replays.erasure)
    def delete(self, request: Request, memory_id: uuid.UUID) -> Written:
        """Erase one memory now; nothing returns its content after this answer."""
        principal = access.for_object(self.caller, "memory", memory_id)
        request_ = erase(principal, memory_id)
        return Written(Response(receipt(request_)), [request_.id])


def proposal(principal: Principal, values: dict[str, Any]) -> Proposal:
    """Return the checked values of one proposed memory as a proposal with its source."""
    evidence, origin = values.pop("evidence", {}), values.pop("origin", None)
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
    claimed = None if origin is None else Origin(origin)
    source, quote = _source(principal, evidence, values["text"], claimed)
    values |= in_zone(values, principal.zone)
    return Proposal(source=source, **quote, **values)


def _source(
    principal: Principal, evidence: dict[str, Any], claim: str, origin: Origin | None = None
) -> tuple[Source, dict[str, Any]]:
    return source_of(
        principal,
        event_id=evidence.get("event_id"),
        quote=evidence.get("quote", ""),
        claim=claim,
        origin=origin,
        now=timezone.now(),
    )
