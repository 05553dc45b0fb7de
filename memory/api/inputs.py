"""The shapes of bodies and queries."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.api.base import StrictSerializer
from memory.api.json_types import Moment, MomentOrDay, Raw
from memory.choices import (
    Kind,
    Layer,
    Origin,
    Role,
    Sensitivity,
    State,
    Subtype,
    Visibility,
)
from memory.choices.slots import OWN_SLOTS
from memory.policy import PROCEDURE, WRITE

MAX_TAGS = 20
MAX_BATCH = 500
MAX_TURNS = 20
MOST_TOKENS = 128_000


def prose(**options: Any) -> serializers.CharField:
    """Return a field for one line or more of text; spaces at its ends are kept."""
    return serializers.CharField(trim_whitespace=False, **options)


def raw(**options: Any) -> serializers.CharField:
    """Return a field for what a message or a tool's output held, colours of a terminal and all."""
    return Raw(trim_whitespace=False, **options)


def person() -> serializers.CharField:
    """Return the field that names the person; there is no default and no "all"."""
    return prose(max_length=200)


def code(**options: Any) -> serializers.RegexField:
    """Return a field for a code: it may stand in logs, so it has no room for words."""
    return serializers.RegexField(r"^[a-z][a-z0-9_.-]*$", max_length=50, **options)


def unit(**options: Any) -> serializers.FloatField:
    """Return a field for a number from 0 to 1."""
    return serializers.FloatField(min_value=0, max_value=1, required=False, **options)


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": True,
        "example": {"kind": "episodic", "NOT": {"tags": ["work"]}},
    }
)
class FiltersField(serializers.JSONField):
    """Conditions joined by AND, OR and NOT; the service says which it knows."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what is no object."""
        if not isinstance(data, dict):
            raise serializers.ValidationError("Must be an object of conditions.")
        return super().to_internal_value(data)


class Nothing(StrictSerializer):
    """No body at all, or an empty one."""


class EvidenceInput(StrictSerializer):
    """What a proposed memory rests on."""

    event_id = serializers.UUIDField(required=False)
    quote = raw(required=False, max_length=WRITE.max_text)


class ProposedMemory(StrictSerializer):
    """One proposed memory, without the person."""

    text = prose(max_length=100_000, allow_blank=True)
    kind = serializers.ChoiceField(Kind.choices, required=False)
    subtype = serializers.ChoiceField(Subtype.choices, required=False)
    attribute = serializers.RegexField(
        r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$", max_length=100, required=False
    )
    value = prose(required=False, max_length=500)
    about = prose(required=False, max_length=200)
    confidence = unit()
    importance = unit()
    sensitivity = serializers.ChoiceField(
        [choice for choice in Sensitivity.choices if choice[0] < Sensitivity.SECRET],
        required=False,
    )
    occurred = MomentOrDay(required=False)
    valid_from = MomentOrDay(required=False)
    valid_to = MomentOrDay(required=False)
    tags = serializers.ListField(child=prose(max_length=50), max_length=MAX_TAGS, required=False)
    metadata = serializers.DictField(child=prose(max_length=500), required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    evidence = EvidenceInput(required=False)
    # Where the text is from, if not from the caller itself: it lowers the trust, never raises it.
    origin = serializers.ChoiceField(
        [one for one in Origin.choices if one[0] not in (Origin.PERSON, Origin.PERSON_QUOTED)],
        required=False,
    )

    def validate_attribute(self, value: str) -> str:
        """Refuse the slots that only the service fills."""
        if value in OWN_SLOTS:
            raise serializers.ValidationError("This slot is the service's own.")
        return value


class MemoryInput(ProposedMemory):
    """A proposed memory."""

    user_id = person()


class Steps(serializers.ListField):
    """Ordered steps, each a line."""

    def __init__(self, **options: Any) -> None:
        child = prose(max_length=PROCEDURE.max_step)
        super().__init__(child=child, max_length=PROCEDURE.max_steps, **options)


class ProcedureInput(StrictSerializer):
    """How a kind of task is done."""

    user_id = person()
    title = prose(max_length=PROCEDURE.max_title)
    steps = Steps(min_length=1)


class BatchInput(StrictSerializer):
    """Many proposed memories of one person."""

    user_id = person()
    memories = serializers.ListField(child=ProposedMemory(), min_length=1, max_length=MAX_BATCH)


class Batch(StrictSerializer):
    """A batch before its items are looked at: one that is malformed fails alone."""

    user_id = person()
    memories = serializers.ListField(
        child=serializers.DictField(), min_length=1, max_length=MAX_BATCH
    )


class SearchInput(StrictSerializer):
    """What to search for."""

    user_id = person()
    text = prose(max_length=8000)
    limit = serializers.IntegerField(min_value=1, max_value=50, default=20)
    filters = FiltersField(required=False)


class PersonQuery(StrictSerializer):
    """Whom it is about."""

    user_id = person()


class PageQuery(PersonQuery):
    """A page of a list about a person."""

    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)
    cursor = serializers.CharField(max_length=200, required=False)


