"""The append-only log. It holds codes, ids, field names and counts, never content."""

from typing import Any, Never

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from accounts.choices import ActorKind, AuditCode
from accounts.walls import AppendOnly


class AuditEvent(models.Model):
    """One line. Plain ids and labels instead of foreign keys: the line outlives what it names.

    No row policy: the log is written before a person is known (refused access) and read by the
    sealer across people; it holds nothing a person wrote.
    """

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField(default=timezone.now)
    code = models.CharField(max_length=50, choices=AuditCode)
    tenant_id = models.UUIDField(null=True)
    subject_id = models.UUIDField(null=True)
    actor_kind = models.CharField(max_length=20, choices=ActorKind)
    actor_id = models.UUIDField(null=True)
    actor_label = models.CharField(max_length=200, blank=True)
    key_prefix = models.CharField(max_length=8, blank=True)
    object_kind = models.CharField(max_length=30, blank=True)
    object_id = models.UUIDField(null=True)
    version_before = models.PositiveIntegerField(null=True)
    version_after = models.PositiveIntegerField(null=True)
    fields = ArrayField(models.CharField(max_length=50), default=list)
    sensitivity = models.PositiveSmallIntegerField(null=True)
    purpose = models.CharField(max_length=50, blank=True)
    reason = models.CharField(max_length=50, blank=True)
    decision = models.CharField(max_length=30, blank=True)
    result_count = models.PositiveIntegerField(null=True)
    request_id = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=45, blank=True)

    class Meta:
        constraints = [AppendOnly(name="audit_append_only")]
        indexes = [models.Index(fields=["tenant_id", "subject_id", "-id"], name="audit_subject")]

    def __str__(self) -> str:
        return f"{self.id} {self.code}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert; a line that exists cannot be saved again."""
        kwargs["force_insert"] = True
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        """Refuse."""
        raise TypeError("The audit log is append-only.")
