"""Comparing two ways of recalling by how the agents' tasks end."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.walls import RowWall
from memory.choices.experiments import ExperimentKind
from memory.models.base import TenantRow


class Experiment(TenantRow):
    """One comparison in one tenant, while ``ended_at`` is empty the only one.

    ``recipe_a`` and ``recipe_b`` are names of recall recipes, empty where memory on and off are compared.
    """

    name = models.CharField(max_length=40)
    kind = models.CharField(max_length=10, choices=ExperimentKind)
    recipe_a = models.CharField(max_length=30, blank=True)
    recipe_b = models.CharField(max_length=30, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            RowWall(name="experiment_wall", columns=["tenant_id"]),
            models.UniqueConstraint(
                fields=["tenant"], condition=Q(ended_at__isnull=True), name="experiment_one_at_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=ExperimentKind.values), name="experiment_kind"
            ),
        ]
