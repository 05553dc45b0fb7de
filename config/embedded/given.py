"""What the environment gives: servers of one's own, else the embedded ones."""

import os
from dataclasses import dataclass
from pathlib import Path

from accounts.roles import APP, CONSOLE, OWNER
from config import environment
from config.embedded.postgres import Postgres
from config.embedded.valkey import Valkey


class Incomplete(Exception):
    """Some of the variables that belong together are missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The connection strings somebody set; empty ones mean: start a server here."""

    database: str
    owner: str
    console: str
    broker: str
    public_url: str

    @classmethod
    def read(cls) -> "Given":
        """Read the environment. The three database URLs come together or not at all."""
        names = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_CONSOLE_URL")
        urls = [environment.text(name) for name in names]
        if any(urls) and not all(urls):
            missing = [name for name, url in zip(names, urls, strict=True) if not url]
            raise Incomplete(f"A database of your own needs also {' and '.join(missing)}.")
        return cls(
            database=urls[0],
            owner=urls[1],
            console=urls[2],
            broker=environment.text("REDIS_URL"),
            public_url=environment.text("PUBLIC_URL"),
        )

    def environment(
        self, *, data_dir: Path, url: str, database: Postgres | None, broker: Valkey | None
    ) -> dict[str, str]:
        """Return the environment of the children, in which every server has an address."""
        found = {
            "DATABASE_URL": database.url(APP) if database else self.database,
            "DATABASE_OWNER_URL": database.url(OWNER) if database else self.owner,
            "DATABASE_CONSOLE_URL": database.url(CONSOLE) if database else self.console,
            "REDIS_URL": broker.url if broker else self.broker,
            "PUBLIC_URL": url,
            "DATA_DIR": str(data_dir),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONUNBUFFERED": "1",
        }
        # What came from mounted files is passed on by value.
        files = {f"{name}_FILE" for name in found}
        return {key: value for key, value in os.environ.items() if key not in files} | found
