"""The shapes of answers about a person: what waits, where things come from, people themselves."""

from rest_framework import serializers

from accounts.choices import ActorKind, AuditCode, Learning, MemoryMode, MergeState
from memory.api.schema import Memory
from memory.api.shapes import Answer, codes, maybe_id, maybe_time, next_cursor, one_of, words
from memory.choices import (
    Kind,
    Origin,
    Outcome,
    Reason,
    ReviewKind,
    ReviewState,
    Role,
    Sensitivity,
    Subtype,
    SuppressionBasis,
    Trust,
)
from memory.choices.topics import Topic

# --- what waits ----------------------------------------------------------------------------------


class Review(Answer):
    """A question that waits for the person; ``current`` is the memory in force, if two disagree,
    ``parts`` those that a merge would replace."""

    id = serializers.UUIDField()
    kind = one_of(ReviewKind)
    created_at = serializers.DateTimeField()
    lapses_at = maybe_time()
    memory = Memory()
    current = Memory(allow_null=True)
    parts = Memory(many=True)


class ReviewList(Answer):
    """The open questions, oldest first."""

    reviews = Review(many=True)


class PutOff(Answer):
    """A question that was put off."""

    id = serializers.UUIDField()
    state = one_of(ReviewState)
    snoozed_until = maybe_time()


# --- where it comes from -------------------------------------------------------------------------


class Wording(Answer):
    """One version; ``text`` is null where the reader may not see what was superseded."""

    version = serializers.IntegerField()
    text = words(allow_null=True)
    current = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True)
    origin = one_of(Origin)
    trust = one_of(Trust)
    author = one_of(ActorKind)
    author_id = maybe_id()
    valid_from = maybe_time()
    valid_to = maybe_time()
    recorded_at = serializers.DateTimeField()
    superseded_at = maybe_time()


class WordingList(Answer):
    """The versions of a memory, newest first."""

    versions = Wording(many=True)


class Quote(Answer):
    """Words a memory rests on, and the message they stand in."""

    event_id = maybe_id()
    quote = words()
    role = one_of(Role, allow_null=True)
    said_at = serializers.DateTimeField()
    version = serializers.IntegerField()


class Source(Answer):
    """A memory that another was worked out from, and the messages it rests on."""

    memory = Memory()
    event_ids = serializers.ListField(child=serializers.UUIDField())


class SourceList(Answer):
    """What a memory was worked out from, oldest first."""

    sources = Source(many=True)


class EpisodeOfDay(Source):
    """Something that happened, how it ended if that was said, and the messages it rests on."""

    outcome = serializers.CharField(allow_null=True)


class Day(Answer):
    """A day of the person's: what happened, and how much of it ended well or badly."""

    date = serializers.DateField()
    succeeded = serializers.IntegerField()
    failed = serializers.IntegerField()
    episodes = EpisodeOfDay(many=True)


class DayList(Answer):
    """The days on which something happened, newest first."""

    days = Day(many=True)


class QuoteList(Answer):
    """The quotes, oldest first."""

    evidence = Quote(many=True)


class Decision(Answer):
    """One decision of the gate: codes and ids."""

    decision = serializers.UUIDField()
    outcome = one_of(Outcome)
    reasons = codes(Reason)
    id = maybe_id()
    event_id = maybe_id()
    kind = one_of(Kind, allow_null=True)
    subtype = one_of(Subtype, allow_null=True)
    sensitivity = one_of(Sensitivity, allow_null=True)
    agent_id = maybe_id()
    at = serializers.DateTimeField()


class DecisionPage(Answer):
    """A page of decisions, newest first."""

    decisions = Decision(many=True)
    next = next_cursor()


class AuditEvent(Answer):
    """One line of the log: codes, ids and counts."""

    code = one_of(AuditCode)
    at = serializers.DateTimeField()
    actor_kind = one_of(ActorKind)
    actor_id = maybe_id()
    actor_label = serializers.CharField()
    object_kind = serializers.CharField()
    object_id = maybe_id()
    version_before = serializers.IntegerField(allow_null=True)
    version_after = serializers.IntegerField(allow_null=True)
    fields_ = codes()
    sensitivity = one_of(Sensitivity, allow_null=True)
    purpose = serializers.CharField()
    reason = serializers.CharField()
    decision = serializers.CharField()
    result_count = serializers.IntegerField(allow_null=True)
    request_id = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]  # as in the base
        """Give ``fields`` its name, which the class itself needs for something else."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class AuditPage(Answer):
    """A page of the log, newest first."""

    events = AuditEvent(many=True)
    next = next_cursor()


# --- people --------------------------------------------------------------------------------------


class Person(Answer):
    """Our id for a person, beside the caller's."""

    id = serializers.UUIDField()
    user_id = serializers.CharField()


class PersonSwitches(Person):
    """A person's ids and switches."""

    memory_mode = one_of(MemoryMode)
    memory_mode_until = maybe_time()
    learning = one_of(Learning)
    time_zone = serializers.CharField()
    created_at = serializers.DateTimeField()


class AgentMode(Answer):
    """The memory mode of one agent."""

    agent_id = serializers.UUIDField()
    memory_mode = one_of(MemoryMode)
    memory_mode_until = maybe_time()


class AttributeList(Answer):
    """The memories in use that fill an attribute."""

    attributes = Memory(many=True)


class Suppression(Answer):
    """Something that must not be learnt again: by what it matches, since when."""

    id = serializers.UUIDField()
    basis = one_of(SuppressionBasis)
    created_at = serializers.DateTimeField()


class SuppressionList(Answer):
    """What must not be learnt again, newest first."""

    suppressions = Suppression(many=True)


class Interest(Answer):
    """How many messages of the person asked about a topic."""

    topic = one_of(Topic)
    count = serializers.IntegerField()
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class Interests(Answer):
    """What the person keeps asking about, most first; ``counted``: whether it is counted at all."""

    counted = serializers.BooleanField()
    interests = Interest(many=True)


class Deletion(Answer):
    """One line of the feed: what was erased."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    id = serializers.UUIDField()
    erasure_id = serializers.UUIDField()
    at = serializers.DateTimeField()


class Acknowledgement(Answer):
    """Since when the agent has no copies of its own any more, as it says."""

    erasure_id = serializers.UUIDField()
    acknowledged_at = serializers.DateTimeField()


class DeletionPage(Answer):
    """A page of the feed; ``next`` is the number to go on after."""

    deletions = Deletion(many=True)
    next = serializers.IntegerField(allow_null=True)


class Link(Answer):
    """A link that works once."""

    url = serializers.CharField()
    expires_at = serializers.DateTimeField()


class MergeAnswer(Answer):
    """The question to a person whether an anonymous user is them."""

    id = serializers.UUIDField()
    state = one_of(MergeState)
    asked_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
