"""The shapes of answers, for the OpenAPI document only: nothing is rendered through them."""

from rest_framework import serializers

from memory.api.shapes import (
    PROBLEMS,
    Answer,
    codes,
    ids,
    maybe_id,
    maybe_time,
    next_cursor,
    one_of,
    words,
)
from memory.choices import (
    ErasureState,
    JobState,
    Kind,
    LinkKind,
    Origin,
    Outcome,
    Reason,
    RecallStatus,
    Sensitivity,
    State,
    StepState,
    Subtype,
    Trust,
    Visibility,
)
from memory.recall.fates import Fate

__all__ = ["PROBLEMS"]  # and every class below


# --- memories ------------------------------------------------------------------------------------


class Memory(Answer):
    """A memory with its current wording."""

    id = serializers.UUIDField()
    text = words()
    kind = one_of(Kind)
    subtype = one_of(Subtype)
    attribute = words(allow_null=True)
    value = words(allow_null=True)
    about = words(allow_null=True)
    state = one_of(State)
    sensitivity = one_of(Sensitivity)
    origin = one_of(Origin)
    trust = one_of(Trust)
    confidence = serializers.FloatField()
    importance = serializers.FloatField()
    pinned = serializers.BooleanField()
    visibility = one_of(Visibility)
    tags = codes()
    metadata = serializers.DictField(child=serializers.CharField())
    version = serializers.IntegerField()
    language = serializers.CharField()
    occurred = maybe_time()
    valid_from = maybe_time()
    valid_to = maybe_time()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    last_confirmed_at = serializers.DateTimeField()
    erase_at = maybe_time()
    agent_id = maybe_id()
    session_id = maybe_id()


class CorrectedMemory(Memory):
    """A memory as it now is, and the memory that waits for the person to take its place."""

    waiting = serializers.UUIDField(required=False)


class MemoryPage(Answer):
    """A page of memories."""

    memories = Memory(many=True)
    next = next_cursor()
    total = serializers.IntegerField(help_text="How many there are on all pages.")


class BatchResult(Answer):
    """What became of one of many: a decision with its status, or a problem's code."""

    status = serializers.IntegerField()
    code = words(required=False)
    detail = words(required=False)
    id = serializers.UUIDField(allow_null=True, required=False)
    state = one_of(State, allow_null=True, required=False)
    version = serializers.IntegerField(allow_null=True, required=False)
    outcome = one_of(Outcome, required=False)
    decision = serializers.UUIDField(required=False)
    reasons = codes(Reason, required=False)


class BatchAnswer(Answer):
    """What became of each, in order."""

    results = BatchResult(many=True)


class StateAnswer(Answer):
    """Where a memory stands now."""

    id = serializers.UUIDField()
    state = one_of(State)
    version = serializers.IntegerField()
    undo_until = maybe_time()


class MemoryLinkAnswer(Answer):
    """A link to another memory: ``outgoing`` from this one to that, else the other way round."""

    id = serializers.UUIDField()
    kind = one_of(LinkKind)
    outgoing = serializers.BooleanField()
    memory_id = serializers.UUIDField()
    created_at = serializers.DateTimeField()


class MemoryLinkList(Answer):
    """The links of a memory."""

    links = MemoryLinkAnswer(many=True)


class DecisionAnswer(Answer):
    """What the gate decided about a proposal; ``id`` is the memory made, raised or changed."""

    id = maybe_id()
    state = one_of(State, allow_null=True)
    version = serializers.IntegerField(allow_null=True)
    outcome = one_of(Outcome)
    decision = serializers.UUIDField()
    reasons = codes(Reason)


class Procedure(Answer):
    """How a kind of task is done, and how often it was done this way."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    steps = serializers.ListField(child=serializers.CharField())
    published = serializers.BooleanField()
    version = serializers.IntegerField()
    origin = one_of(Origin)
    agent_id = maybe_id()
    tried = serializers.IntegerField()
    succeeded = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ProcedureList(Answer):
    """What is published and what waits, by title."""

    procedures = Procedure(many=True)


# --- recall --------------------------------------------------------------------------------------


class ScoreBreakdown(Answer):
    """What a score is made of."""

    relevance = serializers.FloatField()
    recency = serializers.FloatField()
    importance = serializers.FloatField()
    confidence = serializers.FloatField()
    cosine = serializers.FloatField(allow_null=True)
    bm25 = serializers.FloatField()


class RecalledMemory(Answer):
    """A memory brought back: data about the person, not orders."""

    id = serializers.UUIDField()
    text = words()
    kind = one_of(Kind)
    subtype = one_of(Subtype)
    attribute = serializers.CharField(allow_null=True)
    about = serializers.CharField(allow_null=True)
    occurred = maybe_time()
    valid_from = maybe_time()
    valid_to = maybe_time()
    confidence = serializers.FloatField()
    trust = one_of(Trust)
    origin = one_of(Origin)
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    last_confirmed_at = serializers.DateTimeField()
    score = serializers.FloatField(required=False)
    score_breakdown = ScoreBreakdown(required=False)
    why = codes()
    past = serializers.BooleanField()
    contested = serializers.BooleanField()
    evidence = ids()


class Closeness(Answer):
    """How close a wording is to the question; the parts of its score if it passed the gate."""

    relevance = serializers.FloatField(required=False)
    recency = serializers.FloatField(required=False)
    importance = serializers.FloatField(required=False)
    confidence = serializers.FloatField(required=False)
    cosine = serializers.FloatField(allow_null=True)
    bm25 = serializers.FloatField()


class ExplainedMemory(Answer):
    """One wording and what became of it."""

    id = serializers.UUIDField()
    text = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    state = one_of(State)
    fate = one_of(Fate)
    why = codes()
    past = serializers.BooleanField()
    score = serializers.FloatField(allow_null=True)
    score_breakdown = Closeness()


class Stretch(Answer):
    """A time the question was read to name; null is without end."""

    begin = maybe_time()
    end = maybe_time()


class Explanation(Answer):
    """All that a recall weighs, and why."""

    status = one_of(RecallStatus)
    allowed = serializers.BooleanField(help_text="False: no grant to read, or memory is off.")
    policy = words()
    gate = serializers.FloatField()
    times = Stretch(many=True)
    degraded = codes()
    candidates = ExplainedMemory(many=True)
    memory = ExplainedMemory(allow_null=True)


class SearchAnswer(Answer):
    """What matches a text, best first."""

    status = one_of(RecallStatus)
    memories = RecalledMemory(many=True)
    degraded = codes()


# --- work and erasure ----------------------------------------------------------------------------


class JobAnswer(Answer):
    """Work in the background."""

    id = serializers.UUIDField()
    state = one_of(JobState)


class StepAnswer(Answer):
    """One store's part of an erasure."""

    store = words()
    state = one_of(StepState)
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)
    verified_at = maybe_time()


class ErasureAnswer(Answer):
    """The receipt of an erasure: ids, counts and times."""

    id = serializers.UUIDField()
    state = one_of(ErasureState)
    memories = ids()
    messages = serializers.IntegerField()
    session = maybe_id()
    requested_at = serializers.DateTimeField()
    fenced_at = maybe_time()
    erased_at = maybe_time()
    backups_until = maybe_time()
    ledger = serializers.ListField(child=serializers.IntegerField())
    steps = StepAnswer(many=True)
    signature = words()
