"""How the OpenAPI document is made from views: names, tags, keys, common parameters and problems.

A view only states its own request, parameters and answers; everything that every operation shares is
added here.
"""

import inspect
import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from memory.api import shapes
from memory.api.idempotency import HEADER

TAGS = {
    "memories": "Memories",
    "recall": "Recall",
    "sessions": "Working memory",
    "tasks": "Working memory",
    "events": "Working memory",
    "reviews": "What waits for the person",
    "decisions": "Where it comes from",
    "audit": "Where it comes from",
    "users": "People",
    "erasures": "Erasure",
    "deletions": "Erasure",
    "knowledge": "Knowledge",
    "jobs": "Work in the background",
}
NAME = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[\x21-\x7e]+$"},
    OpenApiParameter.HEADER,
    description="Your name for this write. Sent again with the same content, it takes effect once.",
)
HEADERS = (
    OpenApiParameter(
        "Idempotency-Replayed",
        {"type": "string", "enum": ["true"]},
        OpenApiParameter.HEADER,
        response=[200, 201, 202],
        description="This request was answered before; nothing was done again.",
    ),
    OpenApiParameter(
        "Retry-After",
        {"type": "integer"},
        OpenApiParameter.HEADER,
        response=[429],
        description="Seconds until the next request may pass.",
    ),
)


class Operation(AutoSchema):
    """Describes one method of one address."""

    def get_operation_id(self) -> str:
        """Return ``verb_what``: ``post_memory_pause`` for POST /memories/{memory_id}/pause."""
        parts = self.path.removeprefix("/api/v1/").strip("/").split("/")
        names = [
            _singular(part) if following.startswith("{") else part
            for part, following in zip(parts, [*parts[1:], ""], strict=True)
            if not part.startswith("{")
        ]
        return "_".join([self.method.lower(), *names]).replace("-", "_")

    def get_summary(self) -> str | None:
        """Return the first line of the method's docstring."""
        return self._documented().partition("\n")[0].rstrip(".") or None

    def get_description(self) -> str:  # type: ignore[override]  # as in the base
        """Return all of it."""
        return self._documented()

    def _documented(self) -> str:
        return inspect.getdoc(self._handler()) or ""

    def _handler(self) -> Any:
        return getattr(self.view, self.method.lower(), None)

    def get_tags(self) -> list[str]:
        """Return the task the address is for."""
        first = self.path.removeprefix("/api/v1/").partition("/")[0]
        return [TAGS.get(first, first.capitalize())]

    def get_override_parameters(self) -> list[Any]:
        """Return the headers this kind of operation shares."""
        return [NAME, *HEADERS] if self._is_idempotent() else [HEADERS[1]]

    def _is_idempotent(self) -> bool:
        return getattr(self._handler(), "idempotent", False)

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        found: dict[str, Any] = super()._get_response_bodies(direction)
        for (status, kind), problem in self._problems().items():
            described = self._get_response_for_code(problem, str(status), [kind], direction)  # type: ignore[no-untyped-call]  # the package's own
            own = found.setdefault(str(status), described)
            own["content"] = described["content"] | own.get("content", {})
        for response in found.values():
            response["description"] = response["description"] or "Done."
        return dict(sorted(found.items()))

    def _problems(self) -> dict[tuple[int, str], Any]:
        problems = dict(shapes.PROBLEMS)
        if self.method != "GET":
            problems |= shapes.WRITE_PROBLEMS
        if self.method not in {"GET", "DELETE"} or self._is_idempotent():
            problems |= shapes.BODY_PROBLEMS
        if self._is_idempotent():
            problems |= shapes.KEY_PROBLEMS
        if any(getattr(one, "name", "") == "If-Match" for one in self.get_override_parameters()):
            problems |= shapes.VERSION_PROBLEMS
        return problems


def share_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put each problem that many operations share among the components, once."""
    shared: dict[str, Any] = {}
    for path in result["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                if set(response.get("content", ())) == {shapes.PROBLEM_TYPE}:
                    shared.setdefault(f"Problem{status}", response)
                    operation["responses"][status] = {
                        "$ref": f"#/components/responses/Problem{status}"
                    }
    result["components"]["responses"] = dict(sorted(shared.items()))
    return result


def _singular(word: str) -> str:
    return re.sub(r"s$", "", re.sub(r"ies$", "y", word))


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself
    """Either header carries the key."""

    target_class = "memory.api.authentication.KeyAuthentication"
    name = ["bearer", "apiKey"]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[Any]]]:
        """One of the two is enough."""
        return [{"bearer": []}, {"apiKey": []}]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:
        """Describe both."""
        about = "An agent's, a person's or a pipeline's key: `ks_…`"
        return [
            {"type": "http", "scheme": "bearer", "description": about},
            {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": about},
        ]


class StrictShape(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # registers itself
    """Bodies refuse fields they do not name."""

    target_class = "memory.api.base.StrictSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """Say so."""
        schema: dict[str, Any] = auto_schema._map_serializer(  # type: ignore[no-untyped-call]  # the package's own
            self.target, direction, bypass_extensions=True
        )
        return schema | {"additionalProperties": False}
