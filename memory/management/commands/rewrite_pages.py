"""``manage.py rewrite_pages``: leave nothing of what was erased in the files of the tables."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from memory.backup.rewrite import rewrite


class Command(BaseCommand):
    """Run it every week, at an hour when few ask: each table is locked while it is written anew."""

    help = (
        "Write the tables that erasing reaches anew (VACUUM FULL), and move the write-ahead log on."
    )

    def handle(self, **options: Any) -> None:
        """Do it; exit with 1 if a table was in use all the time."""
        done = rewrite(self.stdout.write)
        self.stdout.write(f"{done.tables} tables written anew")
        if not done.log:
            self.stdout.write("As a superuser: SELECT pg_switch_wal(); CHECKPOINT;")
        if done.busy:
            self.stdout.write(f"Not: {', '.join(done.busy)}. Run it again.")
            sys.exit(1)
