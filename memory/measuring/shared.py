"""One file of counts for each process, added up when somebody asks, those of dead processes too.

Web server and workers are many processes, perhaps in containers where each is number 7; so a process
is named by chance, and lives as long as it holds the lock on a file of that name. What a dead one
has counted is added to the counts of the past, so that no number falls and no file is left.
"""

import fcntl
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# Written out when a process begins: where a disk is full, a file with holes would mean its death.
SIZES = {"histogram": 2 << 20, "counter": 1 << 16}
ROOM = 64 << 20  # bytes free on the disk, without which the dead are not buried
PAST = "past"

_mine: dict[int, str] = {}  # process id → name; one entry


def share(folder: Path) -> None:
    """Let all counts that are made from now on stand in ``folder``, for every process."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.environ[VARIABLE] = str(folder)
    module: Any = values
    module.ValueClass = values.MultiProcessValue(process_identifier=_name)


def folder() -> Path | None:
    """Return where the counts stand; None if each process keeps its own."""
    path = os.environ.get(VARIABLE)
    return Path(path) if path else None


@contextmanager
def added_up() -> Iterator[None]:
    """Add dead processes to the past; nobody else does, and no process begins, until the end."""
    where = folder()
    assert where is not None
    with _alone(where):
        roomy = shutil.disk_usage(where).free > ROOM
        for alive in sorted(where.glob("*.alive")):
            if roomy and not _lives(alive):
                _bury(where, alive)
        yield


def _name() -> str:
    """Return the name of this process; a new one after a fork."""
    pid = os.getpid()
    if pid not in _mine:
        where = folder()
        assert where is not None
        _mine.clear()
        _mine[pid] = _begin(where)
    return _mine[pid]


def _begin(where: Path) -> str:
    name = uuid.uuid4().hex
    with _alone(where):
        for kind, size in SIZES.items():
            _file(where, kind, name).write_bytes(bytes(size))
        # Open, and locked, until this process ends.
        alive = os.open(where / f"{name}.alive", os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(alive, fcntl.LOCK_EX)
    return name


def _file(where: Path, kind: str, name: str) -> Path:
    return where / f"{kind}_{name}.db"


@contextmanager
def _alone(where: Path) -> Iterator[None]:
    with (where / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # a child forked meanwhile has it open, too


def _lives(alive: Path) -> bool:
    with alive.open("rb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _bury(where: Path, alive: Path) -> None:
    """Add what a dead process has counted to the past, and remove its files."""
    for kind in SIZES:
        path = _file(where, kind, alive.stem)
        if path.exists():
            _add(path, _file(where, kind, PAST))
            path.unlink()
    alive.unlink()


def _add(path: Path, past: Path) -> None:
    total = MmapedDict(str(past))
    try:
        for key, value, _, _ in MmapedDict.read_all_values_from_file(str(path)):
            total.write_value(key, total.read_value(key)[0] + value, 0.0)
    except RuntimeError:
        pass  # it died while it wrote; what stands before is counted
    finally:
        total.close()
