"""Seals over the log: a chain of digests, each signed with a key that is not in the database."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from accounts.walls import AppendOnly


class AuditSeal(models.Model):
    """One link of the chain, over the lines ``event_ids`` and the link before.

    ``digest`` is SHA-256 over both, ``mac`` signs it with the key named ``key_id``. A checkpoint says
    in ``kept_from`` which is the first link that was kept. No row policy: ids and digests of codes.
    """

    number = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField(default=timezone.now)
    event_ids = ArrayField(models.BigIntegerField(), default=list)
    kept_from = models.BigIntegerField(null=True)
    previous = models.BinaryField(max_length=32)
    digest = models.BinaryField(max_length=32)
    key_id = models.CharField(max_length=16)
    mac = models.BinaryField(max_length=32)

    content_fields = ("previous", "digest", "mac")

    class Meta:
        constraints = [AppendOnly(name="seal_append_only")]

    def __str__(self) -> str:
        return str(self.number)
