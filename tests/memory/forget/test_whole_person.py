"""Everything about a person is erased while somebody is about to store something for them."""

from __future__ import annotations

import threading
import time
import uuid
from typing import Any

import pytest
from django.db import connection, connections, transaction
from structlog.testing import capture_logs

from accounts.acting import acting
from accounts.choices import HoldReason
from accounts.models import Subject
from memory import queue
from memory.choices import GONE, JobKind, JobState
from memory.errors import NotFound
from memory.forget import drive, expire, holds
from memory.forget.requests import erase_by_hand, erase_person
from memory.jobs import run_job
from memory.models import (
    Event,
    Import,
    Memory,
    ObjectKey,
    Session,
    SubjectKey,
    TaskBoard,
    Version,
)
from memory.reviews import ageing
from memory.vault import Place, open_vault
from tests.cast import Api, Cast, principal_of, remember, system_of
from tests.cast import operator as operator_of
from tests.memory.wire import open_session, tell

SAID = "我住在苏州。"
LATE = "I play the oboe 双簧管"
WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted"

WRITES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "memory": ("POST", "memories", {"user_id": "alice", "text": LATE}),
    "message": (
        "POST",
        "sessions/{}/messages",
        {"messages": [{"role": "user", "content": LATE}]},
    ),
    "board": ("PUT", "tasks/oboe/state?user_id=alice", {"state": {"goal": LATE}}),
    "session": ("POST", "sessions", {"user_id": "alice", "session_id": LATE}),
}


def until_they_wait(*threads: threading.Thread) -> None:
    """Return once each waits for a lock, or is done."""
    until = time.monotonic() + 20
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            cursor.execute(WAITS)
            if cursor.fetchone()[0] >= sum(one.is_alive() for one in threads):
                return
            time.sleep(0.005)


def left_of(subject: Subject) -> dict[str, int]:
    """Return how much is kept of an erased person, by table."""
    with acting(system_of(subject)):
        tables = (Event, Import, ObjectKey, Session, SubjectKey, TaskBoard, Version)
        left = {one.__name__: one._default_manager.count() for one in tables}
        left["Memory"] = Memory.objects.exclude(state__in=GONE).count()
    return {name: count for name, count in left.items() if count}


@pytest.mark.django_db(transaction=True)
def test_who_waited_for_an_erasure_of_the_whole_person_stores_nothing_after_it(
    api: Api, cast: Cast
) -> None:
    tell(api, SAID)
    session = open_session(api, "before")
    answers: dict[str, int] = {}

    def write(name: str) -> None:
        method, path, body = WRITES[name]
        try:
            own = Api(cast.keys["assistant"])
            answers[name] = own(method, path.format(session), body).status_code
        finally:
            connections.close_all()

    threads = [threading.Thread(target=write, args=[name]) for name in WRITES]
    with transaction.atomic():
        erasure = erase_person(principal_of(cast.keys["alice"], "alice"), confirm="alice")
        for thread in threads:
            thread.start()
        until_they_wait(*threads)
    for thread in threads:
        thread.join(20)
    drive.run(erasure.id)
    assert answers == dict.fromkeys(WRITES, 404)
    assert left_of(cast.alice) == {}


@pytest.mark.django_db(transaction=True)
def test_an_erasure_of_the_whole_person_waits_for_who_is_storing_and_takes_it_along(
    cast: Cast,
) -> None:
    """Whoever has begun holds the person's row before the turn to write: the two never lock up."""
    done: list[Any] = []

    def erase() -> None:
        try:
            done.append(erase_by_hand(principal_of(cast.keys["alice"], "alice"), anew=False))
        finally:
            connections.close_all()

    thread = threading.Thread(target=erase)
    with acting(system_of(cast.alice)) as writer:
        open_vault(writer).seal(Place(object_id=uuid.uuid4()), LATE)
        thread.start()
        until_they_wait(thread)
        remember(writer, LATE)
    thread.join(20)
    assert len(done) == 1
    drive.run(done[0].id)
    assert left_of(cast.alice) == {}


@pytest.mark.parametrize("held", [False, True])
def test_rights_from_before_an_erasure_of_the_whole_person_open_nothing(
    cast: Cast, held: bool
) -> None:
    """Not even while the person is on hold, where their key is kept."""
    remember(system_of(cast.alice), SAID)
    if held:
        assert holds.place(operator_of(cast.acme), cast.alice.id, reason=HoldReason.LEGAL_CLAIM)
    agent = principal_of(cast.keys["assistant"], "alice")
    erase_person(principal_of(cast.keys["alice"], "alice"), confirm="alice")
    with acting(agent), pytest.raises(NotFound):
        open_vault(agent)
    with acting(agent):
        assert SubjectKey.objects.count() == held


def test_work_and_sweeps_pass_over_who_was_erased_whole(cast: Cast) -> None:
    remember(system_of(cast.alice), SAID)
    erase_person(principal_of(cast.keys["alice"], "alice"), confirm="alice")
    job = queue.job_for(
        kind=JobKind.EMBED,
        tenant_id=cast.acme.id,
        subject_id=cast.alice.id,
        target_id=cast.alice.id,
        agent_id=None,
    )
    run_job(job.id)
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED
    with capture_logs() as logged:
        assert (expire.sweep(), ageing.sweep()) == (0, 0)
    assert not [one for one in logged if one["log_level"] == "error"]
