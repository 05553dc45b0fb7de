"""``manage.py verify_audit``: has anybody changed the audit log?"""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from accounts.sealing import count_lines, seal, verify
from memory.vault import audit_signer


class Command(BaseCommand):
    """Seals what waits, then walks the whole chain."""

    help = "Check every line of the audit log against its seal; exits with 1 if something is wrong."

    def handle(self, **options: Any) -> None:
        """Print what is wrong, or how much was checked."""
        signer = audit_signer()
        seal(signer)
        findings = verify(signer)
        for one in findings:
            where = f"seal {one.seal}: " if one.seal else ""
            self.stdout.write(f"✗ {where}{one.what}")
        if findings:
            sys.exit(1)
        self.stdout.write(f"✓ {count_lines()} lines are as they were sealed")
