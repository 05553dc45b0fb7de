"""The whole service in order: keys, servers, tables, worker, beat, web, demo; and down again."""

import json
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, LiteralString

import psutil
import psycopg

from accounts import first_run
from accounts.roles import UnsafeRole, bootstrap, role_problems
from config.embedded import parts
from config.embedded.files import RunFile, holder, last_lines, only_one, prepare
from config.embedded.given import Given
from config.embedded.keys import ensure_master_key, ensure_secret_key
from config.embedded.postgres import Postgres
from config.embedded.process import clean, runs
from config.embedded.supervisor import NotStarted, Stopped, Supervisor
from config.embedded.valkey import Valkey
from config.embedded.walkthrough import still_works, walkthrough

READY = "Keepsake is running."
SENTINEL: LiteralString = "SELECT to_regclass('public.memory_vaultsentinel')"
OPERATOR: LiteralString = "SELECT 1 FROM accounts_user WHERE is_staff LIMIT 1"
# The order in which what a dead supervisor left is stopped: the servers last.
LEFTOVERS = ("demo", "migrate", "collectstatic", "web", "beat", "worker", "valkey", "postgres")


class Service:
    """What ``manage.py up`` runs. ``given`` says which servers are somebody else's."""

    def __init__(
        self, data_dir: Path, *, port: int, given: Given, say: Callable[[str], None]
    ) -> None:
        self.data_dir, self.port, self.given, self.say = data_dir, port, given, say
        self.url = given.public_url or f"http://localhost:{port}"
        self.run_file = RunFile(data_dir)
        self.supervisor = Supervisor(say=say, on_change=self._note_pids)
        self.environment: dict[str, str] = {}

    def run(self, *, demo: bool) -> None:
        """Start everything, then keep it alive until asked to stop."""
        os.umask(0o077)
        prepare(self.data_dir)
        with only_one(self.data_dir):
            self.supervisor.listen()
            self._note_pids({})
            stop_leftovers(self.data_dir, say=self.say)
            try:
                self._start()
                self._show(demo=demo)
                while True:
                    self.supervisor.tick()
            except Stopped:
                self.say("Stopping.")
            finally:
                self.supervisor.stop_all()
                self.run_file.update(pids={})
        self.say("Stopped.")

    def _note_pids(self, pids: dict[str, int]) -> None:
        self.run_file.update(pids={"supervisor": os.getpid(), **pids})

    # --- start -----------------------------------------------------------------------------------

    def _start(self) -> None:
        self._check_port()
        ensure_secret_key(self.data_dir)
        database, broker = self._start_servers()
        self.environment = self.given.environment(
            data_dir=self.data_dir, url=self.url, database=database, broker=broker
        )
        self.run_file.update(url=self.url, database=self.environment["DATABASE_OWNER_URL"])
        self.run_file.update(broker=self.environment["REDIS_URL"])
        self._prepare()
        self._start_processes()

    def _check_port(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", self.port))
            except OSError as error:
                raise NotStarted(
                    f"Port {self.port} is taken by another program. Choose one with --port."
                ) from error

    def _start_servers(self) -> tuple[Postgres | None, Valkey | None]:
        """Start the servers that are not given, and make the keys before the first of them."""
        database = None if self.given.database else Postgres(self.data_dir, say=self.say)
        broker = None if self.given.broker else Valkey(self.data_dir)
        ensure_master_key(self.data_dir, has_data=lambda: self._has_data(database), say=self.say)
        if database:
            self.say("Starting PostgreSQL" + ("." if database.exists else " (first time)."))
            self.supervisor.start(database.part())
        if broker:
            self.say("Starting Valkey.")
            self.supervisor.start(broker.part())
        if database:
            self.supervisor.wait_ready("postgres", timeout=120)
            bootstrap(database.url(database="postgres"))
        if broker:
            self.supervisor.wait_ready("valkey", timeout=60)
        return database, broker

    def _has_data(self, database: Postgres | None) -> bool:
        if database:
            return database.exists
        with psycopg.connect(self.given.owner) as connection:
            table = connection.execute(SENTINEL).fetchone()
            if not table or not table[0]:
                return False
            return connection.execute("SELECT 1 FROM memory_vaultsentinel").fetchone() is not None

    def _prepare(self) -> None:
        self.say("Preparing the tables and the embedder.")
        static = parts.collectstatic(self.data_dir, self.environment)
        migrate = parts.migrate(self.data_dir, self.environment)
        embedder = parts.embedder(self.data_dir, self.environment)
        for task, code in self.supervisor.run_once(static, migrate, embedder):
            if code:
                raise NotStarted(
                    f"{task.name} failed. The end of {task.log}:\n{last_lines(task.log)}"
                )
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            role, problems = role_problems(connection.cursor())
        if problems:
            raise UnsafeRole(f"DATABASE_URL: the role {role!r} is too strong: {problems[0]}.")

    def _start_processes(self) -> None:
        self.say("Starting worker, beat and web server.")
        where = (self.data_dir, self.environment)
        self.supervisor.start(parts.worker(*where))
        self.supervisor.start(parts.beat(*where))
        # Web servers share a port without a word: one that came meanwhile would answer half our calls.
        self._check_port()
        self.supervisor.start(
            parts.web(*where, port=self.port, is_ready=lambda: is_ready(self.port))
        )
        for name in ("web", "worker"):
            self.supervisor.wait_ready(name, timeout=120)
        self.supervisor.require_all()

    # --- show ------------------------------------------------------------------------------------

    def _show(self, *, demo: bool) -> None:
        found = self._seed() if demo else None
        self.say("")
        self.say(f"{READY}  {self.url}")
        for line in walkthrough(self.url, found) if found else []:
            self.say(line)
        self._offer_setup()
        self.say("")
        self.say("Stop it with Ctrl-C or `make down`; check it with `make doctor`.")

    def _offer_setup(self) -> None:
        """Say where the first operator is made; the token itself goes to a terminal, never to a log."""
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            there = connection.execute(OPERATOR).fetchone()
        if there:
            first_run.withdraw(self.data_dir)
            return
        token = first_run.offer(self.data_dir)
        self.say("")
        if sys.stdout.isatty():
            self.say(f"No operator yet. Make one: {self.url}/setup/?token={token}")
        else:
            path = self.data_dir / first_run.FILE
            self.say(f"No operator yet. Make one: {self.url}/setup/ with the token in {path}")

    def _seed(self) -> dict[str, Any] | None:
        """Return the demo's login, playing it once; a failure is told and changes nothing else."""
        known: dict[str, Any] = self.run_file.read().get("demo") or {}
        if still_works(self.port, known):
            return known
        self.say("Playing the demo.")
        task = parts.demo(self.data_dir, self.environment)
        # The output ends with a password and a key: it is read once and not kept.
        task.log.unlink(missing_ok=True)
        [(_, code)] = self.supervisor.run_once(task, timeout=180)
        lines = task.log.read_text(errors="replace").strip().splitlines()
        with suppress(IndexError, ValueError):
            found: dict[str, Any] = json.loads(lines[-1])
            if code == 0 and "agent_key" in found:
                task.log.unlink()
                self.run_file.update(demo=found)
                return found
        reason = " / ".join(lines[-2:]) or f"nothing was printed, see {task.log}"
        self.say(f"The demo is not there (exit code {code}): {reason}")
        return None


def is_ready(port: int) -> bool:
    """Tell whether the web server and all it needs are ready, or closed until a restore is done."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/health/ready", headers={"Host": f"localhost:{port}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except urllib.error.HTTPError as error:
        return b'"closed"' in error.read()
    except (urllib.error.URLError, OSError):
        return False


def stop_leftovers(data_dir: Path, *, say: Callable[[str], None]) -> int:
    """Stop what a killed supervisor left running; the data is safe, the servers stop cleanly."""
    stopped = 0
    for name in LEFTOVERS:
        how = signal.SIGINT if name == "postgres" else signal.SIGTERM
        if count := clean(name, data_dir, stop_signal=how):
            say(f"Stopped {name}, left over from an earlier run.")
            stopped += count
    return stopped


def stop_running(data_dir: Path, *, timeout: float = 90) -> bool:
    """Ask the supervisor to stop and wait for it; return whether one was running."""
    pid = holder(data_dir)
    if pid is None:
        return False
    try:
        supervisor = psutil.Process(pid)
        supervisor.terminate()
        deadline = time.monotonic() + timeout
        while runs(supervisor):
            if time.monotonic() > deadline:
                raise NotStarted(f"Process {pid} has not stopped within {timeout:.0f} s.")
            time.sleep(0.1)
    except psutil.NoSuchProcess:
        return False
    return True
