"""``manage.py verify_erasure``: is what was erased gone, everywhere this machine can look?"""

import sys
from argparse import ArgumentParser, FileType
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from memory.backup import traces


class Command(BaseCommand):
    """Runs as the owner, who sees every row; it changes nothing."""

    help = (
        "Look into every store for what erasures that count as done have left. With --canary also for "
        "texts: in tables, in the files of DATA_DIR (database, log, broker, logs), at the broker."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the texts from a file: a command line is seen by others."""
        parser.add_argument(
            "--canary",
            type=FileType("r", encoding="utf-8"),
            metavar="FILE",
            help="texts that must be nowhere, one a line; - reads them from standard input",
        )

    def handle(self, **options: Any) -> None:
        """Print what was found; exit with 1 if there is anything."""
        found = list(traces.left_behind())
        self.stdout.write(f"{traces.count_settled()} erasures: {len(found)} not whole")
        if options["canary"]:
            texts = options["canary"].read().splitlines()
            found += self._texts([text.strip() for text in texts if text.strip()])
        for one in found:
            self.stdout.write(f"✗ {one}")
        if found:
            sys.exit(1)
        self.stdout.write("✓ nothing is left")

    def _texts(self, texts: list[str]) -> Iterator[str]:
        sought = traces.Sought(texts)
        self.stdout.write(f"{len(texts)} texts: looking into tables, files and the broker")
        yield from (f"table {name}: {count}" for name, count in traces.in_tables(sought))
        files = traces.in_files(sought, Path(settings.DATA_DIR))
        yield from (f"files {place}: {count}" for place, count in files.items())
        if settings.REDIS_URL and (count := traces.at_broker(sought, settings.REDIS_URL)):
            yield f"broker: {count}"
