"""The servers of one test run: those of the environment, else a PostgreSQL and a Valkey of our own."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from accounts.roles import APP, CONSOLE, OWNER, bootstrap
from config.embedded.files import last_lines, prepare
from config.embedded.postgres import Postgres
from config.embedded.process import Part, spawn, stop
from config.embedded.valkey import Valkey

# Nothing here outlives the run, so nothing waits for the disk.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class TestServers:
    """Starts what ``DATABASE_URL`` and ``REDIS_URL`` do not name, and says where it is."""

    __test__ = False

    def __init__(self) -> None:
        self.data_dir: Path | None = None
        self.postgres: Postgres | None = None
        self.running: list[tuple[Part, subprocess.Popen[bytes]]] = []

    def start(self) -> None:
        """Start the servers and put their addresses into the environment."""
        self.data_dir = Path(tempfile.mkdtemp(prefix="ks-")).resolve()
        prepare(self.data_dir)
        os.environ["DATA_DIR"] = str(self.data_dir)
        if not os.environ.get("DATABASE_URL"):
            postgres = self.postgres = Postgres(self.data_dir, settings=FAST)
            self._run(postgres.part())
            bootstrap(postgres.url(database="postgres"))
            os.environ["DATABASE_URL"] = postgres.url(APP)
            os.environ["DATABASE_OWNER_URL"] = postgres.url(OWNER)
            os.environ["DATABASE_CONSOLE_URL"] = postgres.url(CONSOLE)
        if not os.environ.get("REDIS_URL"):
            valkey = Valkey(self.data_dir)
            self._run(valkey.part())
            os.environ["REDIS_URL"] = valkey.url

    def _run(self, part: Part, *, timeout: float = 60) -> None:
        process = spawn(part)
        self.running.append((part, process))
        deadline = time.monotonic() + timeout
        while not part.is_ready():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{part.name} did not start:\n{last_lines(part.log)}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop what was started and remove its files."""
        for part, process in reversed(self.running):
            stop(process, stop_signal=part.stop_signal, patience=10)
        self.running.clear()
        if self.data_dir:
            shutil.rmtree(self.data_dir, ignore_errors=True)
