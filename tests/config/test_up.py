"""The two commands on a real service: up, survive kill -9 of every part, doctor, down."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import psycopg
import pytest

from config.embedded.files import holder
from config.embedded.process import MARK, runs
from config.environment import ROOT
from tests.browser.agent import Agent
from tests.browser.chromium import Look, window
from tests.browser.persona import TEXTS, Persona

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PARTS = ("postgres", "valkey", "worker", "beat", "web")
GIVEN = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_CONSOLE_URL", "REDIS_URL")
pytestmark = pytest.mark.timeout(300)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Running:
    """One service in a temporary folder."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir, self.port = data_dir, _free_port()
        self.printed = ""
        mine = {*GIVEN, "MASTER_KEY", "SECRET_KEY", "PUBLIC_URL", "DATA_DIR", MARK}
        self.env = {key: value for key, value in os.environ.items() if key not in mine}
        self.env["DATA_DIR"] = str(data_dir)

    def manage(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.env | more,
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )

    def up(self, *options: str) -> subprocess.CompletedProcess[str]:
        return self.manage("up", "--detach", "--port", str(self.port), *options)

    @property
    def run_file(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((self.data_dir / "run.json").read_text())
        return content

    def is_ready(self) -> bool:
        try:
            address = f"http://localhost:{self.port}/health/ready"
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def until(self, condition: Any, *, within: float = 40) -> None:
        deadline = time.monotonic() + within
        while not condition():
            assert time.monotonic() < deadline, self.logs()
            time.sleep(0.1)

    def logs(self) -> str:
        logs = sorted((self.data_dir / "logs").glob("*.log"))
        return "\n".join(f"== {log.name}\n{log.read_text()[-1500:]}" for log in logs)

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.run_file["database"]) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    data_dir = Path(tempfile.mkdtemp(prefix="ks-")).resolve()
    running = Running(data_dir)
    started = running.up()
    assert started.returncode == 0, started.stdout + started.stderr + running.logs()
    running.printed = started.stdout
    yield running
    running.manage("down")
    shutil.rmtree(data_dir, ignore_errors=True)


@pytest.mark.deep
def test_with_servers_of_ones_own_it_starts_none() -> None:
    given = {name: os.environ[name] for name in GIVEN}
    if not all("ks-" in url for url in given.values()):
        pytest.skip("only on the servers the tests have started themselves")
    data_dir = Path(tempfile.mkdtemp(prefix="ks-")).resolve()
    running = Running(data_dir)
    running.env |= given
    try:
        started = running.up("--no-demo")
        assert started.returncode == 0, started.stdout + started.stderr + running.logs()
        assert set(running.run_file["pids"]) == {"supervisor", "worker", "beat", "web"}
        assert running.run_file["database"] == given["DATABASE_OWNER_URL"]
        assert running.manage("doctor").returncode == 0
        assert not (data_dir / "postgres").exists()
        # The next start without its key must not make another one over the sealed data.
        running.manage("down")
        (data_dir / "master.key").unlink()
        refused = running.up("--no-demo")
        assert "from your backup" in refused.stdout + refused.stderr
        half = {"DATABASE_OWNER_URL": "", "DATABASE_CONSOLE_URL": ""}
        incomplete = running.manage("up", "--port", str(running.port), **half)
        assert "needs also DATABASE_OWNER_URL and DATABASE_CONSOLE_URL" in incomplete.stderr
    finally:
        running.manage("down")
        shutil.rmtree(data_dir, ignore_errors=True)


