"""/erasures: erase more than one memory, how far it is, its receipt; /deletions: the feed."""

import uuid
from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.principal import Principal
from memory import access
from memory.api import erasure_inputs, inputs, replays, schema, schema_people
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.errors import InvalidInput
from memory.forget.notices import acknowledge
from memory.forget.receipt import access_erasure, receipt
from memory.forget.requests import deletions, erase_person, erase_some
from memory.sessions.erasing import erase_session
from memory.sessions.taking_out import erase_messages, erase_wording


class ErasuresView(MemoryView):
    """Erase by ids, by filter, one wording, messages, one session, or everything about a person."""

    @extend_schema(request=erasure_inputs.ErasureInput, responses={201: schema.ErasureAnswer})
    @idempotent(replays.erasure)
    def post(self, request: Request) -> Written:
        """Fence now; the receipt tells how far the copies are."""
        values = parse(erasure_inputs.ErasureInput, request.data)
        principal = access.for_user(self.caller, values["user_id"])
        erasure = _erase(principal, values)
        return Written(Response(receipt(erasure), status=status.HTTP_201_CREATED), [erasure.id])


def _erase(principal: Principal, values: Mapping[str, Any]) -> Any:
    """Erase what is named, in one way."""
    some, filters = values.get("memory_ids", []), values.get("filters", {})
    session, events, version = (values.get(name) for name in ("session", "events", "version"))
    ways = (some or filters, session, events, values["everything"])
    if sum(map(bool, ways)) > 1:
        raise InvalidInput("Name memories, messages, one session or everything, not two of them.")
    if version is not None and (len(some) != 1 or filters):
        raise InvalidInput("A version is one of one memory, named in memory_ids.")
    if values["everything"]:
        return erase_person(principal, confirm=values.get("confirm", ""))
    if session is not None:
        return erase_session(principal, session)
    if events:
        return erase_messages(principal, events)
    if version is not None:
        return erase_wording(principal, some[0], version)
    return erase_some(principal, memory_ids=some, filters=filters)


class ErasureView(MemoryView):
    """One erasure."""

    @extend_schema(responses={200: schema.ErasureAnswer})
    def get(self, request: Request, erasure_id: uuid.UUID) -> Response:
        """Return its state, its steps with counts, and the signature over both."""
        return Response(receipt(access_erasure(self.caller, erasure_id)))


class DeletionsView(MemoryView):
    """What agents must delete from their own copies."""

    @extend_schema(
        parameters=[erasure_inputs.DeletionsQuery], responses={200: schema_people.DeletionPage}
    )
    def get(self, request: Request) -> Response:
        """List what was erased of a person after ``after``, in the order of the ledger."""
        values = parse(erasure_inputs.DeletionsQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        found, more = deletions(principal, after=values["after"], limit=values["limit"])
        items = [
            {
                "number": one.number,
                "kind": one.object_kind,
                "id": one.object_id,
                "erasure_id": one.erasure_id,
                "at": one.at,
            }
            for one in found
        ]
        return Response({"deletions": items, "next": more})


class AcknowledgeView(MemoryView):
    """The agent's word that its own copies are gone."""

    def stands(self, written: Written) -> Response:
        """Answer a repeated request; ids: the erasure. It is about nobody, so that it outlives them."""
        (erasure_id,) = written.ids
        return Response(self._said(erasure_id), status=written.status)

    @extend_schema(request=None, responses={200: schema_people.Acknowledgement})
    @idempotent(stands)
    def post(self, request: Request, erasure_id: uuid.UUID) -> Written:
        """Note that the agent has erased its own copies of what the erasure names; the person sees it."""
        parse(inputs.Nothing, request.data)
        return Written(Response(self._said(erasure_id)), [erasure_id])

    def _said(self, erasure_id: uuid.UUID) -> dict[str, Any]:
        return {"erasure_id": erasure_id, "acknowledged_at": acknowledge(self.caller, erasure_id)}
