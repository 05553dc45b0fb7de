"""Keeps several children alive: starts them, starts again what dies, stops them in reverse."""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from config.embedded.files import last_lines, shorten_log
from config.embedded.process import Part, spawn, stop

TICK = 0.2
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 30.0
# A child that has lived this long starts again without a pause.
STEADY = 30.0
LOG_CHECK_EVERY = 60.0


class Stopped(Exception):
    """The supervisor was asked to stop."""


class NotStarted(Exception):
    """A child did not become ready."""


@dataclass(slots=True)
class _Child:
    part: Part
    process: subprocess.Popen[bytes] | None
    started: float
    pause: float = FIRST_PAUSE
    start_at: float = 0.0
    deaths: int = 0


class Supervisor:
    """Runs the children of one service. ``on_change`` is told the process ids after each start."""

    def __init__(
        self, *, say: Callable[[str], None], on_change: Callable[[dict[str, int]], None]
    ) -> None:
        self.say, self.on_change = say, on_change
        self.children: dict[str, _Child] = {}
        self.stopping = False
        self._logs_checked = time.monotonic()

    def listen(self) -> None:
        """Take Ctrl-C, SIGTERM and a closed terminal as the wish to stop."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def start(self, part: Part) -> None:
        """Start a child; from now on it is kept alive."""
        child = _Child(part=part, process=None, started=time.monotonic())
        self.children[part.name] = child
        self._spawn(child)

    def _spawn(self, child: _Child) -> None:
        child.started = time.monotonic()
        child.process = spawn(child.part)
        self._tell()

    def _tell(self) -> None:
        running = {
            name: child.process.pid for name, child in self.children.items() if child.process
        }
        self.on_change(running)

    def tick(self) -> None:
        """Look after every child once, then wait a moment. Raises `Stopped` when asked to stop."""
        if self.stopping:
            raise Stopped
        for child in self.children.values():
            self._look_after(child)
        self._shorten_logs()
        time.sleep(TICK)

    def _look_after(self, child: _Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.start_at:
                self._restart(child)
        elif (code := child.process.poll()) is not None:
            # Ends also what the dead process has left in its group.
            stop(child.process)
            child.process, child.deaths = None, child.deaths + 1
            if now - child.started > STEADY:
                child.pause = FIRST_PAUSE
            child.start_at = now + child.pause
            child.pause = min(child.pause * 2, LONGEST_PAUSE)
            self.say(f"{child.part.name} ended ({_reason(code)}); starting it again.")

    def _restart(self, child: _Child) -> None:
        try:
            self._spawn(child)
        except (OSError, RuntimeError) as error:
            child.start_at, child.pause = time.monotonic() + child.pause, LONGEST_PAUSE
            self.say(f"{child.part.name} could not be started: {error}")

    def wait_ready(self, name: str, *, timeout: float, deaths: int = 3) -> None:
        """Wait until the child answers; give up after ``timeout`` or when it dies repeatedly."""
        child, deadline = self.children[name], time.monotonic() + timeout
        while not child.part.is_ready():
            if time.monotonic() > deadline or child.deaths >= deaths:
                reason = (
                    "keeps ending" if child.deaths >= deaths else f"is silent for {timeout:.0f} s"
                )
                tail = last_lines(child.part.log)
                raise NotStarted(f"{name} {reason}. The end of {child.part.log}:\n{tail}")
            self.tick()

    def require_all(self) -> None:
        """Raise `NotStarted` if a child is down, or has ended again and again."""
        for name, child in self.children.items():
            if child.process is None or child.deaths > 1:
                tail = last_lines(child.part.log)
                raise NotStarted(f"{name} keeps ending. The end of {child.part.log}:\n{tail}")

    def run_once(self, *parts: Part, timeout: float = 600) -> list[tuple[Part, int]]:
        """Run tasks side by side to their end, and return each with its exit code."""
        deadline = time.monotonic() + timeout
        running = [(part, spawn(part)) for part in parts]
        try:
            while any(process.poll() is None for _, process in running):
                if time.monotonic() > deadline:
                    break
                self.tick()
        finally:
            for _, process in running:
                stop(process, patience=5)
        return [(part, process.wait()) for part, process in running]

    def stop_all(self) -> None:
        """Stop the children: those that use the servers at once, then the servers."""
        living = [(child.part, child.process) for child in self.children.values() if child.process]
        for part, process in living:
            if not part.is_server and process.poll() is None:
                process.send_signal(part.stop_signal)
        for part, process in sorted(living, key=lambda each: each[0].is_server):
            stop(process, stop_signal=part.stop_signal, patience=part.patience)
        self.children.clear()

    def _shorten_logs(self) -> None:
        if time.monotonic() - self._logs_checked > LOG_CHECK_EVERY:
            self._logs_checked = time.monotonic()
            for child in self.children.values():
                shorten_log(child.part.log)


def _reason(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