def test_the_run_file_says_where_everything_is(service: Running) -> None:
    content = service.run_file
    assert content["url"] == f"http://localhost:{service.port}"
    assert set(content["pids"]) == {"supervisor", *PARTS}
    assert content["database"].startswith("postgresql://keepsake_owner@/keepsake?host=")
    assert content["broker"].startswith("redis+socket://")
    assert (service.data_dir / "run.json").stat().st_mode & 0o777 == 0o600
    assert (service.data_dir / "master.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_the_printed_calls_work_as_they_are(service: Running) -> None:
    demo = service.run_file["demo"]
    assert set(demo) == {"email", "password", "user_id", "agent_key"}
    assert demo["password"] in service.printed
    script = service.printed.split("Try it:")[1].split("\n\n")[0]
    played = subprocess.run(["bash"], input=script, capture_output=True, text=True, check=True)
    wrote, found, erased, after = map(json.loads, played.stdout.strip().splitlines())
    assert wrote["decisions"]
    assert found["status"] == "found"
    assert found["memories"][0]["text"] == "以后所有报告都用中文写，先给数字。"
    assert erased["state"] == "fenced"
    assert after["status"] == "nothing_relevant"
    assert found["memories"][0]["id"] not in json.dumps(after)


@pytest.mark.e2e
def test_the_demo_person_rules_her_memories_in_a_browser(
    service: Running, browser: Browser
) -> None:
    """Nothing but `make run`, the printed login and the printed key."""
    demo = service.run_file["demo"]
    url = service.run_file["url"]
    agent = Agent(url=url, key=demo["agent_key"], user_id=demo["user_id"])
    with closing(Look().context(browser)) as context, window(context, url) as opened:
        lin = Persona(window=opened, agent=agent, lang="en")
        lin.does_it_all(email=demo["email"], password=demo["password"])
    logs = "".join(log.read_text() for log in (service.data_dir / "logs").glob("*.log"))
    assert "/memories/" in logs and not any(text in logs for text in TEXTS)


def test_up_again_says_that_it_runs(service: Running) -> None:
    again = service.up()
    assert again.returncode == 0
    assert f"already running: http://localhost:{service.port}" in again.stdout


def test_doctor_finds_everything_in_order(service: Running) -> None:
    report = service.manage("doctor")
    assert report.returncode == 0, report.stdout + report.stderr
    assert report.stdout.count("✓") == 16
    document = json.loads(service.manage("doctor", "--json").stdout)
    assert document["ok"] is True


@pytest.mark.parametrize(
    "part",
    ["postgres", "web", *(pytest.param(one, marks=pytest.mark.deep) for one in PARTS[1:-1])],
)
def test_a_killed_part_is_back_with_nothing_lost(service: Running, part: str) -> None:
    service.sql("CREATE TABLE IF NOT EXISTS kept (part text)")
    service.sql(f"INSERT INTO kept VALUES ('{part}')")
    before = service.run_file["pids"]
    os.kill(before[part], signal.SIGKILL)
    service.until(lambda: service.run_file["pids"].get(part, before[part]) != before[part])
    service.until(service.is_ready)
    assert (part,) in service.sql("SELECT part FROM kept")
    others = {name: pid for name, pid in before.items() if name != part}
    assert others.items() <= service.run_file["pids"].items()


@pytest.mark.deep
def test_a_killed_supervisor_is_replaced_and_what_it_left_is_stopped(service: Running) -> None:
    before = service.run_file["pids"]
    demo = service.run_file["demo"]
    os.kill(before["supervisor"], signal.SIGKILL)
    service.until(lambda: holder(service.data_dir) is None)
    again = service.up()
    assert again.returncode == 0, again.stdout + again.stderr
    after = service.run_file
    assert not set(before.values()) & set(after["pids"].values())
    assert after["demo"] == demo
    assert demo["password"] in again.stdout
    ((kept,),) = service.sql("SELECT count(*) FROM kept")
    assert kept >= 2  # a row for each part that was killed
    assert service.manage("doctor").returncode == 0


@pytest.mark.deep
def test_down_stops_everything_and_a_lost_master_key_is_refused(service: Running) -> None:
    pids = service.run_file["pids"]
    stopped = service.manage("down")
    assert stopped.returncode == 0
    assert "Stopped" in stopped.stdout
    assert not [
        pid for pid in pids.values() if psutil.pid_exists(pid) and runs(psutil.Process(pid))
    ]
    assert "Nothing was running" in service.manage("down").stdout
    sick = service.manage("doctor")
    assert sick.returncode == 1
    assert "✗ database" in sick.stdout

    key = service.data_dir / "master.key"
    kept = key.read_text()
    key.unlink()
    refused = service.up()
    assert refused.returncode != 0
    assert "from your backup" in refused.stdout + refused.stderr
    assert not key.exists()
    key.write_text(kept)
