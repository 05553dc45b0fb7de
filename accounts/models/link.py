"""A one-time link by which a person takes charge of what is remembered about them."""

import uuid

from django.db import models
from django.utils import timezone

from accounts.models.subject import Subject
from accounts.models.tenant import Tenant
from accounts.walls import subject_key


class PersonLink(models.Model):
    """The digest of a link's secret. It works once and for a short time.

    No row policy: it must be found before the person is known. It holds ids and times.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, models.RESTRICT, related_name="+")
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="+", db_constraint=False)
    digest = models.BinaryField(max_length=32, unique=True)
    agent_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    content_fields = ("digest",)
    right_fields = ("expires_at", "used_at")

    class Meta:
        constraints = [subject_key("personlink")]

    def __str__(self) -> str:
        return str(self.id)
