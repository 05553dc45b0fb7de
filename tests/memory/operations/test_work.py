"""Cancelled jobs, and what the sweepers say of themselves."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from config.celery import app
from memory import jobs, queue, tasks
from memory.choices import JobKind, JobState
from memory.forget import drive
from memory.models import Job, Message, Sweep
from memory.operations import sweeps
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, open_session

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])

ASKED = "request-0001"


def said(api: Api, session: str, *contents: str, request_id: str = ASKED) -> uuid.UUID:
    body = {"messages": [{"role": "user", "content": one} for one in contents]}
    answer = api("POST", f"sessions/{session}/messages", body, X_Request_ID=request_id)
    return uuid.UUID(body_of(answer, 202)["job"]["id"])


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
