"""What a memory was worked out from."""

from django.db import models
from django.utils import timezone

from accounts.walls import personal
from memory.models.base import PersonalRow
from memory.models.memory import Memory


class Derivation(PersonalRow):
    """``memory`` is derived from ``parent``: when the parent is erased, so is what was made of it."""

    memory = models.ForeignKey(
        Memory, models.RESTRICT, related_name="derivations", db_constraint=False
    )
    parent = models.ForeignKey(Memory, models.RESTRICT, related_name="+", db_constraint=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            *personal(
                "derivation", parents={"memory_id": "memory_memory", "parent_id": "memory_memory"}
            ),
            models.UniqueConstraint(fields=["memory", "parent"], name="derivation_one"),
        ]
