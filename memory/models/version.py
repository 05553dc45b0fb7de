"""One immutable wording of a memory."""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.choices import ActorKind
from accounts.fields import SealedField
from accounts.walls import personal, row_key
from memory.choices import Origin, Reason, Trust
from memory.models.base import PersonalRow
from memory.models.memory import Memory


class VersionQuerySet(models.QuerySet["Version"]):
    """Words about versions."""

    def current(self) -> Self:
        """Keep the wording in force now."""
        return self.filter(superseded_at__isnull=True)

    def known_at(self, when: datetime) -> Self:
        """Keep the wording we knew at ``when`` (system time)."""
        later = Q(superseded_at__isnull=True) | Q(superseded_at__gt=when)
        return self.filter(later, recorded_at__lte=when)

    def true_at(self, when: datetime) -> Self:
        """Keep the wording that was true in the world at ``when`` (valid time)."""
        begun = Q(valid_from__isnull=True) | Q(valid_from__lte=when)
        open_still = Q(valid_to__isnull=True) | Q(valid_to__gt=when)
        return self.filter(begun, open_still)


class Version(PersonalRow):
    """A wording, numbered 1, 2, 3; it supersedes the one before and never changes.

    ``details`` seals value, third party, condition, tags, metadata, outcome and cause as JSON.
    """

    memory = models.ForeignKey(
        Memory, models.RESTRICT, related_name="versions", db_constraint=False
    )
    number = models.PositiveIntegerField()
    text = SealedField()
    details = SealedField()
    language = models.CharField(max_length=10, blank=True)
    term_count = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=30, choices=Reason)
    author_kind = models.CharField(max_length=20, choices=ActorKind)
    author_id = models.UUIDField(null=True)
    origin = models.CharField(max_length=20, choices=Origin)
    trust = models.PositiveSmallIntegerField(choices=Trust)
    valid_from = models.DateTimeField(null=True)
    valid_to = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField(default=timezone.now)
    superseded_at = models.DateTimeField(null=True)

    objects = VersionQuerySet.as_manager()

    class Meta:
        constraints = [
            row_key("version"),
            *personal("version", parents={"memory_id": "memory_memory"}),
            models.UniqueConstraint(fields=["memory", "number"], name="version_number"),
            models.UniqueConstraint(
                fields=["memory"], condition=Q(superseded_at__isnull=True), name="version_current"
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True)
                | Q(valid_from__isnull=True)
                | Q(valid_to__gte=F("valid_from")),
                name="version_valid_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "subject"],
                include=["id", "memory", "term_count", "valid_to"],
                condition=Q(superseded_at__isnull=True),
                name="version_scope",
            )
        ]
