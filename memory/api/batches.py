"""/memories/batch and /memories/search."""

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.principal import Principal
from memory import access
from memory.api import inputs, outputs, replays, schema
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.api.memories import proposal
from memory.api.problems import body_of
from memory.errors import KeepsakeError
from memory.quotas import Quota
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery
from memory.write.pipeline import propose
from memory.write.proposal import Decided, Proposal
from memory.write.recorded import recorded

NOTHING = uuid.UUID(int=0)
FAILURES = (KeepsakeError, ValidationError)


class BatchView(MemoryView):
    """Propose many memories."""

    def again(self, written: Written) -> Response:
        """Answer a repeated request; ids: a decision for each (none: nil), then the memories."""
        principal = replays.person_of(self, written)
        asked = parse(inputs.Batch, self.request.data)["memories"]
        pairs = zip(written.ids, asked, strict=False)
        return Response({"results": [_again(principal, id_, one) for id_, one in pairs]})

    @extend_schema(request=inputs.BatchInput, responses={200: schema.BatchAnswer})
    @idempotent(again)
    def post(self, request: Request) -> Written:
        """Decide on each, in order; one that fails does not stop the others."""
        values = parse(inputs.Batch, request.data)
        principal = access.for_user(self.caller, values["user_id"], create=True)
        results, decisions, memories = [], [], []
        for one in values["memories"]:
            try:
                made = propose(principal, _proposed(principal, one), by_hand=principal.is_person)
            except FAILURES as error:
                results.append(_failure(error))
                decisions.append(NOTHING)
            else:
                results.append(_result(made))
                decisions.append(made.id)
                memories += [made.memory.id] if made.memory else []
        return Written(
            Response({"results": results}), [*decisions, *memories], principal.subject_id
        )


def _result(made: Decided) -> dict[str, Any]:
    return {"status": replays.STATUS[made.outcome], **outputs.decided(made)}


def _proposed(principal: Principal, one: Any) -> Proposal:
    return proposal(principal, parse(inputs.ProposedMemory, one))


def _failure(error: Exception) -> dict[str, Any]:
    body = body_of(error) or {}
    return {name: body[name] for name in ("status", "code", "detail")}


def _again(principal: Principal, decision_id: uuid.UUID, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        if decision_id != NOTHING:
            return _result(recorded(principal, decision_id))
        _proposed(principal, asked)  # reads only; says again what was wrong with it
    except FAILURES as error:
        return _failure(error)
    return _failure(KeepsakeError("This one failed when it was first sent."))


class SearchView(MemoryView):
    """Search memories by text and tags."""

    counts = {"POST": (Quota.RECALLS,)}

    @extend_schema(request=inputs.SearchInput, responses={200: schema.SearchAnswer})
    def post(self, request: Request) -> Response:
        """Return what matches, best first; never GET, so that no query lands in a log."""
        values = parse(inputs.SearchInput, request.data)
        principal = access.for_user(self.caller, values["user_id"])
        query = RecallQuery(
            text=values["text"],
            top_k=values["limit"],
            max_tokens=inputs.MOST_TOKENS,
            filters=values.get("filters"),
            include_profile=False,
        )
        found = recall(principal, query)
        return Response(
            {
                "status": found.status,
                "memories": [outputs.recalled(item) for item in found.items],
                "degraded": list(found.degraded),
            }
        )
