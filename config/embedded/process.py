"""One child process: start it, see whether it lives, stop it together with its own children."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from config.embedded.files import shorten_log

# Every child carries this variable, so that a later supervisor recognises what a dead one left.
MARK = "KEEPSAKE_PART"


def _nothing() -> None:
    """Do nothing before the start."""


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a child is: its command and how to prepare, probe and stop it."""

    name: str
    command: list[str]
    data_dir: Path
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path = Path("/")
    user: str | None = None
    prepare: Callable[[], None] = _nothing
    is_ready: Callable[[], bool] = _always
    stop_signal: signal.Signals = signal.SIGTERM
    patience: float = 20.0
    is_server: bool = False

    @property
    def log(self) -> Path:
        """Where the child's output goes."""
        return self.data_dir / "logs" / f"{self.name}.log"

    @property
    def mark(self) -> str:
        """The value of ``MARK`` in the child's environment."""
        return f"{self.name}:{self.data_dir}"


def spawn(part: Part) -> subprocess.Popen[bytes]:
    """Start the child in a session of its own, so that a Ctrl-C reaches only the supervisor."""
    clean(part.name, part.data_dir)
    part.prepare()
    shorten_log(part.log)
    with part.log.open("ab") as log:
        return subprocess.Popen(
            part.command,
            env={**part.env, MARK: part.mark},
            cwd=part.cwd,
            user=part.user,
            group=part.user,
            extra_groups=[] if part.user else None,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop(
    process: subprocess.Popen[bytes],
    *,
    stop_signal: signal.Signals = signal.SIGTERM,
    patience: float = 20.0,
) -> None:
    """Ask the child to end, wait ``patience`` seconds, then kill it and what it leaves behind."""
    if process.poll() is None:
        process.send_signal(stop_signal)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def left_behind(name: str, data_dir: Path) -> list[psutil.Process]:
    """Return the living processes started as ``name`` on this ``DATA_DIR``, oldest first."""
    mark, found = f"{name}:{data_dir}", []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark and process.pid != os.getpid():
                found.append(process)
    return sorted(found, key=lambda process: process.create_time())


def clean(
    name: str, data_dir: Path, *, stop_signal: signal.Signals = signal.SIGTERM, patience: float = 20
) -> int:
    """Stop what a dead supervisor, or a dead parent, left running as ``name``; return how many."""
    found = left_behind(name, data_dir)
    if not found:
        return 0
    # The oldest is the parent: it ends its children itself, and what is left then hears nothing.
    with suppress(psutil.Error):
        found[0].send_signal(stop_signal)
    _wait(found[:1], timeout=patience)
    for process in found:
        with suppress(psutil.Error):
            process.kill()
    _wait(found, timeout=5)
    return len(found)


def _wait(processes: list[psutil.Process], *, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    while any(map(runs, processes)) and time.monotonic() < deadline:
        time.sleep(0.05)


def runs(process: psutil.Process) -> bool:
    """Tell whether a process lives; one that waits to be collected does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
