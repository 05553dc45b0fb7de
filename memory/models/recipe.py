"""A recall recipe of a tenant's own."""

from django.db import models
from django.utils import timezone

from accounts.walls import RowWall
from memory.models.base import TenantRow


class RecallRecipe(TenantRow):
    """A named recipe: one of the service's (``base``) with some numbers set otherwise."""

    name = models.CharField(max_length=30)
    base = models.CharField(max_length=30)
    numbers = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            RowWall(name="recallrecipe_wall", columns=["tenant_id"]),
            models.UniqueConstraint(fields=["tenant", "name"], name="recallrecipe_name"),
        ]
