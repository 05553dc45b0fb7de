"""/procedures: how kinds of tasks are done; proposed by anybody, published by the person."""

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import inputs, replays, schema
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.choices import State
from memory.reviews.procedures import Procedure, procedures, publish
from memory.write.procedures import propose


class ProceduresView(MemoryView):
    """Propose a procedure; list procedures."""

    @extend_schema(parameters=[inputs.PersonQuery], responses={200: schema.ProcedureList})
    def get(self, request: Request) -> Response:
        """List what is published and what waits; an agent sees of what waits its own."""
        values = parse(inputs.PersonQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        return Response({"procedures": [_shown(one) for one in procedures(principal)]})

    @extend_schema(
        request=inputs.ProcedureInput,
        responses=dict.fromkeys((200, 201, 422), schema.DecisionAnswer),
    )
    @idempotent(replays.decision)
    def post(self, request: Request) -> Written:
        """Propose ordered steps; the person's own are in use at once, an agent's wait for them."""
        values = parse(inputs.ProcedureInput, request.data)
        principal = access.for_user(self.caller, values.pop("user_id"), create=True)
        decided = propose(principal, **values)
        return replays.decided(principal, decided)


def _shown(one: Procedure) -> dict[str, Any]:
    row = one.opened.memory
    return {
        "id": row.id,
        "title": one.title,
        "steps": list(one.steps),
        "published": row.state == State.ACTIVE,
        "version": row.version,
        "origin": row.origin,
        "agent_id": row.agent_id,
        "tried": one.record.tried if one.record else 0,
        "succeeded": one.record.succeeded if one.record else 0,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


class PublishView(MemoryView):
    """Publish a procedure."""

    @extend_schema(request=None, responses={200: schema.StateAnswer})
    @idempotent(replays.state)
    def post(self, request: Request, memory_id: uuid.UUID) -> Written:
        """Use it from now on, instead of the one before it; the person only."""
        parse(inputs.Nothing, request.data)
        principal = access.for_object(self.caller, "memory", memory_id)
        memory = publish(principal, memory_id)
        return replays.moved(principal, memory)
