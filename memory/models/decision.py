"""The recorded outcome for one candidate. Codes and ids only: refused text is not kept."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from accounts.walls import personal
from memory.choices import Kind, Outcome, Reason, Sensitivity, Subtype
from memory.models.base import PersonalRow


class Decision(PersonalRow):
    """What the gate answered, and why. ``memory_id`` is the memory made, raised or changed."""

    outcome = models.CharField(max_length=20, choices=Outcome)
    reasons = ArrayField(models.CharField(max_length=30, choices=Reason), default=list)
    kind = models.CharField(max_length=20, choices=Kind, blank=True)
    subtype = models.CharField(max_length=20, choices=Subtype, blank=True)
    sensitivity = models.PositiveSmallIntegerField(choices=Sensitivity, null=True)
    importance = models.FloatField(null=True)
    memory_id = models.UUIDField(null=True)
    event_id = models.UUIDField(null=True)
    agent_id = models.UUIDField(null=True)
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            *personal("decision"),
            models.CheckConstraint(
                condition=models.Q(outcome__in=Outcome.values), name="decision_outcome"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "-created_at"], name="decision_list"),
            models.Index(fields=["memory_id"], name="decision_memory"),
        ]
