"""``manage.py up``: start the whole service here and keep it alive."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.embedded.binaries import NotInstalled
from config.embedded.files import AlreadyRunning, RunFile, follow, holder, prepare
from config.embedded.given import Given, Incomplete
from config.embedded.keys import MasterKeyLost
from config.embedded.service import READY, Service
from config.embedded.supervisor import NotStarted, Stopped

FAILURES = (
    Incomplete,
    MasterKeyLost,
    NotInstalled,
    NotStarted,
    ImproperlyConfigured,
    OSError,
    RuntimeError,
)


class Command(BaseCommand):
    """Servers, tables, worker, beat and web, in one process that looks after them."""

    help = (
        "Starts PostgreSQL, Valkey, the worker, the clock and the web server on this machine, and "
        "starts again what dies. With DATABASE_URL, DATABASE_OWNER_URL, DATABASE_CONSOLE_URL and "
        "REDIS_URL set, it uses those servers instead."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the port and how to run."""
        parser.add_argument("--port", type=int, default=8787, help="Of the web server (8787).")
        parser.add_argument("--detach", action="store_true", help="Go on in the background.")
        parser.add_argument("--no-demo", action="store_true", help="Make no demo person.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run in the foreground, or start a copy of this command and wait until it is ready."""
        data_dir: Path = settings.DATA_DIR
        try:
            if holder(data_dir):
                self._say_running(data_dir)
            elif options["detach"]:
                self._detach(data_dir, options)
            else:
                service = Service(data_dir, port=options["port"], given=Given.read(), say=self._say)
                service.run(demo=not options["no_demo"])
        except AlreadyRunning:
            self._say_running(data_dir)
        except Stopped:
            return
        except FAILURES as error:
            raise CommandError(str(error)) from error

    def _say(self, line: str) -> None:
        try:
            self.stdout.write(line)
            self.stdout.flush()
        except OSError:
            # Whoever was reading has gone; the service goes on.
            return

    def _say_running(self, data_dir: Path) -> None:
        url = RunFile(data_dir).read().get("url", "")
        self._say(f"Keepsake is already running: {url or 'it is just starting'}")

    def _detach(self, data_dir: Path, options: dict[str, Any]) -> None:
        prepare(data_dir)
        log = data_dir / "logs" / "up.log"
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "up"]
        command += ["--port", str(options["port"])]
        command += ["--no-demo"] if options["no_demo"] else []
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                env={**os.environ, "DATA_DIR": str(data_dir), "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        position = 0
        while process.poll() is None:
            position = follow(log, say=self._say, position=position)
            if READY in log.read_text(errors="replace") and _is_whole(log):
                break
            time.sleep(0.2)
        follow(log, say=self._say, position=position)
        if process.poll():
            raise CommandError(f"It did not start. See {log}.")


def _is_whole(log: Path) -> bool:
    """Tell whether the closing line of the start has been written."""
    return "make doctor" in log.read_text(errors="replace")
