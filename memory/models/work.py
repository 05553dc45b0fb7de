"""Work that waits: jobs, notices to send, and requests already answered.

Work tables hold ids and codes only; sweepers read them across people, so they carry no row policy
(each is a listed exemption in the architecture tests).
"""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.walls import subject_key
from memory.choices import UNFINISHED, JobKind, JobState
from memory.choices.notices import NoticeState

OPEN = Q(state__in=UNFINISHED)


class Job(models.Model):
    """Work in the background. ``target_id`` names what it works on; knowledge is about nobody.

    ``done`` of ``total`` says how far it is, where that is counted.
    A long job notes in ``cursor`` how far it is, and in ``tally`` how much it did of what ("raised 3").
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant_id = models.UUIDField()
    subject_id = models.UUIDField(null=True)
    kind = models.CharField(max_length=20, choices=JobKind)
    target_id = models.UUIDField()
    agent_id = models.UUIDField(null=True)
    state = models.CharField(max_length=20, choices=JobState, default=JobState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(null=True)
    total = models.PositiveIntegerField(null=True)
    due_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=100, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    cursor = models.CharField(max_length=60, blank=True)
    tally = ArrayField(models.CharField(max_length=40), default=list)

    class Meta:
        constraints = [subject_key("job")]
        indexes = [
            models.Index(fields=["due_at"], condition=OPEN, name="job_due"),
            models.Index(fields=["finished_at"], condition=~OPEN, name="job_finished"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"

    @property
    def counts(self) -> dict[str, int]:
        """How much it did, by what."""
        told = (one.rpartition(" ") for one in self.tally)
        return {what: int(count) for what, _, count in told}


class OutboxMessage(models.Model):
    """A notice to one agent, sent after the commit until it is delivered, or fetched by the agent.

    ``status`` is the HTTP status of the last answer; ``acknowledged_at`` when the agent said that its
    own copies are gone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant_id = models.UUIDField()
    subject_id = models.UUIDField()
    topic = models.CharField(max_length=50)
    erasure_id = models.UUIDField(null=True)
    agent_id = models.UUIDField(null=True)
    object_ids = ArrayField(models.UUIDField(), default=list)
    state = models.CharField(max_length=20, choices=NoticeState, default=NoticeState.TO_FETCH)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    due_at = models.DateTimeField(default=timezone.now)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    delivered_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            subject_key("outboxmessage"),
            models.UniqueConstraint(fields=["erasure_id", "agent_id"], name="outboxmessage_one"),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], condition=Q(state=NoticeState.QUEUED), name="outboxmessage_due"
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.id}"


class Sweep(models.Model):
    """The last run of one sweeper: how many rows it found, and how the last failure was called.

    ``finished_at`` is the last run that came to its end, ``failed_at`` the last that did not, or failed
    with somebody. ``place`` is the last person visited, where not all could be.
    """

    name = models.CharField(max_length=40, primary_key=True)
    finished_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0)
    found = models.PositiveIntegerField(default=0)
    place = models.UUIDField(null=True)
    failed_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return self.name


class IdempotencyRecord(models.Model):
    """A write already answered: request digest, status and object ids; the answer is rendered anew."""

    id = models.BigAutoField(primary_key=True)
    tenant_id = models.UUIDField()
    subject_id = models.UUIDField(null=True)
    key_id = models.UUIDField()
    key = models.BinaryField(max_length=32)
    request = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField()
    object_ids = ArrayField(models.UUIDField(), default=list)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key_id", "key"], name="idempotencyrecord_key")
        ]
        indexes = [models.Index(fields=["expires_at"], name="idempotencyrecord_due")]

    def __str__(self) -> str:
        return str(self.id)
