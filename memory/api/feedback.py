"""/feedback: how what an agent was handed served it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.api.base import MemoryView, StrictSerializer, parse
from memory.api.idempotency import Written, idempotent
from memory.api.inputs import prose
from memory.api.replays import person_of
from memory.api.shapes import Answer, maybe_id, one_of
from memory.choices.verdicts import Verdict
from memory.errors import InvalidInput
from memory.write.feedback import Report, feedback_of, report


class FeedbackInput(StrictSerializer):
    """What served how: a memory, a recall as a whole, or a memory that a recall handed over.

    Without a verdict: how the task ended that a recall was for.
    """

    recall_id = serializers.UUIDField(required=False)
    memory_id = serializers.UUIDField(required=False)
    verdict = serializers.ChoiceField(Verdict.choices, required=False)
    task_id = prose(max_length=200, required=False)
    success = serializers.BooleanField(required=False)


class FeedbackAnswer(Answer):
    """What was noted."""

    id = serializers.UUIDField()
    recall_id = maybe_id()
    memory_id = maybe_id()
    verdict = one_of(Verdict, allow_null=True)
    task_id = serializers.CharField(allow_null=True)
    success = serializers.BooleanField(allow_null=True)
    at = serializers.DateTimeField()


def _again(view: MemoryView, written: Written) -> Response:
    row = feedback_of(person_of(view, written), written.ids[0])
    return Response(_shown(row), status=written.status)


def _shown(row: Any) -> dict[str, Any]:
    names = ("id", "recall_id", "memory_id", "success", "at")
    words = {"verdict": row.verdict or None, "task_id": row.task_id or None}
    return {name: getattr(row, name) for name in names} | words


class FeedbackView(MemoryView):
    """Say how what was handed over served."""

    @extend_schema(request=FeedbackInput, responses=dict.fromkeys((200, 201), FeedbackAnswer))
    @idempotent(_again)
    def post(self, request: Request) -> Written:
        """Say that it helped, made the answer worse, or is wrong, or how the task ended: 201, or 200 where that was said."""
        said = Report(**parse(FeedbackInput, request.data))
        if said.memory_id is not None:
            principal = access.for_object(self.caller, "memory", said.memory_id)
        elif said.recall_id is not None:
            principal = access.for_object(self.caller, "recalllog", said.recall_id)
        else:
            raise InvalidInput("Give recall_id, memory_id or both.")
        row, is_new = report(principal, said)
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        ids = [one for one in (row.id, row.memory_id) if one is not None]
        return Written(Response(_shown(row), status=code), ids, principal.subject_id, code)
