"""Files under ``DATA_DIR``: private, written whole or not at all, with sockets on short paths."""

import fcntl
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

# The system limits a socket's path to 104 (macOS) or 108 (Linux) bytes.
LONGEST_SOCKET_PATH = 100
LOCK_ATTEMPTS = 10


class AlreadyRunning(Exception):
    """Another supervisor holds this ``DATA_DIR``."""


def prepare(data_dir: Path) -> None:
    """Make ``DATA_DIR`` and its folder of logs, for this user only."""
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    # As root the database runs as a user of its own, which must pass through (not list) the folder.
    data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)
    (data_dir / "logs").mkdir(exist_ok=True, mode=0o700)


def write_private(path: Path, text: str) -> None:
    """Replace ``path`` in one step; only this user can read it, and it survives a power cut."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def socket_folder(preferred: Path, *, longest_name: str) -> Path:
    """Return ``preferred``, or a private folder with a short path if sockets do not fit there."""
    if len(str(preferred / longest_name)) <= LONGEST_SOCKET_PATH:
        preferred.mkdir(exist_ok=True, mode=0o700)
        return preferred
    digest = hashlib.sha256(str(preferred).encode()).hexdigest()[:16]
    short = Path(tempfile.gettempdir()) / f"keepsake-{digest}"
    short.mkdir(exist_ok=True, mode=0o700)
    if short.is_symlink() or (os.geteuid() != 0 and short.stat().st_uid != os.geteuid()):
        raise PermissionError(f"{short} belongs to another user. Choose a shorter DATA_DIR.")
    return short


class RunFile:
    """``DATA_DIR/run.json``: where the service is, its processes, and the demo's login."""

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / "run.json"

    def read(self) -> dict[str, Any]:
        """Return the content; {} if there is none."""
        try:
            content: dict[str, Any] = json.loads(self.path.read_text())
        except (OSError, ValueError):
            return {}
        return content

    def update(self, **changes: Any) -> dict[str, Any]:
        """Change some entries and keep the others."""
        content = self.read() | changes
        write_private(self.path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        return content


def _is_taken_by_us(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def only_one(data_dir: Path) -> Iterator[None]:
    """Hold ``DATA_DIR`` for this process; the system lets go of it when the process dies."""
    with (data_dir / "up.lock").open("a") as lock:
        # `holder` touches the lock for a moment too.
        for _ in range(LOCK_ATTEMPTS):
            if _is_taken_by_us(lock):
                break
            time.sleep(0.05)
        else:
            raise AlreadyRunning(str(data_dir))
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def holder(data_dir: Path) -> int | None:
    """Return the process that holds ``DATA_DIR``, if one does."""
    try:
        with (data_dir / "up.lock").open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return int(lock.read() or 0) or None
    except FileNotFoundError:
        pass
    return None


def shorten_log(path: Path, *, limit: int = 5_000_000) -> None:
    """Move a log that has grown over ``limit`` bytes to ``.1`` while its writer keeps it open."""
    if path.exists() and path.stat().st_size > limit:
        path.with_suffix(".log.1").write_bytes(path.read_bytes()[-limit:])
        os.truncate(path, 0)


def last_lines(path: Path, count: int = 15) -> str:
    """Return the end of a log."""
    if not path.exists():
        return ""
    return "\n".join(path.read_text(errors="replace").splitlines()[-count:])


def follow(path: Path, *, say: Callable[[str], None], position: int) -> int:
    """Pass on the whole lines after ``position`` and return where the next ones start."""
    with path.open("rb") as file:
        file.seek(position)
        fresh = file.read()
    whole = fresh[: fresh.rfind(b"\n") + 1]
    for line in whole.decode(errors="replace").splitlines():
        say(line)
    return position + len(whole)
