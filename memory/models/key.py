"""Wrapped keys. Destroying one puts what it sealed out of reach, in every copy and backup."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.fields import SealedField
from accounts.walls import LookWall, personal
from memory.models.base import PersonalRow


class SubjectKey(PersonalRow):
    """A person's key, wrapped by the master key named in ``master_id``.

    ``former`` seals what is left of the keys of subjects that became part of the person: enough to
    know again what they did not want learnt, not to open anything.
    """

    wrapped = models.BinaryField(max_length=61)
    master_id = models.CharField(max_length=16)
    former = SealedField(default=b"")
    created_at = models.DateTimeField(default=timezone.now)

    content_fields = ("wrapped",)

    class Meta:
        constraints = [
            *personal("subjectkey"),
            LookWall(name="subjectkey_look", covers="keepsake_look_covers(NULL, 0, NULL)"),
            models.UniqueConstraint(fields=["subject"], name="subjectkey_one"),
        ]


class KeyManager(models.Manager["ObjectKey"]):
    """The keys that open something; what was set aside opens nothing."""

    def get_queryset(self) -> models.QuerySet["ObjectKey"]:
        """Leave out what was set aside."""
        return super().get_queryset().filter(held_for__isnull=True)


class ObjectKey(PersonalRow):
    """The key of one object that can be erased alone, wrapped by the person's key.

    ``object_id`` is the id of a memory, event, summary or board. ``held_for`` is the erasure that set
    the key aside instead of destroying it, because the person's data is on hold: only ``every`` finds
    it then.
    """

    object_id = models.UUIDField(unique=True)
    wrapped = models.BinaryField(max_length=61)
    held_for = models.UUIDField(null=True)

    content_fields = ("wrapped",)

    objects = KeyManager()
    every: ClassVar[models.Manager["ObjectKey"]] = models.Manager()

    class Meta:
        constraints = [
            *personal("objectkey"),
            LookWall(name="objectkey_look", covers="keepsake_look_opens(object_id)"),
        ]


class VaultSentinel(models.Model):
    """A known text sealed by the master key: a wrong or lost key is noticed before it is used."""

    master_id = models.CharField(max_length=16, primary_key=True)
    sealed = models.BinaryField(max_length=100)

    content_fields = ("sealed",)

    def __str__(self) -> str:
        return self.master_id
