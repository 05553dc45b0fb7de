"""What doctor says of the disk, the clock, the work that waits and the backups."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from config import checkup
from memory import policy
from memory.backup.files import STAMP
from memory.choices import ErasureState, JobKind
from memory.models import Erasure, Job, Sweep
from memory.operations import standing
from tests.cast import Cast

pytestmark = pytest.mark.django_db

PAST = timezone.now() - timedelta(days=3)


def refused(check: Callable[[], str], words: str) -> None:
    with pytest.raises(checkup.Unwell, match=words):
        check()


def test_where_nothing_runs_the_advice_is_to_start_it(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATABASE_URL = settings.REDIS_URL = ""
    monkeypatch.delitem(checkup.CHECKS, "embedder")  # runs without a service, and takes seconds
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=said)
    assert "make run" in said.getvalue() and "reembed" not in said.getvalue()


def test_a_disk_that_is_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "HEALTH", replace(policy.HEALTH, disk_share=0.0, disk_bytes=1))
    assert "the database has" in checkup.disk()
    monkeypatch.setattr(policy, "HEALTH", replace(policy.HEALTH, disk_bytes=1 << 60))
    refused(checkup.disk, r"GB of [\d.]+ GB free")


def test_a_clock_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "HEALTH", replace(policy.HEALTH, beat_wait=0.0))
    refused(checkup.beat, "ever")
    Sweep.objects.create(name="sweep_jobs", finished_at=PAST)
    refused(checkup.beat, "3 d ago")
    Sweep.objects.create(name="seal_audit", finished_at=timezone.now())
    refused(checkup.beat, "Late: sweep_jobs")
    Sweep.objects.update(finished_at=timezone.now())
    assert checkup.beat() == "the last sweeper ran 0 s ago"


def test_a_job_that_waits_for_long(cast: Cast) -> None:
    assert checkup.jobs() == "none waits"
    job = Job.objects.create(tenant_id=cast.acme.id, kind=JobKind.EMBED, target_id=uuid.uuid4())
    assert "has been due for" in checkup.jobs()
    Job.objects.filter(id=job.id).update(due_at=PAST)
    refused(checkup.jobs, "due for 3 d")


def test_an_erasure_that_is_late_or_stuck(cast: Cast) -> None:
    assert checkup.erasures() == "none is open"
    made = Erasure.objects.create(
        tenant_id=cast.acme.id, subject_id=cast.alice.id, state=ErasureState.RUNNING,
        requested_by_kind="person", requested_at=timezone.now() - timedelta(hours=5),
    )  # fmt: skip
    assert checkup.erasures() == "the oldest was asked for 5 h ago"
    Erasure.objects.filter(id=made.id).update(requested_at=PAST)
    refused(checkup.erasures, "3 d ago")
    Erasure.objects.filter(id=made.id).update(state=ErasureState.NEEDS_ATTENTION)
    refused(checkup.erasures, "1 need attention")


def test_a_backup_that_is_old_or_missing(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_DIR = str(tmp_path)
    assert checkup.backup() == "none yet, the tables are new"
    monkeypatch.setattr(policy, "HEALTH", replace(policy.HEALTH, backup=timedelta(0)))
    refused(checkup.backup, "There is none in")
    monkeypatch.undo()
    (tmp_path / "main" / PAST.strftime(STAMP)).mkdir(parents=True)
    refused(checkup.backup, "is 3 d old")
    (tmp_path / "main" / timezone.now().strftime(STAMP)).mkdir()
    assert checkup.backup().startswith("the newest is")