class CorrectionInput(StrictSerializer):
    """A new wording; an agent that quotes the person names the message it stands in."""

    text = prose(max_length=WRITE.max_text)
    evidence = EvidenceInput(required=False)


class MemoryListQuery(StrictSerializer):
    """Which memories to list."""

    user_id = person()
    kind = serializers.ChoiceField(Kind.choices, required=False)
    attribute = serializers.CharField(max_length=100, required=False)
    state = serializers.ChoiceField(
        [State.PENDING, State.ACTIVE, State.PAUSED, State.DISPUTED, State.ARCHIVED], required=False
    )
    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)
    cursor = serializers.CharField(max_length=200, required=False)


class TurnInput(StrictSerializer):
    """One turn of the conversation before a question."""

    role = serializers.ChoiceField(
        [(Role.USER, Role.USER.label), (Role.ASSISTANT, Role.ASSISTANT.label)]
    )
    content = prose(max_length=8000, allow_blank=True)


class RecallInput(StrictSerializer):
    """What to recall."""

    user_id = person()
    query = prose(max_length=8000)
    task = prose(required=False, max_length=8000, allow_blank=True)
    turns = serializers.ListField(child=TurnInput(), max_length=MAX_TURNS, required=False)
    top_k = serializers.IntegerField(min_value=1, max_value=50, required=False)
    max_tokens = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, required=False)
    filters = FiltersField(required=False)
    as_of = Moment(required=False)
    known_at = Moment(required=False)
    include_history = serializers.BooleanField(required=False)
    policy = serializers.CharField(max_length=30, required=False)
    purpose = code(required=False)
    include_profile = serializers.BooleanField(required=False)


class ExplainInput(RecallInput):
    """What to explain: a recall, by the person or as one of their agents would make it."""

    memory_id = serializers.UUIDField(required=False)
    agent_id = serializers.UUIDField(required=False)


class LayeredInput(RecallInput):
    """What to recall, and where to look for it."""

    layers = serializers.ListField(
        child=serializers.ChoiceField(Layer.choices), min_length=1, max_length=3, required=False
    )
    session = serializers.UUIDField(required=False)


class SessionInput(StrictSerializer):
    """Which session to open."""

    user_id = person()
    session_id = prose(max_length=200, required=False)


class MessageInput(StrictSerializer):
    """One message."""

    role = serializers.ChoiceField(Role.choices)
    content = raw(max_length=1_000_000, allow_blank=True)
    at = Moment(required=False)
    name = prose(max_length=200, required=False)


class MessagesInput(StrictSerializer):
    """A batch of messages."""

    messages = MessageInput(many=True)


class UserInput(StrictSerializer):
    """Whom to make known; ``anonymous``: nobody known yet, who may turn out to be a person later."""

    user_id = person()
    anonymous = serializers.BooleanField(default=False)
