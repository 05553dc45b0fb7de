"""Working memory: one session's messages and summary, and a task's board."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.fields import SealedField
from accounts.walls import personal, row_key
from memory.choices import Role
from memory.models.base import PersonalRow
from memory.models.event import Event


class Session(PersonalRow):
    """A conversation of one person with one agent. ``external_id`` is the caller's own name."""

    agent_id = models.UUIDField()
    external_id = models.CharField(max_length=200)
    opened_at = models.DateTimeField(default=timezone.now)
    last_active_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)
    next_sequence = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            row_key("session"),
            *personal("session"),
            models.UniqueConstraint(
                fields=["tenant", "subject", "agent_id", "external_id"], name="session_external_id"
            ),
        ]


class Message(PersonalRow):
    """An event's place in a session. The text stands in the event, once."""

    session = models.ForeignKey(
        Session, models.RESTRICT, related_name="messages", db_constraint=False
    )
    event = models.ForeignKey(Event, models.RESTRICT, related_name="+", db_constraint=False)
    sequence = models.PositiveIntegerField()
    role = models.CharField(max_length=20, choices=Role)
    at = models.DateTimeField()
    tokens = models.PositiveIntegerField(default=0)
    low_information = models.BooleanField(default=False)
    # False if it was said while learning was off: it serves the conversation, and nothing is learnt of it.
    may_learn = models.BooleanField(default=True, db_default=True)
    extracted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            *personal(
                "message", parents={"session_id": "memory_session", "event_id": "memory_event"}
            ),
            models.UniqueConstraint(fields=["session", "sequence"], name="message_sequence"),
            models.UniqueConstraint(fields=["event"], name="message_event"),
        ]
        indexes = [
            models.Index(
                fields=["session", "sequence"],
                condition=Q(extracted_at__isnull=True),
                name="message_unextracted",
            )
        ]


class Summary(PersonalRow):
    """What the older turns of a session said, with the ids of those turns; one a session.

    ``version`` counts its compactions: it moves by compare-and-set.
    """

    session = models.ForeignKey(
        Session, models.RESTRICT, related_name="summaries", db_constraint=False
    )
    text = SealedField()
    event_ids = ArrayField(models.UUIDField(), default=list)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            *personal("summary", parents={"session_id": "memory_session"}),
            models.UniqueConstraint(fields=["session"], name="summary_session"),
        ]


class TaskBoard(PersonalRow):
    """A task's state: JSON with a version, resumed from any session or device."""

    agent_id = models.UUIDField()
    external_id = models.CharField(max_length=200)
    project = models.CharField(max_length=100, blank=True)
    state = SealedField()
    event_ids = ArrayField(models.UUIDField(), default=list)
    version = models.PositiveIntegerField(default=1)
    step = models.PositiveIntegerField(default=0)
    status = models.CharField(
        max_length=20,
        choices=[("open", "Open"), ("completed", "Completed"), ("cancelled", "Cancelled")],
        default="open",
    )
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            *personal("taskboard"),
            models.UniqueConstraint(
                fields=["tenant", "subject", "agent_id", "external_id"],
                name="taskboard_external_id",
            ),
        ]
