"""The end of old lines of the log: a checkpoint is sealed, then they are deleted, by the owner alone."""

from datetime import datetime

from django.db import connection, transaction

from accounts.models import AuditEvent, AuditSeal
from accounts.sealing import Finding, Signer, add, seal, verify

TABLES = (AuditEvent, AuditSeal)


class Tampered(Exception):
    """The log is not as it was sealed; nothing is deleted before somebody has looked."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(f"{len(findings)} findings")
        self.findings = findings


def trim(signer: Signer, *, before: datetime) -> int:
    """Delete the lines that were sealed before a time; return how many.

    The chain goes on with a checkpoint that says where it now begins. Run as the owner.

    Raises:
        Tampered: if the log does not pass verification.
    """
    seal(signer)
    if findings := verify(signer):
        raise Tampered(findings)
    first = AuditSeal.objects.filter(at__gte=before).order_by("number").first()
    if first is None:
        return 0
    old = AuditSeal.objects.filter(number__lt=first.number)
    ids = [id_ for ids in old.values_list("event_ids", flat=True) for id_ in ids]
    if not ids:
        return 0
    with transaction.atomic():
        add(signer, [], kept_from=first.number)
        _switch("DISABLE")
        AuditEvent.objects.filter(id__in=ids).delete()
        old.delete()
        _switch("ENABLE")
    return len(ids)


def _switch(how: str) -> None:
    """Let the owner past the triggers that refuse every deletion, inside this transaction."""
    with connection.cursor() as cursor:
        for model in TABLES:
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"ALTER TABLE {table} {how} TRIGGER USER")
