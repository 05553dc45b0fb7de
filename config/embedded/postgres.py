"""The embedded PostgreSQL: one cluster under ``DATA_DIR``, reached through a private socket.

Only the owner of the socket's folder can connect, so the cluster trusts who gets that far; the
roles still bind, because the application connects as ``keepsake_app``.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg

from config.embedded import binaries
from config.embedded.files import socket_folder
from config.embedded.process import Part

SUPERUSER = "postgres"
VERSION = "18"
# Logs never hold what a statement carried: no parameters, no statement text, no DETAIL or CONTEXT.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
    # Files of the write-ahead log end when they are not needed, instead of lying about for reuse.
    "wal_recycle": "off",
}


class Postgres:
    """One cluster. ``settings`` overrides the server's, for example ``fsync`` in tests."""

    def __init__(
        self,
        data_dir: Path,
        *,
        settings: Mapping[str, str] | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.data_dir = data_dir
        self.folder = data_dir / "postgres"
        self.settings = SETTINGS | dict(settings or {})
        self.say = say
        self.programs = binaries.postgres_programs()
        self.user = binaries.server_user(say)
        self.folder.mkdir(exist_ok=True, mode=0o700)
        self.sockets = socket_folder(self.folder, longest_name=".s.PGSQL.5432.lock")
        if self.user:
            self._hand_over()

    def _hand_over(self) -> None:
        assert self.user
        for path in (self.folder, self.sockets):
            shutil.chown(path, self.user, self.user)
        binaries.let_through(self.folder, self.say)
        binaries.let_through(self.programs / "postgres", self.say)
        binaries.let_read(self.programs)

    @property
    def exists(self) -> bool:
        """Whether the cluster has been made."""
        return (self.folder / "PG_VERSION").exists()

    def url(self, user: str = SUPERUSER, database: str = "keepsake") -> str:
        """Return the connection URL of a role, through the socket."""
        return f"postgresql://{user}@/{database}?host={quote(str(self.sockets), safe='')}"

    def part(self) -> Part:
        """Return the server as a child of the supervisor."""
        options = self.settings | {"unix_socket_directories": str(self.sockets)}
        given = [item for name, value in options.items() for item in ("-c", f"{name}={value}")]
        return Part(
            name="postgres",
            command=[str(self.programs / "postgres"), "-D", str(self.folder), *given],
            data_dir=self.data_dir,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            user=self.user,
            prepare=self.prepare,
            is_ready=self.is_ready,
            is_server=True,
            stop_signal=signal.SIGINT,
            patience=60,
        )

    def prepare(self) -> None:
        """Make the cluster if there is none, and clear what a crash left in the way."""
        if not self.exists:
            self._make()
        found = (self.folder / "PG_VERSION").read_text().strip()
        if found != VERSION:
            raise RuntimeError(f"{self.folder} is from PostgreSQL {found}, this is {VERSION}.")
        self._clear_lock()

    def _make(self) -> None:
        # A first start that was interrupted leaves half a cluster, which nobody has used yet.
        for leftover in self.folder.iterdir():
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        command = [str(self.programs / "initdb"), "-D", str(self.folder), "-U", SUPERUSER]
        # The built-in locale sorts the same on every system.
        command += ["--auth=trust", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin"]
        command += ["--builtin-locale=C.UTF-8", "--no-instructions"]
        if self.settings.get("fsync") == "off":
            command.append("--no-sync")
        made = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            user=self.user,
            group=self.user,
            extra_groups=[] if self.user else None,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
        )
        if made.returncode:
            raise RuntimeError(f"initdb failed: {made.stderr.strip()[-500:]}")

    def _clear_lock(self) -> None:
        """Remove a lock whose process is gone or has become another program.

        PostgreSQL itself refuses to start while the lock's number belongs to any process of its
        user, and after a restart of the machine numbers are given out anew.
        """
        path = self.folder / "postmaster.pid"
        with suppress(OSError, ValueError, IndexError):
            pid = int(path.read_text().splitlines()[0])
            if not self._is_ours(pid):
                path.unlink()

    def _is_ours(self, pid: int) -> bool:
        try:
            command = psutil.Process(pid).cmdline()
        except psutil.NoSuchProcess:
            return False
        return (
            "postgres" in Path(command[0] if command else "").name and str(self.folder) in command
        )

    def is_ready(self) -> bool:
        """Tell whether the server answers queries."""
        try:
            with psycopg.connect(self.url(database="postgres"), connect_timeout=3) as connection:
                connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def wait(self, timeout: float = 60) -> None:
        """Wait until the server answers queries."""
        deadline = time.monotonic() + timeout
        while not self.is_ready():
            if time.monotonic() > deadline:
                raise TimeoutError(f"PostgreSQL did not answer within {timeout:.0f} s.")
            time.sleep(0.05)
