"""A whole service in a folder of its own, an agent that calls it, and a book of what it was promised."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, LiteralString

import httpx
import psutil
import psycopg

from config.embedded.files import RunFile, last_lines
from config.embedded.process import MARK
from config.environment import ROOT

# So many memories of one kind are told of one person: of more, an agent is taken to flood.
ALIKE = 10
# From the restart on; a lease is 120 s, a sweeper comes every 15 s.
SETTLED_WITHIN = 180.0
# Says where servers of one's own are: the drill's own has none.
GIVEN = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_CONSOLE_URL", "DATABASE_BACKUP_URL", "REDIS_URL",
    "MASTER_KEY", "SECRET_KEY", "PUBLIC_URL", "DATA_DIR", "LEDGER_FILE", "BACKUP_DIR",
    "DJANGO_SETTINGS_MODULE", MARK,
)  # fmt: skip
WAITING: LiteralString = """
SELECT (SELECT count(*) FROM memory_job WHERE state IN ('pending', 'running')
         AND kind <> 'decay' AND due_at NOT BETWEEN now() + interval '1 minute' AND now() + interval '3 hours')
     + (SELECT count(*) FROM memory_erasure WHERE state IN
         ('fenced', 'running', 'verifying', 'needs_attention'))
"""


class Failed(Exception):
    """The service did not do what the drill expects."""


def expect(met: object, what: str) -> None:
    """Fail the drill unless something is so.

    Raises:
        Failed: says what is not so.
    """
    if not met:
        raise Failed(what)


class Scene:
    """The service, and what its caller was promised: ``kept`` and ``gone`` memories, ``said`` messages."""

    def __init__(self, data_dir: Path, *, say: Callable[[str], None], **settings: str) -> None:
        self.data_dir, self.say = data_dir, say
        self.env = {k: v for k, v in os.environ.items() if k not in GIVEN} | settings
        self.env |= {
            "DATA_DIR": str(data_dir),
            "RATE_LIMIT_PER_KEY": "0",
            "RATE_LIMIT_PER_TENANT": "0",
        }
        self.port = _free_port()
        self.kept: dict[str, str] = {}
        self.whose: dict[str, str] = {}
        self.gone: set[str] = set()
        self.said: set[str] = set()
        self.seen: Counter[str] = Counter()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)
        self.client.headers["Host"] = f"localhost:{self.port}"

    # --- the service -----------------------------------------------------------------------------

    def manage(self, *arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """Run one of the service's commands."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.env, capture_output=True, text=True, check=False, timeout=300, **more,
        )  # fmt: skip

    def up(self) -> None:
        """Start it and make a key."""
        started = self.manage("up", "--detach", "--no-demo", "--port", str(self.port))
        expect(started.returncode == 0, f"it did not start: {started.stdout}{started.stderr}")
        made = self.manage("bootstrap", "--tenant", "Drill", "--agent", "drill")
        found = re.search(r"shown once: (\S+)", made.stdout)
        expect(found, f"no key was made: {made.stdout}{made.stderr}")
        assert found
        self.client.headers["Authorization"] = f"Bearer {found[1]}"

    @property
    def pids(self) -> dict[str, int]:
        """The processes, by name."""
        found: dict[str, int] = RunFile(self.data_dir).read().get("pids", {})
        return found

    def processes(self, part: str) -> list[psutil.Process]:
        """A part's process and its children."""
        with suppress(psutil.Error, KeyError):
            parent = psutil.Process(self.pids[part])
            return [parent, *parent.children(recursive=True)]
        return []

    def kill(self, part: str) -> None:
        """``kill -9`` of a part, all its processes at once."""
        for process in self.processes(part):
            with suppress(psutil.Error):
                process.send_signal(signal.SIGKILL)

    @property
    def database(self) -> str:
        """Where its database is, for the owner."""
        return str(RunFile(self.data_dir).read()["database"])

    def sql(self, statement: LiteralString, values: Any = None) -> list[tuple[Any, ...]]:
        """Run a statement as the owner."""
        with psycopg.connect(self.database) as connection:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def until(self, condition: Callable[[], bool], *, within: float, what: str) -> float:
        """Wait for something; return how many seconds it took."""
        begun = time.monotonic()
        while not condition():
            if time.monotonic() - begun > within:
                logs = "\n".join(last_lines(one, 5) for one in self.data_dir.glob("logs/*.log"))
                raise Failed(f"{what}: not within {within:.0f} s\n{logs}")
            time.sleep(0.1)
        return time.monotonic() - begun

    # --- the caller ------------------------------------------------------------------------------

    def call(
        self, method: str, path: str, body: Any = None, *, name: str = ""
    ) -> httpx.Response | None:
        """Call once; None without an answer. What was seen is counted."""
        headers = {"Idempotency-Key": name} if name else {}
        try:
            answer = self.client.request(method, f"/api/v1/{path}", json=body, headers=headers)
        except httpx.HTTPError:
            self.seen["no answer"] += 1
            return None
        code = answer.json().get("code", "") if answer.is_error else ""
        self.seen[f"{answer.status_code} {code}".strip()] += 1
        return answer

    def surely(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Call again under the same name until it is answered, as a careful client does."""
        name, until = str(uuid.uuid4()), time.monotonic() + 90
        while time.monotonic() < until:
            answer = self.call(method, path, body, name=name if method != "GET" else "")
            if answer is not None and answer.status_code not in (429, 502, 503):
                return answer
            time.sleep(0.3)
        raise Failed(f"{method} {path} was never answered")

    @property
    def user(self) -> str:
        """Whom the next memories are about."""
        return f"drill {len(self.whose) // ALIKE}"

    def write(self, number: int = 1) -> None:
        """Propose memories; what is answered with a 2xx is a promise."""
        for _ in range(number):
            word = uuid.uuid4().hex.translate(str.maketrans("0123456789", "ghijklmnop"))
            text = f"I own the kettle {word} 水壶"
            user = self.user
            made = self.surely("POST", "memories", {"user_id": user, "text": text})
            expect(made.is_success, f"a proposal was answered {made.status_code}: {made.text}")
            self.kept[made.json()["id"]], self.whose[text] = text, user

    def tell(self, number: int = 1) -> None:
        """Hand messages over that a worker is to read."""
        made = self.surely(
            "POST", "sessions", {"user_id": self.user, "session_id": f"s {uuid.uuid4()}"}
        )
        path = f"sessions/{made.json()['id']}/messages"
        for _ in range(number):
            text = f"我喜欢喝{uuid.uuid4().hex[:6]}号茶。"
            body = {"messages": [{"role": "user", "content": text}]}
            answer = self.surely("POST", path, body)
            expect(answer.is_success, f"messages were answered {answer.status_code}: {answer.text}")
            self.said |= set(answer.json()["events"])

    def erase(self) -> str:
        """Erase one memory; return its id."""
        id_ = next(iter(self.kept))
        answer = self.surely("DELETE", f"memories/{id_}")
        expect(answer.is_success, f"an erasure was answered {answer.status_code}: {answer.text}")
        del self.kept[id_]
        self.gone.add(id_)
        return id_

    def is_gone(self, id_: str) -> bool:
        """Whether a memory is answered as erased."""
        return self.surely("GET", f"memories/{id_}").status_code == HTTPStatus.GONE

    def recall(self) -> str:
        """Ask for a memory that there is; return the answer's status."""
        return str(self._recalled()["status"])

    def lacking(self) -> list[str]:
        """Ask for a memory that there is; return what could not be searched."""
        return list(self._recalled()["degraded"])

    def _recalled(self) -> dict[str, Any]:
        text = next(iter(self.kept.values()))
        answer = self.surely("POST", "recall", {"user_id": self.whose[text], "query": text})
        expect(answer.is_success, f"a recall was answered {answer.status_code}: {answer.text}")
        found: dict[str, Any] = answer.json()
        return found

    def settle(self) -> float:
        """Wait until all work is done, then look for every promise; return the seconds it took."""

        def done() -> bool:
            with suppress(psycopg.Error):
                return self.sql(WAITING) == [(0,)]
            return False

        took = self.until(done, within=SETTLED_WITHIN, what="all work is done")
        for id_, text in self.kept.items():
            answer = self.surely("GET", f"memories/{id_}")
            expect(answer.is_success and answer.json()["text"] == text, f"{id_} is lost")
        for id_ in self.gone:
            expect(self.is_gone(id_), f"{id_} is not gone")
        for id_ in self.said:
            expect(self.surely("GET", f"events/{id_}").is_success, f"message {id_} is lost")
        return took

    def report(self, title: str) -> None:
        """Print what the caller saw since the last report."""
        seen = ", ".join(f"{count} × {what}" for what, count in self.seen.most_common())
        self.say(f"  {title}: {seen or 'nothing was asked'}")
        self.seen.clear()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def scene(say: Callable[[str], None], **settings: str) -> Iterator[Scene]:
    """A service that runs, and is stopped and removed afterwards."""
    data_dir = Path(tempfile.mkdtemp(prefix="ks-drill-")).resolve()
    made = Scene(data_dir, say=say, **settings)
    try:
        say("Starting a service of its own.")
        made.up()
        yield made
    finally:
        made.client.close()
        made.manage("down")
        shutil.rmtree(data_dir, ignore_errors=True)
