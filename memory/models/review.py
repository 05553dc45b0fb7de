"""What waits for the person, and what disagrees."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.walls import personal
from memory.choices import ConflictState, ReviewKind, ReviewState
from memory.models.base import PersonalRow
from memory.models.memory import Memory


class ReviewItem(PersonalRow):
    """One question to the person about one memory. ``before``: how it stood, so that it can be undone."""

    memory = models.ForeignKey(Memory, models.RESTRICT, related_name="reviews", db_constraint=False)
    kind = models.CharField(max_length=20, choices=ReviewKind)
    state = models.CharField(max_length=20, choices=ReviewState, default=ReviewState.OPEN)
    created_at = models.DateTimeField(default=timezone.now)
    snoozed_until = models.DateTimeField(null=True)
    lapses_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    undo_until = models.DateTimeField(null=True)
    before = models.JSONField(default=dict)

    content_fields = ("before",)

    class Meta:
        constraints = [
            *personal("reviewitem", parents={"memory_id": "memory_memory"}),
            models.UniqueConstraint(
                fields=["memory"], condition=Q(state=ReviewState.OPEN), name="reviewitem_one_open"
            ),
        ]


class Conflict(PersonalRow):
    """Two memories that disagree: the one in force and the one that asks to replace it."""

    current = models.ForeignKey(Memory, models.RESTRICT, related_name="+", db_constraint=False)
    challenger = models.ForeignKey(Memory, models.RESTRICT, related_name="+", db_constraint=False)
    state = models.CharField(max_length=20, choices=ConflictState, default=ConflictState.OPEN)
    created_at = models.DateTimeField(default=timezone.now)
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            *personal(
                "conflict",
                parents={"current_id": "memory_memory", "challenger_id": "memory_memory"},
            ),
            models.UniqueConstraint(fields=["current", "challenger"], name="conflict_pair"),
        ]
