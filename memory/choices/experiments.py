"""What an organisation may compare by how its agents' tasks end."""

from django.db import models


class ExperimentKind(models.TextChoices):
    """What differs between the two arms."""

    MEMORY = "memory", "With memory, and without"
    RECIPE = "recipe", "One recall recipe, and another"


class Arm(models.TextChoices):
    """Which way a session goes, from its first recall to its last."""

    A = "a", "A: as it was"
    B = "b", "B: without memory, or with the other recipe"
