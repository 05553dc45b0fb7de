"""One raw input, redacted at the door, then immutable and sealed."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.fields import SealedField
from accounts.walls import personal, row_key
from memory.choices import Role
from memory.choices.events import EventType
from memory.models.base import PersonalRow


class Event(PersonalRow):
    """A message, tool result or observation. Expires unless something cites it.

    ``digest`` is keyed; a suppression names a source message by it. ``redacted`` lists what was
    cut at the door, as types. ``utc_offset`` is the offset, in minutes, with which its time was told.
    """

    type = models.CharField(max_length=20, choices=EventType, default=EventType.MESSAGE)
    role = models.CharField(max_length=20, choices=Role)
    agent_id = models.UUIDField(null=True)
    session_id = models.UUIDField(null=True)
    text = SealedField()
    speaker = SealedField(default=b"")
    digest = models.BigIntegerField()
    redacted = ArrayField(models.CharField(max_length=30), default=list)
    occurred_at = models.DateTimeField()
    utc_offset = models.SmallIntegerField(default=0)
    received_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)

    content_fields = ("digest",)

    class Meta:
        constraints = [row_key("event"), *personal("event")]
        indexes = [
            models.Index(fields=["tenant", "subject", "session_id"], name="event_session"),
            models.Index(
                fields=["expires_at"], condition=Q(expires_at__isnull=False), name="event_due"
            ),
        ]
