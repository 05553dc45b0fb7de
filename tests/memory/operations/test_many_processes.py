"""Counts of many processes: added up, also those of processes that were killed, with no file left."""

import os
import subprocess
import sys
from pathlib import Path

# A parent that forks workers, as Celery does: one is killed, one ends, one lives while it is asked.
PROGRAM = """
import os, signal, time
import django; django.setup()
from memory import measuring
from memory.measuring import shared
from memory.measuring.counts import DECISIONS
from prometheus_client import generate_latest

def count(times):
    for _ in range(times):
        measuring.request(route="api-recall", method="POST", status=200, seconds=.01)
        DECISIONS.labels("accepted", "stated").inc()

def fork(times, end):
    pid = os.fork()
    if not pid:
        count(times)
        end()
        os._exit(0)
    return pid

def asked():
    with measuring.gathered() as found:
        lines = generate_latest(found).decode().splitlines()
    return [line.rpartition(" ")[2] for line in lines
            if line.startswith(("keepsake_request_seconds_count", "keepsake_decisions_total"))]

count(1)
killed = fork(2, lambda: os.kill(os.getpid(), signal.SIGKILL))
ended = fork(3, lambda: None)
for pid in (killed, ended):
    os.waitpid(pid, 0)
alive = fork(4, lambda: time.sleep(30))
until = time.monotonic() + 20
while asked() != ["10.0", "10.0"] and time.monotonic() < until:
    time.sleep(.01)
print(len(list(shared.folder().glob("*.alive"))))
os.kill(alive, signal.SIGKILL); os.waitpid(alive, 0)
print(*asked())
print(len(list(shared.folder().glob("*.alive"))))
"""


def run(folder: Path) -> list[str]:
    environment = os.environ | {"METRICS_TOKEN": "token", "DATA_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def test_what_dead_processes_counted_stays_and_their_files_go(tmp_path: Path) -> None:
    assert run(tmp_path) == ["2", "10.0", "10.0", "1"]
    left = {path.name for path in (tmp_path / "metrics").iterdir()}
    assert {"histogram_past.db", "counter_past.db", "lock"} <= left
    assert len(left) == 6  # and the three of the parent, which nobody has asked since it ended
