"""The shapes of bodies and queries about sessions and tasks."""

from typing import Any

from rest_framework import serializers

from memory.api.base import StrictSerializer
from memory.api.inputs import Steps, code, person, prose, raw
from memory.api.json_types import Moment
from memory.context.values import Style
from memory.policy import BOARD, CONTEXT, PROCEDURE, SESSION
from memory.write.procedures import FAILURE, SUCCESS

MAX_CITED = 200


class MessageListQuery(StrictSerializer):
    """A page of messages."""

    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)
    cursor = serializers.CharField(max_length=200, required=False)


class CompactInput(StrictSerializer):
    """What a session is to fit."""

    budget = serializers.IntegerField(
        min_value=1, max_value=CONTEXT.max_budget, default=CONTEXT.budget
    )


class ContextInput(CompactInput):
    """What to lay out."""

    query = prose(max_length=SESSION.max_message, required=False, allow_blank=True)
    system = prose(max_length=200_000, required=False, allow_blank=True)
    task_id = prose(max_length=200, required=False)
    format = serializers.ChoiceField([style.value for style in Style], default=Style.MESSAGES.value)
    policy = serializers.CharField(max_length=30, required=False)
    purpose = code(required=False)
    knowledge = serializers.BooleanField(required=False)


class NewTurnInput(ContextInput):
    """What the person says, and how to lay out the context for the answer."""

    query = raw(max_length=1_000_000)
    at = Moment(required=False)


class CloseInput(StrictSerializer):
    """Nothing is asked to close a session."""


class Anything(serializers.JSONField):
    """Any JSON value; the service says what is wrong with it."""


class BoardQuery(StrictSerializer):
    """Whose board."""

    user_id = person()


class BoardInput(StrictSerializer):
    """A board's state, or a merge patch of it."""

    user_id = person()
    state = Anything()
    step = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    event_ids = serializers.ListField(
        child=serializers.UUIDField(), max_length=MAX_CITED, required=False
    )

    def validate_state(self, value: Any) -> Any:
        """Refuse what is no JSON object."""
        if not isinstance(value, dict):
            raise serializers.ValidationError("Must be a JSON object.")
        return value


class ObservationInput(StrictSerializer):
    """What was seen in one step."""

    user_id = person()
    step = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    observation = raw(max_length=BOARD.max_observation * 4)
    at = Moment(required=False)


class CancelInput(StrictSerializer):
    """Whose task is given up, what sort of task it was, and why."""

    user_id = person()
    kind = prose(max_length=PROCEDURE.max_title, required=False)
    cause = prose(max_length=PROCEDURE.max_step, required=False)


class CompleteInput(CancelInput):
    """Whose task is done, how it went and how it was done."""

    outcome = serializers.ChoiceField([SUCCESS, FAILURE], default=SUCCESS)
    steps = Steps(required=False)
