"""The organisation whose data is kept apart."""

import uuid

from django.db import models
from django.utils import timezone

from accounts.choices import Learning


class Tenant(models.Model):
    """An organisation. Its defaults apply to people who have chosen nothing themselves."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)
    # What an agent of this tenant may do for a person it meets for the first time.
    grants_on_first_use = models.BooleanField(default=True)
    default_clearance = models.PositiveSmallIntegerField(default=20)
    # Whether an operator may look at a person's memories without being let by them.
    break_glass = models.BooleanField(default=False)
    default_learning = models.CharField(max_length=20, choices=Learning, default=Learning.ORDINARY)

    # What an operator allows otherwise than by default, by the quota's name; 0 is no limit.
    quotas = models.JSONField(default=dict, db_default={})

    right_fields = (
        "grants_on_first_use",
        "default_clearance",
        "break_glass",
        "default_learning",
        "quotas",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(default_clearance__in=(10, 20, 30, 40)), name="tenant_clearance"
            )
        ]

    def __str__(self) -> str:
        return self.name
