"""A file of memories that a person brings along, until it is brought in or its day is over."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.fields import SealedField
from accounts.walls import personal
from memory.choices.transfer import ImportGroup, ImportState
from memory.models.base import PersonalRow


class Import(PersonalRow):
    """The file, sealed under a key of its own; both go when it is done, or at ``expires_at``."""

    content = SealedField()
    state = models.CharField(max_length=20, choices=ImportState, default=ImportState.OFFERED)
    wanted = ArrayField(models.CharField(max_length=20, choices=ImportGroup), default=list)
    taken = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            *personal("import"),
            models.CheckConstraint(condition=Q(state__in=ImportState.values), name="import_state"),
        ]
