"""Typed readers of environment variables, and the local service's run file.

A secret ``NAME`` may also come from a file named by ``NAME_FILE`` (mounted secrets).
"""

import json
import os
from pathlib import Path
from typing import Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

ROOT = Path(__file__).resolve().parent.parent


def text(name: str, default: str = "") -> str:
    """Return the variable, the content of the file ``NAME_FILE`` names, or ``default``."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text().strip()
    return os.environ.get(name) or default


def flag(name: str, *, default: bool = False) -> bool:
    """Return true for 1, true, yes and on."""
    value = os.environ.get(name)
    return default if not value else value.strip().lower() in {"1", "true", "yes", "on"}


def number(name: str, default: int) -> int:
    """Return the variable as a whole number."""
    return int(os.environ.get(name) or default)


def words(name: str, default: str = "") -> list[str]:
    """Return the comma-separated parts of the variable."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def data_dir() -> Path:
    """Return the folder of the local servers, keys and files (``DATA_DIR``, else ``var/``)."""
    return Path(os.environ.get("DATA_DIR") or ROOT / "var").resolve()


def run_file() -> dict[str, Any]:
    """Return what ``manage.py up`` wrote about the service running here; {} when there is none."""
    try:
        content: dict[str, Any] = json.loads((data_dir() / "run.json").read_text())
    except (OSError, ValueError):
        return {}
    return content


def database_url(name: str, role: str) -> str:
    """Return the connection string in ``name``, else the local server's with ``role`` as user."""
    if url := text(name):
        return url
    local = run_file().get("database", "")
    return make_conninfo(local, user=role) if local else ""


def django_database(conninfo: str) -> dict[str, Any]:
    """Return Django's settings for a libpq connection string or URL; none given: unreachable."""
    parts = conninfo_to_dict(conninfo or "host=/nonexistent dbname=keepsake")
    known = {
        "dbname": "NAME",
        "user": "USER",
        "password": "PASSWORD",
        "host": "HOST",
        "port": "PORT",
    }
    settings: dict[str, Any] = {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {}}
    for key, value in parts.items():
        if key in known:
            settings[known[key]] = str(value)
        else:
            settings["OPTIONS"][key] = value
    # Without health checks the first request after each database restart is a 500.
    return settings | {"CONN_MAX_AGE": number("CONN_MAX_AGE", 60), "CONN_HEALTH_CHECKS": True}


def secret(name: str, filename: str) -> str:
    """Return the secret in ``name``, else the one ``manage.py up`` keeps in ``DATA_DIR``."""
    path = data_dir() / filename
    return text(name) or (path.read_text().strip() if path.exists() else "")
