"""What was measured of an embedder that is not the service's own."""

from django.db import models
from django.utils import timezone


class Calibration(models.Model):
    """Where an embedder's own cosines put the two points that `memory.policy.REFERENCE` names.

    ``model`` is the embedder's id, as stored with every vector. About no tenant and nobody.
    """

    model = models.PositiveSmallIntegerField(primary_key=True)
    name = models.CharField(max_length=200)
    gate = models.FloatField()
    duplicate = models.FloatField()
    measured_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(duplicate__gt=models.F("gate")), name="calibration_order"
            )
        ]

    def __str__(self) -> str:
        return self.name
