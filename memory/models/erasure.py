"""An erasure: its request, its steps (one per store), what is left of it.

These are work tables: ids, codes and counts. Sweepers read them across people, so they carry no
row policy (each is a listed exemption in the architecture tests).
"""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.choices import ActorKind
from accounts.walls import AppendOnly, CompositeForeignKey, row_key, subject_key
from memory.choices import ErasureScope, ErasureState, StepState

# Not done online yet, and nothing it waits for: what is on hold may be so for years.
OPEN_STATES = (
    ErasureState.REQUESTED,
    ErasureState.CONFIRMED,
    ErasureState.FENCED,
    ErasureState.RUNNING,
    ErasureState.VERIFYING,
    ErasureState.NEEDS_ATTENTION,
)


class Erasure(models.Model):
    """A request to erase. From ``fenced`` on there is no way back.

    ``session_id`` is the session that is erased whole, where one is.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant_id = models.UUIDField()
    subject_id = models.UUIDField()
    state = models.CharField(max_length=30, choices=ErasureState)
    scope = models.CharField(max_length=20, choices=ErasureScope, default=ErasureScope.MEMORIES)
    memory_ids = ArrayField(models.UUIDField(), default=list)
    event_ids = ArrayField(models.UUIDField(), default=list)
    session_id = models.UUIDField(null=True)
    requested_by_kind = models.CharField(max_length=20, choices=ActorKind)
    requested_by_id = models.UUIDField(null=True)
    requested_at = models.DateTimeField(default=timezone.now)
    fenced_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    backups_until = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)
    hold_reason = models.CharField(max_length=50, blank=True)

    class Meta:
        constraints = [
            row_key("erasure", "tenant_id", "subject_id", "id"),
            subject_key("erasure"),
            models.CheckConstraint(
                condition=Q(state__in=ErasureState.values), name="erasure_state"
            ),
        ]
        indexes = [models.Index(fields=["tenant_id", "subject_id"], name="erasure_subject")]

    def __str__(self) -> str:
        return str(self.id)


class ErasureStep(models.Model):
    """One store's part of one erasure, leased by whoever works on it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant_id = models.UUIDField()
    subject_id = models.UUIDField()
    erasure = models.ForeignKey(Erasure, models.RESTRICT, related_name="steps", db_constraint=False)
    store = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=StepState, default=StepState.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    due_at = models.DateTimeField(default=timezone.now)
    count_before = models.PositiveIntegerField(null=True)
    count_after = models.PositiveIntegerField(null=True)
    verified_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = [
            subject_key("erasurestep"),
            CompositeForeignKey(
                name="erasurestep_erasure_fk",
                columns=["tenant_id", "subject_id", "erasure_id"],
                to="memory_erasure",
                to_columns=["tenant_id", "subject_id", "id"],
            ),
            models.UniqueConstraint(fields=["erasure", "store"], name="erasurestep_store"),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], condition=~Q(state=StepState.DONE), name="erasurestep_due"
            )
        ]

    def __str__(self) -> str:
        return f"{self.store} {self.state}"


class Tombstone(models.Model):
    """What is left of an erased object: id, when, which request."""

    object_id = models.UUIDField(primary_key=True)
    object_kind = models.CharField(max_length=20, default="memory")
    tenant_id = models.UUIDField()
    subject_id = models.UUIDField()
    erasure_id = models.UUIDField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [subject_key("tombstone")]

    def __str__(self) -> str:
        return str(self.object_id)


class LedgerEntry(models.Model):
    """The numbered list of what was erased; a restore replays it."""

    number = models.BigAutoField(primary_key=True)
    tenant_id = models.UUIDField()
    subject_id = models.UUIDField()
    erasure_id = models.UUIDField()
    object_kind = models.CharField(max_length=20)
    object_id = models.UUIDField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [subject_key("ledgerentry"), AppendOnly(name="ledger_append_only")]
        indexes = [models.Index(fields=["erasure_id"], name="ledger_erasure")]

    def __str__(self) -> str:
        return str(self.number)
