"""``manage.py backup``: a main dump without keys, and the keys of the same moment beside it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.embedded.binaries import client_programs
from memory.backup.dump import make
from memory.errors import BackupFault, KeepsakeError


class Command(BaseCommand):
    """Run it every day; it deletes the backups whose time is over."""

    help = (
        "Write a backup into BACKUP_DIR: main/… without keys and indexes, kept 30 days, and keys/… "
        "of the same snapshot, kept 2 days. Completes the ledger before."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the folder."""
        parser.add_argument("--folder", type=Path, help="instead of BACKUP_DIR")

    def handle(self, **options: Any) -> None:
        """Make it and say where it lies."""
        if not settings.DATABASE_BACKUP_URL:
            raise CommandError("Set DATABASE_BACKUP_URL: it connects as keepsake_backup.")
        try:
            made = make(
                url=settings.DATABASE_BACKUP_URL,
                programs=client_programs(),
                folder=options["folder"] or Path(settings.BACKUP_DIR),
            )
        except KeepsakeError as error:
            raise CommandError(error.detail) from None
        except BackupFault as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"main  {made.main}  rows {made.rows}")
        self.stdout.write(f"keys  {made.keys}  keep it apart, and for 2 days only")
        if made.added:
            self.stdout.write(f"The ledger lacked {made.added} erasures; they were added.")
        if made.pruned:
            self.stdout.write(f"{made.pruned} backups were deleted: their time was over.")
