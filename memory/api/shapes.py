"""What the described answers are made of: fields, problems, and which problem each request can meet."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

PROBLEM_TYPE = "application/problem+json"

IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": r'^(W/)?"?[1-9][0-9]{0,8}"?$'},
    OpenApiParameter.HEADER,
    required=True,
    description='The version you read, for example "3".',
)
IF_MATCH_MAYBE = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": r'^(W/)?"?[1-9][0-9]{0,8}"?$'},
    OpenApiParameter.HEADER,
    description="The version you read, if you have read one.",
)
WAIT = OpenApiParameter(
    "wait",
    bool,
    description="Wait up to 10 seconds for the work, and answer with what came of it.",
)


class Answer(serializers.Serializer[Any]):
    """Base of every described answer."""


def words(**options: Any) -> serializers.CharField:
    """Return a field for text."""
    return serializers.CharField(**options)


def ids() -> serializers.ListField:
    """Return a field for a list of our ids."""
    return serializers.ListField(child=serializers.UUIDField())


def codes(choices: Any = None, **options: Any) -> serializers.ListField:
    """Return a field for a list of codes."""
    child = serializers.ChoiceField(choices.choices) if choices else words()
    return serializers.ListField(child=child, **options)


def one_of(choices: Any, **options: Any) -> serializers.ChoiceField:
    """Return a field for one value of an enumeration."""
    return serializers.ChoiceField(choices.choices, **options)


def maybe_id() -> serializers.UUIDField:
    """Return a field for an id of ours, or null."""
    return serializers.UUIDField(allow_null=True)


def maybe_time() -> serializers.DateTimeField:
    """Return a field for a time, or null."""
    return serializers.DateTimeField(allow_null=True)


def next_cursor() -> serializers.CharField:
    """Return the field that leads to the next page; null on the last one."""
    return words(allow_null=True, help_text="The cursor of the next page; null on the last.")


# --- errors --------------------------------------------------------------------------------------


class FieldProblem(Answer):
    """What is wrong with one field."""

    field = words()
    detail = words()


class Problem(Answer):
    """An error (RFC 9457). Decide by ``code``."""

    type = words()
    title = words()
    status = serializers.IntegerField()
    detail = words()
    code = words()
    errors = FieldProblem(many=True, required=False)  # type: ignore[assignment]  # a field by this name


def _problem(description: str) -> OpenApiResponse:
    return OpenApiResponse(Problem, description=description)


PROBLEMS: dict[tuple[int, str], OpenApiResponse] = {
    (400, PROBLEM_TYPE): _problem("The request is not understood."),
    (401, PROBLEM_TYPE): _problem("No key, or one that is unknown, expired or revoked."),
    (403, PROBLEM_TYPE): _problem("The key or its grant does not cover this."),
    (404, PROBLEM_TYPE): _problem("Nothing is there, or the caller may not know of it."),
    (406, PROBLEM_TYPE): _problem("Only JSON can be had."),
    (410, PROBLEM_TYPE): _problem("It was erased or has expired."),
    (429, PROBLEM_TYPE): _problem("Too many requests; wait for Retry-After seconds."),
    (503, PROBLEM_TYPE): _problem("The vault or the database cannot answer now."),
}
WRITE_PROBLEMS = {
    (409, PROBLEM_TYPE): _problem("The object changed meanwhile, or the first request still runs."),
}
BODY_PROBLEMS = {
    (413, PROBLEM_TYPE): _problem("The body or a text is too large."),
    (415, PROBLEM_TYPE): _problem("Only application/json is read."),
}
KEY_PROBLEMS = {
    (422, PROBLEM_TYPE): _problem("The Idempotency-Key was used for another request."),
}
VERSION_PROBLEMS = {
    (412, PROBLEM_TYPE): _problem("A newer version exists."),
    (428, PROBLEM_TYPE): _problem("Send If-Match with the version you read."),
}
