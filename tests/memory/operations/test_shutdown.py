"""SIGTERM: what is being answered is answered, what is being done is done, and then the process ends."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from config.celery import app
from config.embedded import parts
from config.environment import ROOT
from memory.choices import JobState
from memory.models import Job
from tests.cast import Api, Cast
from tests.conftest import owner_connection
from tests.memory.wire import body_of, open_session

pytestmark = [pytest.mark.deep, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What the processes are told: the tests' own servers, and the database of this test."""
    name = str(connection.settings_dict["NAME"])
    urls = ("DATABASE_URL", "DATABASE_CONSOLE_URL")
    given = {one: make_conninfo(os.environ[one], dbname=name) for one in urls}
    return (
        dict(os.environ)
        | given
        | {"DATA_DIR": str(tmp_path), "EMBEDDER": "tests.hash_embedder.build"}
    )


@contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, env=environment, cwd=ROOT, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def held(table: str, column: str, value: str) -> Iterator[None]:
    """Hold a row, so that whoever wants to change it waits."""
    with owner_connection() as owner, owner.transaction():
        owner.execute(f"SELECT 1 FROM {table} WHERE {column} = %s FOR UPDATE", [value])
        yield


def until(condition: Callable[[], bool], within: float = 40) -> None:
    end = time.monotonic() + within
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def waiting() -> bool:
    """Whether a statement of another connection waits for a row."""
    with connection.cursor() as cursor:  # of the same role, which alone may know
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return bool(cursor.fetchone()[0])


def test_the_web_server_finishes_what_it_is_answering(
    api: Api, cast: Cast, environment: dict[str, str]
) -> None:
    session = open_session(api)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    part = parts.web(Path(environment["DATA_DIR"]), environment, port=port, is_ready=lambda: True)
    address, answers = f"http://localhost:{port}", []
    with running(part.command, environment) as web:

        def ready() -> bool:
            try:
                return httpx.get(f"{address}/health/ready").status_code == 200
            except httpx.HTTPError:
                return False

        def tell() -> None:
            answers.append(
                httpx.post(
                    f"{address}/api/v1/sessions/{session}/messages",
                    json={"messages": [{"role": "user", "content": "我住在苏州 in Suzhou"}]},
                    headers={"Authorization": f"Bearer {cast.keys['assistant']}"},
                    timeout=30,
                ).status_code
            )

        until(ready)
        with held("memory_session", "id", session):
            thread = threading.Thread(target=tell)
            thread.start()
            until(waiting)
            web.send_signal(signal.SIGTERM)
            time.sleep(1)
            assert answers == []
        thread.join(20)
        assert answers == [202]
        assert web.wait(20) == 0
    assert Job.objects.count() == 1


def test_a_worker_finishes_its_job(api: Api, environment: dict[str, str]) -> None:
    session = open_session(api)
    app.control.purge()
    said = {"messages": [{"role": "user", "content": "我住在苏州 in Suzhou"}]}
    job = body_of(api("POST", f"sessions/{session}/messages", said), 202)["job"]["id"]
    part = parts.worker(Path(environment["DATA_DIR"]), environment)
    with running(part.command, environment) as worker:
        with held("memory_message", "session_id", session):
            until(lambda: Job.objects.get(id=job).state == JobState.RUNNING and waiting())
            worker.send_signal(signal.SIGTERM)
            time.sleep(1)
            assert worker.poll() is None
        assert worker.wait(30) == 0
    assert Job.objects.get(id=job).state == JobState.SUCCEEDED
