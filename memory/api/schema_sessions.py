"""The shapes of answers about working memory: sessions, contexts, tasks, originals."""

from rest_framework import serializers

from memory.api.schema import JobAnswer
from memory.api.schema_people import Decision, Quote
from memory.api.shapes import (
    Answer,
    Problem,
    codes,
    ids,
    maybe_id,
    maybe_time,
    next_cursor,
    one_of,
    words,
)
from memory.choices import JobKind, JobState, RecallStatus, Role
from memory.choices.events import EventType

# --- sessions ------------------------------------------------------------------------------------


class OpenedSession(Answer):
    """A session under both its ids."""

    id = serializers.UUIDField()
    user_id = words()
    session_id = words()
    opened_at = serializers.DateTimeField()
    closed_at = maybe_time()


class Session(Answer):
    """A session without its messages; ``messages`` counts what it has received."""

    id = serializers.UUIDField()
    session_id = words()
    agent_id = serializers.UUIDField()
    opened_at = serializers.DateTimeField()
    last_active_at = serializers.DateTimeField()
    closed_at = maybe_time()
    messages = serializers.IntegerField()


class ClosedSession(Session):
    """A closed session, and the job that reads what was left of it."""

    job = JobAnswer(required=False)


class SessionPage(Answer):
    """A page of sessions, newest first."""

    sessions = Session(many=True)
    next = next_cursor()


class Message(Answer):
    """A message with its words."""

    event_id = serializers.UUIDField()
    sequence = serializers.IntegerField()
    role = one_of(Role)
    content = words()
    name = words(allow_null=True)
    at = serializers.DateTimeField()
    late = serializers.BooleanField()
    low_information = serializers.BooleanField()
    tokens = serializers.IntegerField()
    redacted = codes()


class MessagePage(Answer):
    """A page of messages, oldest first."""

    messages = Message(many=True)
    next = next_cursor()


class MessagesAnswer(Answer):
    """What became of messages: their events, the job that reads them, what the gate decided."""

    events = ids()
    job = JobAnswer(required=False)
    decisions = Decision(many=True, required=False)


# --- contexts ------------------------------------------------------------------------------------


class ContextMessage(Answer):
    """One message for a chat API."""

    role = words()
    content = words()


class LeftOut(Answer):
    """What had no place in a context, and why."""

    part = words()
    reason = words()
    memories = serializers.ListField(child=serializers.CharField(), required=False)
    documents = serializers.ListField(child=serializers.CharField(), required=False)
    events = serializers.ListField(child=serializers.CharField(), required=False)
    # The class needs the name ``fields`` for something else.
    fields_ = serializers.ListField(child=serializers.CharField(), required=False)

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]  # as in the base
        """Give ``fields`` its name."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class ContextRecall(Answer):
    """The recall behind a context."""

    id = serializers.UUIDField()
    status = one_of(RecallStatus)
    degraded = codes()


class Citation(Answer):
    """What a number in a context stands for: a stretch of a document's text."""

    number = serializers.IntegerField()
    document_id = serializers.UUIDField()
    title = words()
    section = codes()
    page = serializers.IntegerField(allow_null=True)
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    revision = serializers.IntegerField()


class CompactAnswer(Answer):
    """The summary as a context shows it, empty where all turns fit; tokens of each part; what was left out."""

    summary = words()
    tokens = serializers.DictField(child=serializers.IntegerField())
    left_out = LeftOut(many=True)


class ContextAnswer(Answer):
    """Messages, or one text; tokens of each part; what was left out; what its numbers cite.

    ``system`` stands apart in Anthropic's format.
    """

    system = words(required=False)
    messages = ContextMessage(many=True, required=False)
    text = words(required=False)
    tokens = serializers.DictField(child=serializers.IntegerField())
    left_out = LeftOut(many=True)
    citations = Citation(many=True)
    recall = ContextRecall(allow_null=True)


class TurnAnswer(ContextAnswer):
    """A context, and the event of the message it ends with."""

    event = serializers.UUIDField()


# --- tasks ---------------------------------------------------------------------------------------


class Board(Answer):
    """The board of a task."""

    id = serializers.UUIDField()
    task_id = words()
    state = serializers.DictField()
    version = serializers.IntegerField()
    step = serializers.IntegerField()
    status = words()
    event_ids = ids()
    updated_at = serializers.DateTimeField()
    expires_at = maybe_time()


class Observed(Answer):
    """An observation that was kept."""

    event = serializers.UUIDField()
    step = serializers.IntegerField()
    version = serializers.IntegerField()


# --- originals -----------------------------------------------------------------------------------


class Original(Answer):
    """An event with its words."""

    id = serializers.UUIDField()
    type = one_of(EventType)
    role = one_of(Role, allow_null=True)
    content = words()
    name = words(allow_null=True)
    at = serializers.DateTimeField()
    received_at = serializers.DateTimeField()
    expires_at = maybe_time()
    redacted = codes()
    agent_id = maybe_id()
    session_id = maybe_id()


class GoneOriginal(Problem):
    """An original that is gone, with the quotes that are left of it."""

    quotes = Quote(many=True)


class Job(Answer):
    """Work in the background; ``error`` names the class of the last failure.

    ``done`` of ``total`` says how far it is, where that is counted.
    """

    id = serializers.UUIDField()
    kind = one_of(JobKind)
    state = one_of(JobState)
    attempts = serializers.IntegerField()
    done = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = maybe_time()
    error = serializers.CharField(allow_null=True)
