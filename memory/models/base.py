"""What every personal row has, and every row of a tenant."""

import uuid

from django.db import models

from accounts.models import Subject, Tenant


class PersonalRow(models.Model):
    """A row of one person: tenant and subject, by which the row policy and every query scope it.

    The plain foreign key of ``subject`` has no constraint of its own; the composite one that
    ``accounts.walls.personal`` adds carries tenant and subject together.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="+", db_index=False)
    subject = models.ForeignKey(
        Subject, models.RESTRICT, related_name="+", db_constraint=False, db_index=False
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.id)


class TenantRow(models.Model):
    """A row of one tenant and of nobody in particular; the tenant's wall scopes it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="+", db_index=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.id)
