"""The embedded Valkey: broker and rate counters, on a private socket, written to disk."""

import os
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded import binaries
from config.embedded.files import socket_folder
from config.embedded.process import Part


class Valkey:
    """One server without a network port."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.folder = data_dir / "valkey"
        self.folder.mkdir(exist_ok=True, mode=0o700)
        self.socket = socket_folder(self.folder, longest_name="valkey.sock") / "valkey.sock"

    @property
    def url(self) -> str:
        """Return the URL Celery understands."""
        return f"redis+socket://{quote(str(self.socket))}"

    def part(self) -> Part:
        """Return the server as a child of the supervisor."""
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            # Every write goes to a file that a killed server reads back; no snapshots besides.
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "daemonize": "no",
            # Keeps the process recognisable by its environment.
            "set-proc-title": "no",
        }
        given = [item for name, value in options.items() for item in (f"--{name}", value)]
        return Part(
            name="valkey",
            command=[str(binaries.valkey_program()), *given],
            data_dir=self.data_dir,
            env={"PATH": os.environ.get("PATH", "")},
            is_ready=self.is_ready,
            is_server=True,
            patience=20,
        )

    def is_ready(self) -> bool:
        """Tell whether the server answers."""
        try:
            # The client's own retries would hide for seconds that the server is back.
            retry = Retry(NoBackoff(), retries=0)
            path = str(self.socket)
            with redis.Redis(unix_socket_path=path, socket_timeout=3, retry=retry) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False
