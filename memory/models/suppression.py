"""What must not be learnt again."""

import uuid
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.walls import personal
from memory.choices import SuppressionBasis
from memory.models.base import PersonalRow


class SuppressionQuerySet(models.QuerySet["Suppression"]):
    """What must not be learnt again, in the words of the domain."""

    def in_force(self, tenant_id: uuid.UUID, subject_id: uuid.UUID) -> Self:
        """Keep what the person has not lifted."""
        return self.filter(tenant_id=tenant_id, subject_id=subject_id, lifted_at__isnull=True)


class Suppression(PersonalRow):
    """A keyed digest the gate refuses; the key goes with the person's account."""

    basis = models.CharField(max_length=20, choices=SuppressionBasis)
    digest = models.BigIntegerField()
    erasure_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    lifted_at = models.DateTimeField(null=True)

    content_fields = ("digest",)
    # The digest means nothing without the person's key, which goes with them.
    right_key = ("basis", "digest")
    right_fields = ("lifted_at",)

    objects = SuppressionQuerySet.as_manager()

    class Meta:
        constraints = [
            *personal("suppression"),
            models.UniqueConstraint(
                fields=["tenant", "subject", "basis", "digest"],
                condition=Q(lifted_at__isnull=True),
                name="suppression_one",
            ),
        ]
