"""What an agent may say of what it was handed."""

from django.db import models


class Verdict(models.TextChoices):
    """How a memory, or a whole recall, served a task."""

    HELPED = "helped", "It helped"
    HURT = "hurt", "It made the answer worse"
    WRONG = "wrong", "It is not true"
