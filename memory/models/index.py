"""The two search indexes: vectors (derived plaintext) and keyed digests of terms.

Both hang on a version, are left out of backups and are rebuilt on restore. There is no
approximate index on purpose: a recall ranks exactly the rows of one person.
"""

from django.db import models
from django.utils import timezone
from pgvector.django import HalfVectorField

from accounts.walls import personal
from memory.models.base import PersonalRow
from memory.models.memory import Memory
from memory.models.version import Version

PARENTS = {"memory_id": "memory_memory", "version_id": "memory_version"}


class Vector(PersonalRow):
    """The embedding of one wording. ``model`` names embedder and calibration.

    ``leans_on`` is the event whose words it takes in beside its own; it goes when that event goes.
    A row of 896 half floats stays below 2,032 bytes and so out of TOAST, which halves the scan.
    """

    memory = models.ForeignKey(Memory, models.RESTRICT, related_name="+", db_constraint=False)
    version = models.ForeignKey(
        Version, models.RESTRICT, related_name="+", db_constraint=False, db_index=False
    )
    model = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    embedding = HalfVectorField()
    leans_on = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    content_fields = ("embedding",)

    class Meta:
        constraints = [
            *personal("vector", parents=PARENTS),
            models.UniqueConstraint(fields=["version", "model"], name="vector_one_per_model"),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "model", "current"], name="vector_scan"),
            models.Index(
                fields=["leans_on"],
                condition=models.Q(leans_on__isnull=False),
                name="vector_leaning",
            ),
        ]


class Term(PersonalRow):
    """How often one term, known by its keyed digest, stands in one wording."""

    id = models.BigAutoField(primary_key=True)  # type: ignore[assignment]  # many small rows
    memory = models.ForeignKey(Memory, models.RESTRICT, related_name="+", db_constraint=False)
    version = models.ForeignKey(
        Version, models.RESTRICT, related_name="+", db_constraint=False, db_index=False
    )
    digest = models.BigIntegerField()
    frequency = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)

    content_fields = ("digest",)

    class Meta:
        constraints = [*personal("term", parents=PARENTS)]
        indexes = [
            models.Index(
                fields=["tenant", "subject", "digest"],
                include=["version", "memory", "frequency", "current"],
                name="term_lookup",
            ),
            models.Index(fields=["version"], name="term_version"),
        ]
