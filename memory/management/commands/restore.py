"""``manage.py restore``: load a backup, without what was erased or taken away since it was made."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.embedded.binaries import client_programs
from memory.backup.files import KEYS, MAIN, newest
from memory.backup.restore import restore
from memory.errors import BackupFault, KeepsakeError


class Command(BaseCommand):
    """Runs as the owner. Web and workers answer 503 until it is done; begun again, it starts anew."""

    help = (
        "Replace everything in the database by a backup: closes the service, loads the rows and the "
        "newest keys, erases and takes away again what the ledger names, builds the indexes, "
        "verifies, opens."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what to restore."""
        parser.add_argument("main", nargs="?", type=Path, help="folder; else the newest of main/")
        parser.add_argument("--keys", type=Path, help="file; else the newest of keys/")
        parser.add_argument(
            "--ledger",
            type=Path,
            action="append",
            default=[],
            help="a further ledger, beside LEDGER_FILE and the one with the keys",
        )
        parser.add_argument("--yes", action="store_true", help="replace what the database holds")

    def handle(self, **options: Any) -> None:
        """Do it and count."""
        folder = Path(settings.BACKUP_DIR)
        try:
            main = options["main"] or newest(folder / MAIN)
            keys = options["keys"] or newest(folder / KEYS)
            ledgers = self._ledgers(options["ledger"])
            self.stdout.write(f"main {main}\nkeys {keys}\nledgers {', '.join(map(str, ledgers))}")
            if not options["yes"]:
                raise CommandError(
                    "This replaces everything in the database. If that is meant: --yes"
                )
            done = restore(
                url=settings.DATABASE_OWNER_URL,
                programs=client_programs(),
                main=main,
                keys=keys,
                ledgers=ledgers,
                say=self.stdout.write,
            )
        except KeepsakeError as error:
            raise CommandError(error.detail) from None
        except (BackupFault, OSError) as error:
            raise CommandError(str(error)) from None
        again = done.replayed
        self.stdout.write(
            f"keys {done.keys}  erased again {again.done}  known {again.known}  about nobody here "
            f"{again.absent}  taken away again {done.taken}  without a key {done.dropped}  wordings {done.wordings}  passages "
            f"{done.passages}\nThe service is open."
        )

    def _ledgers(self, named: list[Path]) -> list[Path]:
        mine = Path(settings.LEDGER_FILE)
        if mine.exists():
            return [mine, *named]
        self.stdout.write(
            f"There is no {mine}: what was erased after the keys were saved is not known"
            + (" but by the ledgers named." if named else ".")
        )
        return named
