"""Sweepers that go round all people: nobody is left out, however many there are and whatever one of them has."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from accounts.principal import Principal
from config import checkup
from memory import jobs, policy, queue, rounds, tasks
from memory.aggregation import patterns
from memory.choices import JobKind, JobState, State
from memory.forget import expire
from memory.models import Job, Memory, Sweep
from memory.operations import standing, sweeps
from memory.policy import WORK
from memory.reviews import ageing
from memory.sessions import life
from tests.cast import Cast, make_memory, system_of

pytestmark = pytest.mark.django_db

ROUNDS: dict[str, Callable[[], int]] = {
    "sweep_expired": expire.sweep,
    "sweep_sessions": life.sweep,
    "sweep_reviews": ageing.sweep,
    "sweep_patterns": patterns.sweep,
}
MODULES = {
    "sweep_expired": expire,
    "sweep_sessions": life,
    "sweep_reviews": ageing,
    "sweep_patterns": patterns,
}


def noting(visited: list[uuid.UUID], *, broken: uuid.UUID | None = None) -> Callable[..., int]:
    """Return a visit that notes whom it came to, and fails with one of them."""

    def visit(person: Subject) -> int:
        visited.append(person.id)
        if person.id == broken:
            raise SoftTimeLimitExceeded
        return 1

    return visit


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_goes_on_where_the_last_run_stopped(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each run began with the first: whoever was behind its end was never visited."""
    monkeypatch.setattr(queue, "WORK", replace(WORK, sweep_seconds=0.0))
    visited: list[uuid.UUID] = []
    monkeypatch.setattr(MODULES[name], "_visit", noting(visited))
    everybody = sorted(Subject.objects.values_list("id", flat=True))
    assert len(everybody) >= 3
    for _ in (*everybody, "again"):
        assert ROUNDS[name]() == 1
    assert visited == [*everybody, everybody[0]]


@pytest.mark.parametrize("name", ROUNDS)
def test_one_person_s_fault_keeps_nobody_from_being_visited(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    first, *others = sorted(Subject.objects.values_list("id", flat=True))
    visited: list[uuid.UUID] = []
    monkeypatch.setattr(MODULES[name], "_visit", noting(visited, broken=first))
    run = getattr(tasks, name)
    run()
    assert visited == [first, *others]
    row = Sweep.objects.get(name=name)
    assert row.error == "SoftTimeLimitExceeded" and row.finished_at and row.place is None
    assert row.found == len(others)
    monkeypatch.setattr(MODULES[name], "_visit", noting(visited))
    run()
    assert Sweep.objects.get(name=name).error == ""


def test_who_brings_the_worker_down_is_passed_over_by_the_next_run(cast: Cast) -> None:
    _, *others = sorted(Subject.objects.values_list("id", flat=True))

    def killed(_: Subject) -> int:
        raise SystemExit

    with pytest.raises(SystemExit):
        rounds.go_round("sweep_expired", Subject.objects.all(), killed)
    visited: list[uuid.UUID] = []
    rounds.go_round("sweep_expired", Subject.objects.all(), noting(visited))
    assert visited == others


def test_what_two_people_forgot_is_erased_though_each_run_has_time_for_one(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "WORK", replace(WORK, sweep_seconds=0.0))
    for person in (cast.alice, cast.bob):
        with acting(system_of(person)):
            over = timezone.now() - timedelta(minutes=1)
            made = make_memory(person)
            Memory.objects.filter(id=made.id).update(
                state=State.FORGOTTEN, previous_state=State.ACTIVE, undo_until=over
            )
    assert sum(expire.sweep() for _ in Subject.objects.all()) == 2


def test_a_night_s_job_passes_one_person_s_fault_over(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was tried again with the same person, and given up: those behind never faded."""
    first, second = sorted((cast.alice.id, cast.bob.id))
    visited = []

    def fades(principal: Principal, **_: object) -> None:
        visited.append(principal.person_id)
        if principal.person_id == first:
            raise ZeroDivisionError

    monkeypatch.setattr(jobs, "decay", fades)
    for job in jobs.tonight():
        jobs.run_job(job.id)
    job = Job.objects.get(kind=JobKind.DECAY, tenant_id=cast.acme.id)
    assert job.state == JobState.SUCCEEDED and job.cursor == str(second)
    assert set(visited) >= {first, second}


def test_doctor_sees_one_sweeper_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looked at the newest of them all."""
    monkeypatch.setattr(standing, "HEALTH", replace(policy.HEALTH, beat_wait=0.0))
    for run in sweeps.last_runs():
        Sweep.objects.create(name=run.name, finished_at=timezone.now())
    assert "last sweeper ran" in checkup.beat()
    Sweep.objects.filter(name="sweep_expired").update(
        finished_at=timezone.now() - timedelta(hours=1)
    )
    with pytest.raises(checkup.Unwell, match=r"Late: sweep_expired\."):
        checkup.beat()
