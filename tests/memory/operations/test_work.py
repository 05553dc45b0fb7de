"""Jobs on a real worker and broker, cancelled ones, and what the sweepers say of themselves."""

import io
import json
import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.db import transaction
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent
from config.celery import app
from memory import jobs, queue, sessions, tasks
from memory.choices import UNFINISHED, JobKind, JobState, Role
from memory.forget import drive
from memory.models import Decision, Job, Message, Sweep
from memory.operations import sweeps
from memory.policy import MODEL, WORK
from memory.providers import deadline
from memory.write import extraction, extractors
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.wire import body_of, open_session
from tests.memory.write.test_outages import at_once

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])

ASKED = "request-0001"


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Note what is logged in the block, as it is written to stderr."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.getHandlerByName("stderr").formatter)  # type: ignore[union-attr]
    logging.getLogger().addHandler(handler)
    try:
        yield written
    finally:
        logging.getLogger().removeHandler(handler)


def said(api: Api, session: str, *contents: str, request_id: str = ASKED) -> uuid.UUID:
    body = {"messages": [{"role": "user", "content": one} for one in contents]}
    answer = api("POST", f"sessions/{session}/messages", body, X_Request_ID=request_id)
    return uuid.UUID(body_of(answer, 202)["job"]["id"])


def until_done(job_id: uuid.UUID, *states: str) -> Job:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        job = Job.objects.get(id=job_id)
        if job.state not in (states or UNFINISHED):
            return job
        time.sleep(0.02)
    raise AssertionError("nobody did it")


