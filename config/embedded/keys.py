"""The two secrets of a local service: Django's, and the master key that opens every text."""

import base64
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from config.embedded.files import write_private

LOST = """\
{path} is missing, but the database already holds texts sealed with it.
A new key could never open them, so none is made. Either
  - put the key back from your backup as {path}, or set MASTER_KEY, or
  - give up what is stored and start anew: stop, and remove the database."""

WARNING = """\
A new master key was made: {path}
  BACK IT UP NOW, apart from the database. Without it nothing that is remembered can be read again;
  whoever has it and the database can read everything."""


class MasterKeyLost(Exception):
    """The key is gone while data sealed with it exists."""


def ensure_secret_key(data_dir: Path) -> None:
    """Make the key of sessions and forms; losing it only signs people out."""
    path = data_dir / "secret.key"
    if not _given("SECRET_KEY") and not path.exists():
        write_private(path, secrets.token_urlsafe(48) + "\n")


def ensure_master_key(
    data_dir: Path, *, has_data: Callable[[], bool], say: Callable[[str], None]
) -> None:
    """Make the master key on the first run only; refuse when sealed data without a key exists."""
    path = data_dir / "master.key"
    if _given("MASTER_KEY") or path.exists():
        return
    if has_data():
        raise MasterKeyLost(LOST.format(path=path))
    write_private(path, base64.b64encode(secrets.token_bytes(32)).decode() + "\n")
    say(WARNING.format(path=path))


def _given(name: str) -> bool:
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))
