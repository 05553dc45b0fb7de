"""/recall: bring back, and why or why not. Never GET, so that no query lands in an access log."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import inputs, outputs, schema
from memory.api.base import MemoryView, parse
from memory.choices import Role
from memory.recall.explain import explain
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery, Said


class RecallView(MemoryView):
    """Recall memories about a question."""

    @extend_schema(request=inputs.RecallInput, responses={200: schema.RecallAnswer})
    def post(self, request: Request) -> Response:
        """Return what is relevant, or say that nothing is, or what could not be searched."""
        values = parse(inputs.RecallInput, request.data)
        principal = access.for_user(self.caller, values.pop("user_id"), create=True)
        return Response(outputs.answer(recall(principal, _query(values))))


class ExplainView(MemoryView):
    """Explain a recall."""

    @extend_schema(request=inputs.ExplainInput, responses={200: schema.Explanation})
    def post(self, request: Request) -> Response:
        """Return all that a recall weighs and why each was handed over or not; a person's key."""
        values = parse(inputs.ExplainInput, request.data)
        principal = access.for_user(self.caller, values.pop("user_id"))
        about = {name: values.pop(name, None) for name in ("memory_id", "agent_id")}
        return Response(outputs.explanation(explain(principal, _query(values), **about)))


def _query(values: dict[str, Any]) -> RecallQuery:
    turns = [
        Said(role=Role(one["role"]), content=one["content"]) for one in values.pop("turns", ())
    ]
    return RecallQuery(text=values.pop("query"), turns=turns, **values)