def test_the_request_s_id_goes_with_its_work_to_the_worker(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker takes the message from the broker, in a thread and on a connection of its own."""
    broken, work = iter([True]), jobs._work

    def once_broken(*args: Any, **more: Any) -> str:
        if next(broken, False):
            raise OSError("disk full 磁盘满")
        return work(*args, **more)

    monkeypatch.setattr(jobs, "_work", once_broken)
    session = open_session(api)
    app.control.purge()
    # A worker that begins sets the logging up anew; so it is listened to after that.
    with start_worker(app, perform_ping_check=False, shutdown_timeout=30), logged() as lines:
        job_id = said(api, session, "我住在苏州。", "I work as a nurse.")
        until_done(job_id, JobState.RUNNING)  # it failed, and waits for another try
        end = time.monotonic() + 20
        while not Job.objects.filter(id=job_id, error="OSError").exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        # Taken up by a sweeper, which was asked by nobody: it still is the request's work.
        Job.objects.filter(id=job_id).update(due_at=timezone.now())
        app.send_task("memory.sweep_jobs")
        assert until_done(job_id).state == JobState.SUCCEEDED
    with acting(system_of(cast.alice)):
        assert set(Decision.objects.values_list("request_id", flat=True)) == {ASKED}
    decided = AuditEvent.objects.filter(code="memory.decided")
    assert set(decided.values_list("request_id", flat=True)) == {ASKED}
    (failed,) = [
        one
        for one in map(json.loads, lines.getvalue().splitlines())
        if one["event"] == "job_failed"
    ]
    assert failed["request_id"] == ASKED and failed["exception"] == "OSError"
    assert "disk" not in lines.getvalue() and "苏州" not in lines.getvalue()


# --- turns of a worker ---------------------------------------------------------------------------


@pytest.fixture
def waiting() -> Iterator[Callable[[], int]]:
    """How many messages wait in the broker; there are none before the test."""
    app.control.purge()
    with app.connection_for_write() as link:
        channel: Any = link.default_channel
        yield lambda: int(channel.client.llen(app.conf.task_default_queue))


def test_a_burst_wakes_a_worker_once(api: Api, waiting: Callable[[], int]) -> None:
    """Each message sent one to the broker: all of them let the one session be read before any other."""
    session = open_session(api)
    jobs_of = {said(api, session, f"句 {number}") for number in range(5)}
    assert len(jobs_of) == 1 and waiting() == 1
    turn = api("POST", f"sessions/{open_session(api, 'later 稍后')}/turn", {"query": "早 morning"})
    assert turn.status_code == 200 and waiting() == 1  # nobody is woken before the answer
    job_id = said(api, open_session(api, "later 稍后"), "好的。")
    assert waiting() == 2 and Job.objects.get(id=job_id).due_at <= timezone.now()


def test_a_worker_waits_for_what_is_being_added(api: Api, cast: Cast) -> None:
    """It passed over the locked job; who added had to wake it again."""
    session = open_session(api)
    job_id = said(api, session, "我住在苏州。")
    principal = principal_of(cast.keys["assistant"], "alice")
    added = threading.Event()

    def add() -> None:
        more = sessions.IncomingMessage(role=Role.USER, content="I play chess.")
        with transaction.atomic():
            sessions.append(principal, session_id=uuid.UUID(session), messages=[more])
            added.set()
            time.sleep(0.3)

    def work() -> None:
        assert added.wait(10)
        jobs.run_job(job_id)

    assert at_once(add, work) == [None, None]
    assert Job.objects.get().state == JobState.SUCCEEDED and read(cast) == 2


def test_one_session_does_not_starve_the_others(
    api: Api, monkeypatch: pytest.MonkeyPatch, waiting: Callable[[], int]
) -> None:
    """The worker read the long one to its end, once for each message that had come in."""
    monkeypatch.setattr(extraction, "WORK", replace(WORK, turn=0.0))
    monkeypatch.setattr(extractors, "MODEL", replace(MODEL, batch_messages=4))
    busy, quiet = open_session(api, "busy 忙"), open_session(api, "quiet 静")
    (long,) = {said(api, busy, f"第 {n} 句", f"sentence {n}") for n in range(6)}
    short = said(api, quiet, "我住在苏州。")
    with start_worker(app, perform_ping_check=False, shutdown_timeout=30):
        ends = [until_done(job_id).finished_at for job_id in (short, long)]
    assert ends == sorted(ends, key=str)


# --- cancelled -----------------------------------------------------------------------------------


def cancel(job_id: uuid.UUID) -> None:
    Job.objects.filter(id=job_id).update(
        state=JobState.CANCELLED, finished_at=timezone.now(), leased_until=None
    )


def read(cast: Cast) -> int:
    """How many messages were decided on."""
    with acting(system_of(cast.alice)):
        return Message.objects.filter(extracted_at__isnull=False).count()


def test_a_cancelled_job_is_not_begun(api: Api, cast: Cast) -> None:
    job_id = said(api, open_session(api), "I live in Leeds. 我住在利兹。")
    cancel(job_id)
    jobs.run_job(job_id)
    tasks.sweep_jobs()
    assert Job.objects.get(id=job_id).state == JobState.CANCELLED
    assert read(cast) == 0


def test_a_running_one_stops_at_its_next_step(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had done stays; the rest is done when it is tried again."""
    job_id = said(api, open_session(api), "我住在苏州。", "I work as a nurse.", "I play chess.")
    check = deadline.check
    steps = iter(range(100))

    def cancelled_meanwhile() -> None:
        if next(steps) == 2:  # the first message is decided on
            cancel(job_id)
        check()

    monkeypatch.setattr(deadline, "check", cancelled_meanwhile)
    jobs.run_job(job_id)
    assert Job.objects.get(id=job_id).state == JobState.CANCELLED
    assert read(cast) == 1
    Job.objects.filter(id=job_id).update(state=JobState.PENDING, due_at=timezone.now())
    jobs.run_job(job_id)
    assert Job.objects.get(id=job_id).state == JobState.SUCCEEDED
    assert read(cast) == 3


@pytest.mark.parametrize("end", ["finish", "fail", "put_back", "place"])
def test_nothing_brings_a_cancelled_job_back(cast: Cast, end: str) -> None:
    job = queue.add_job(
        kind=JobKind.RESCAN, tenant_id=cast.acme.id, subject_id=cast.alice.id,
        target_id=cast.alice.id, agent_id=None,
    )  # fmt: skip
    leased = queue.lease_job(job.id)
    assert leased is not None
    cancel(job.id)
    ends: dict[str, Callable[[], object]] = {
        "finish": lambda: queue.finish_job(leased),
        "fail": lambda: queue.fail_job(leased, ValueError()),
        "put_back": lambda: queue.put_back(leased),
        "place": lambda: queue.note_place(leased, "somewhere", "looked"),
    }
    ends[end]()
    row = Job.objects.get(id=job.id)
    assert (row.state, row.leased_until, row.cursor) == (JobState.CANCELLED, None, "")


def test_a_job_from_before_the_clock_was_set_back_is_done(api: Api, cast: Cast) -> None:
    job_id = said(api, open_session(api), "I live in Leeds. 我住在利兹。")
    tomorrow = timezone.now() + timedelta(days=1)
    held = {"state": JobState.RUNNING, "due_at": tomorrow, "leased_until": tomorrow}
    Job.objects.filter(id=job_id).update(**held)
    tasks.sweep_jobs()
    assert Job.objects.get(id=job_id).state == JobState.SUCCEEDED
    assert read(cast) == 1


# --- sweepers ------------------------------------------------------------------------------------


def test_a_sweeper_says_when_it_ran_and_how_much_it_found(api: Api) -> None:
    said(api, open_session(api), "早 morning")
    tasks.sweep_jobs()
    row = Sweep.objects.get(name="sweep_jobs")
    assert (row.found, row.error) == (1, "") and row.finished_at is not None
    tasks.sweep_jobs()
    row.refresh_from_db()
    assert row.found == 0


def test_a_sweep_that_has_no_time_left_leaves_the_rest_to_the_next(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It did all that was due in one task, and was cut off by the task's limit in the middle of a job."""
    monkeypatch.setattr(queue, "WORK", replace(WORK, sweep_seconds=0.0))
    found = [said(api, open_session(api, f"chat 聊天 {n}"), "早 morning") for n in range(2)]
    for done in (1, 2):
        tasks.sweep_jobs()
        rows = Job.objects.filter(id__in=found, state=JobState.SUCCEEDED)
        assert rows.count() == done


def test_one_that_fails_keeps_its_last_success(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks.sweep_erasures()
    before = Sweep.objects.get(name="sweep_erasures").finished_at
    monkeypatch.setattr(drive, "sweep", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tasks.sweep_erasures()
    row = Sweep.objects.get(name="sweep_erasures")
    assert (row.finished_at, row.error) == (before, "ZeroDivisionError") and row.failed_at


def test_each_task_of_the_clock_is_a_sweeper(settings: Any) -> None:
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert names <= set(app.tasks)
    assert {f"memory.{run.name}" for run in sweeps.last_runs()} == names
    Sweep.objects.create(name="seal_audit", finished_at=timezone.now() - timedelta(hours=1))
    late = {run.name: run.late for run in sweeps.last_runs()}
    assert late["seal_audit"]
