"""Taking a job while somebody holds its row: the sweep goes on, and a lease is as long as it says."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory import queue, tasks
from memory.choices import JobState
from memory.models import Job
from memory.policy import WORK
from tests.cast import Api, Cast
from tests.memory.operations.test_work import said
from tests.memory.wire import open_session

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])


@contextmanager
def held(job_id: uuid.UUID, seconds: float) -> Iterator[threading.Thread]:
    """Let somebody hold a job's row for so long, as a client does that hangs in its transaction."""
    holds = threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Job.objects.select_for_update().get(id=job_id)
                holds.set()
                time.sleep(seconds)
        finally:
            connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert holds.wait(10)
    yield thread
    thread.join()


def test_who_hangs_in_a_transaction_does_not_stop_the_sweep(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "WORK", replace(WORK, lock_wait="100ms"))
    stuck = said(api, open_session(api, "busy 忙"), "我住在苏州。")
    other = said(api, open_session(api, "quiet 静"), "I play chess.")
    with held(stuck, 2) as somebody:
        tasks.sweep_jobs()
        assert Job.objects.get(id=other).state == JobState.SUCCEEDED and somebody.is_alive()
    assert Job.objects.get(id=stuck).state == JobState.PENDING
    tasks.sweep_jobs()
    assert Job.objects.get(id=stuck).state == JobState.SUCCEEDED


def test_a_lease_begins_when_it_is_taken(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "WORK", replace(WORK, lease_seconds=1))
    job_id = said(api, open_session(api), "我住在苏州。")
    with held(job_id, 1.2):
        job = queue.lease_job(job_id)
    assert job is not None and job.leased_until is not None
    assert job.leased_until > timezone.now() and queue.lease_job(job_id) is None
