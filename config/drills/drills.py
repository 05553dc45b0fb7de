"""Each failure: brought about, seen from outside, and over; `Scene.settle` then looks for every promise."""

import resource
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import LiteralString

import psutil

from config.drills.embedder import Embedder
from config.drills.scene import Failed, Scene, expect, scene

Say = Callable[[str], None]
ROUNDS = 3
JOBS: LiteralString = """
UPDATE memory_job SET leased_until = leased_until + %(by)s, due_at = due_at + %(by)s
WHERE state IN ('pending', 'running')
"""
STEPS: LiteralString = """
UPDATE memory_erasurestep SET leased_until = leased_until + %(by)s, due_at = due_at + %(by)s
WHERE state <> 'done'
"""


def worker_kill(say: Say) -> None:
    """The worker is killed at work, again and again."""
    with scene(say) as service:
        service.write(4)
        for _ in range(ROUNDS):
            service.tell(3)
            service.erase()
            service.kill("worker")
            service.write()
        service.report("while the worker was killed")
        expect(service.recall() == "found", "a recall found nothing")
        _over(service)


def broker_down(say: Say) -> None:
    """The broker is killed whenever it comes back, for ten seconds."""
    with scene(say) as service:
        service.write(4)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            service.kill("valkey")
            service.tell()
            service.write()
            service.erase()
            expect(service.recall() == "found", "a recall found nothing")
        expect(service.client.get("/health/ready").is_success, "/health/ready says no")
        expect(service.seen.keys() <= {"200", "201", "202"}, f"callers saw {dict(service.seen)}")
        service.report("while the broker was down")
        _over(service)


def database_restart(say: Say) -> None:
    """The database is killed under load and started again."""
    with scene(say) as service:
        service.write(4)
        for _ in range(ROUNDS):
            service.tell()
            service.kill("postgres")
            service.write(2)
            service.erase()
        allowed = {"200", "201", "202", "503 database_unavailable", "no answer"}
        expect(service.seen.keys() <= allowed, f"callers saw {dict(service.seen)}")
        service.report("while the database was killed")
        _over(service)


def embedder_down(say: Say) -> None:
    """The server of embeddings hangs up: recall says so, and words still find."""
    embedder = Embedder()
    try:
        with scene(say, DEBUG="false", **embedder.settings) as service:
            service.write(3)
            embedder.stop()
            service.write(2)
            service.tell()
            expect("meaning" in service.lacking(), "a recall does not say what it could not search")
            service.erase()
            service.report("while the embedder was down")
            embedder.start()
            _over(service)
            took = service.until(
                lambda: "meaning" not in service.lacking(), within=90, what="meaning is back"
            )
            say(f"  recall searches by meaning again {took:.0f} s later")
    finally:
        embedder.stop()


def disk_full(say: Say) -> None:
    """No file may grow: a backup is refused whole, an erasure is refused and changes nothing."""
    with scene(say) as service:
        service.write(3)
        service.erase()
        limit = (service.data_dir / "erasures.jsonl").stat().st_size
        full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731
        backup = service.manage("backup", preexec_fn=full)
        expect(backup.returncode != 0, "a backup on a full disk says that it worked")
        whole = [one for one in service.data_dir.glob("backups/*/*") if one.name[0] != "."]
        expect(not whole, f"half a backup has a whole one's name: {whole}")
        before = _limit(service, limit)
        id_ = next(iter(service.kept))
        answer = service.call("DELETE", f"memories/{id_}")
        _limit(service, before)
        code = answer.json().get("code") if answer is not None else None
        expect(code == "ledger_unavailable", f"an erasure on a full disk was answered {code}")
        service.report("while the disk was full")
        service.erase()
        expect(service.manage("backup").returncode == 0, "no backup on a disk with room")
        _over(service)


def clock_jump(say: Say) -> None:
    """Every time of waiting work is a day off, either way: as after a jump of the clock."""
    with scene(say) as service:
        service.write(4)
        for days in (-1, 1):
            service.tell(2)
            service.erase()
            service.kill("worker")  # what it is at stays leased
            _shift(service, days)
            service.write()
            expect(service.recall() == "found", "a recall found nothing")
            for id_ in service.gone:
                expect(service.is_gone(id_), f"{id_} is not gone")
            service.report(f"with the clock {-days:+d} day")
            _over(service)


def _limit(service: Scene, size: int) -> int:
    """Let the web server write files of no more than this; return what it might before."""
    before = resource.RLIM_INFINITY
    for process in service.processes("web"):
        with suppress(psutil.Error):
            before = process.rlimit(psutil.RLIMIT_FSIZE)[0]
            process.rlimit(psutil.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return before


def _shift(service: Scene, days: int) -> None:
    for statement in (JOBS, STEPS):
        service.sql(statement, {"by": timedelta(days=days)})


def _over(service: Scene) -> None:
    took = service.settle()
    service.say(
        f"  nothing is lost: {len(service.kept)} memories and {len(service.said)} messages are there, "
        f"{len(service.gone)} erased; all work was done {took:.0f} s later"
    )


DRILLS: dict[str, Callable[[Say], None]] = {
    "worker-kill": worker_kill,
    "broker-down": broker_down,
    "database-restart": database_restart,
    "embedder-down": embedder_down,
    "disk-full": disk_full,
    "clock-jump": clock_jump,
}


def run(name: str, say: Say) -> bool:
    """Hold one drill; return whether it passed."""
    drill = DRILLS[name]
    say(f"{name}: {(drill.__doc__ or '').strip()}")
    try:
        drill(say)
    except Failed as fault:
        say(f"✗ {name}: {fault}")
        return False
    say(f"✓ {name}")
    return True
