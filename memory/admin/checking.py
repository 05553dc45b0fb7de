"""An operator checks whether somebody has changed the audit log."""

from collections.abc import Sequence

from django.db import transaction

from accounts.principal import Principal
from accounts.sealing import Finding, seal, verify
from memory.admin.services import note, require_operator
from memory.admin.sheet import EVERY_TENANT
from memory.vault import audit_signer


def verify_chain(operator: Principal, *, reason: str) -> Sequence[Finding]:
    """Seal what waits, hold every line against its seal, and return what is not as it was sealed."""
    require_operator(operator)
    with transaction.atomic():
        note(operator, "verify_audit", "chain", EVERY_TENANT, reason)
    signer = audit_signer()
    seal(signer)
    return verify(signer)
