"""``manage.py trim_audit``: end the oldest lines of the audit log, as its owner."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.retention import Tampered, trim
from memory.vault import audit_signer


class Command(BaseCommand):
    """Verifies the chain, seals a checkpoint, then deletes."""

    help = "Delete the lines of the audit log that are older than some days; the chain goes on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take how many days stay."""
        parser.add_argument("--days", type=int, required=True, help="how many days are kept")

    def handle(self, **options: Any) -> None:
        """Do it and count."""
        if options["days"] < 1:
            raise CommandError("At least one day is kept.")
        try:
            count = trim(audit_signer(), before=timezone.now() - timedelta(days=options["days"]))
        except Tampered as error:
            raise CommandError(
                f"{error}; see manage.py verify_audit. Nothing was deleted."
            ) from None
        self.stdout.write(f"{count} lines deleted")
