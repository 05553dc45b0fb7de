"""Evaluations: the numbers of each that was saved, and the sets that operators bring to measure on."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.fields import SealedField
from accounts.walls import RowWall
from memory.choices import UNFINISHED, JobState
from memory.models.base import TenantRow


class EvaluationSet(TenantRow):
    """A file to measure on, as an operator brought it: sealed, since it may tell of anybody.

    ``digest`` is the SHA-256 of the file.
    """

    name = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    lines = models.PositiveIntegerField()
    content = SealedField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            RowWall(name="evaluationset_wall", columns=["tenant_id"]),
            models.UniqueConstraint(fields=["tenant", "name"], name="evaluationset_name"),
        ]


class EvaluationRun(models.Model):
    """One evaluation: what was measured on what, with which recipe and version, and its numbers.

    Numbers have dotted names of ours; no text of the set is kept. ``owner_id`` is the tenant whose set
    and recipe it is about, None for the service's own; ``operator_id`` who asked for it, None for the
    command line. ``done`` of ``total`` says how far one is that still runs.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    what = models.CharField(max_length=20)
    name = models.CharField(max_length=40, blank=True)
    data = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, blank=True)
    owner_id = models.UUIDField(null=True)
    set_id = models.UUIDField(null=True)
    recipe = models.JSONField(default=dict)
    version = models.CharField(max_length=60, blank=True)
    numbers = models.JSONField(default=dict)
    seconds = models.FloatField(null=True)
    operator_id = models.UUIDField(null=True)
    state = models.CharField(max_length=20, choices=JobState, default=JobState.PENDING)
    done = models.PositiveIntegerField(null=True)
    total = models.PositiveIntegerField(null=True)
    leased_until = models.DateTimeField(null=True)
    error = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["-at"], name="evaluationrun_list")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=UNFINISHED) | Q(finished_at__isnull=False),
                name="evaluationrun_finished",
            )
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.name or self.data}"
