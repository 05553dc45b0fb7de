"""/recall: bring back, and why or why not. Never GET, so that no query lands in an access log."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api import inputs, knowledge_outputs, outputs, schema, schema_knowledge
from memory.api.base import MemoryView, parse
from memory.choices import Layer, Role
from memory.context.layers import recall_layers
from memory.quotas import Quota
from memory.recall.explain import explain
from memory.recall.values import RecallQuery, Said


class RecallView(MemoryView):
    """Recall memories about a question."""

    counts = {"POST": (Quota.RECALLS,)}

    @extend_schema(request=inputs.LayeredInput, responses={200: schema_knowledge.LayeredAnswer})
    def post(self, request: Request) -> Response:
        """Return what is relevant, or say that nothing is, or what could not be searched."""
        values = parse(inputs.LayeredInput, request.data)
        named = {Layer(one) for one in values.pop("layers", ())}
        values["session_id"] = values.pop("session", None)
        principal = access.for_user(self.caller, values.pop("user_id"), create=True)
        return Response(knowledge_outputs.layered(recall_layers(principal, _query(values), named)))


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
