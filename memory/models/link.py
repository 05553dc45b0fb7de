"""A typed link from one memory to another of the same person. It holds no words."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.choices import ActorKind
from accounts.walls import personal
from memory.choices import LinkKind
from memory.models.base import PersonalRow
from memory.models.memory import Memory


class MemoryLink(PersonalRow):
    """``source`` is about, part of, or related to ``target``; and who said so.

    What a memory was worked out from is no such link but a `Derivation`.
    """

    source = models.ForeignKey(
        Memory, models.RESTRICT, related_name="+", db_constraint=False, db_index=False
    )
    target = models.ForeignKey(Memory, models.RESTRICT, related_name="+", db_constraint=False)
    kind = models.CharField(max_length=20, choices=LinkKind)
    author_kind = models.CharField(max_length=20, choices=ActorKind)
    author_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            *personal(
                "memorylink",
                parents={"source_id": "memory_memory", "target_id": "memory_memory"},
            ),
            models.UniqueConstraint(fields=["source", "target", "kind"], name="memorylink_one"),
            models.CheckConstraint(condition=Q(kind__in=LinkKind.values), name="memorylink_kind"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="memorylink_two_ends"),
        ]
