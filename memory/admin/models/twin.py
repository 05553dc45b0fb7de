"""What all twins share: the connection, and references that promise nothing."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Func

ALIAS = "console"


class ConsoleManager(models.Manager[Any]):
    """Asks the connection ``console`` and no other."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Return the rows as the console's role sees them."""
        return super().get_queryset().using(ALIAS)


class Twin(models.Model):
    """What all twins share."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)

    objects = ConsoleManager()

    class Meta:
        abstract = True
        managed = False
        default_permissions = ("view",)
        base_manager_name = "objects"
        default_manager_name = "objects"

    def __str__(self) -> str:
        return str(self.pk)


class Unnest(Func):
    """One row for each code of an array."""

    function = "unnest"
    set_returning = True
    arity = 1


def to(model: str, **more: Any) -> "models.ForeignKey[Any, Any]":
    """Return a reference to another twin that promises nothing to the database."""
    return models.ForeignKey(
        model, models.DO_NOTHING, related_name="+", db_constraint=False, **more
    )


def to_person() -> "models.ForeignKey[Any, Any]":
    """Return the reference to whom the row is about."""
    return to("console.Person", db_column="subject_id")
