"""Driving an erasure to its end, whatever fails on the way."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.choices import ErasureState, State, StepState
from memory.forget import drive
from memory.forget.erasers import ERASERS, Eraser
from memory.forget.receipt import receipt, sign
from memory.models import Erasure, ErasureStep, Memory, Version
from memory.policy import WORK
from tests.cast import Api, Cast, system_of
from tests.conftest import owner_connection
from tests.memory.wire import body_of, listed, open_session, propose, recall, tell, texts


@pytest.fixture
def fenced(api: Api) -> uuid.UUID:
    """An erasure of a stated memory, fenced a moment ago."""
    memory = tell(api, "我住在苏州，门口有棵银杏。")["decisions"][0]["id"]
    return uuid.UUID(body_of(api("DELETE", f"memories/{memory}"))["id"])


def state(erasure: uuid.UUID) -> str:
    return Erasure.objects.get(id=erasure).state


def step(erasure: uuid.UUID, store: str) -> ErasureStep:
    return ErasureStep.objects.get(erasure_id=erasure, store=store)


class Fault:
    """Breaks one eraser until ``mend()``."""

    def __init__(self, patch: pytest.MonkeyPatch, store: str) -> None:
        self.real = drive.BY_STORE[store]
        self.patch, self.store, self.calls = patch, store, 0

        def rows(_: Erasure) -> Any:
            self.calls += 1
            raise OSError("disk full")

        patch.setitem(drive.BY_STORE, store, replace(self.real, rows=rows))

    def mend(self) -> None:
        self.patch.setitem(drive.BY_STORE, self.store, self.real)


def make_due(erasure: uuid.UUID) -> None:
    ErasureStep.objects.filter(erasure_id=erasure).update(due_at=timezone.now())


def test_one_run_does_every_step_and_closes(fenced: uuid.UUID, cast: Cast) -> None:
    drive.run(fenced)
    request = Erasure.objects.get(id=fenced)
    assert request.state == ErasureState.AWAITING_BACKUP_EXPIRY
    assert request.erased_at is not None
    steps = list(request.steps.order_by("position"))
    assert [one.store for one in steps] == [eraser.store for eraser in ERASERS]
    assert {(one.state, one.count_after, one.attempts) for one in steps} == {(StepState.DONE, 0, 1)}
    with acting(system_of(cast.alice)):
        memory = Memory.objects.get(id=request.memory_ids[0])
    assert (memory.state, memory.erased_at) == (State.ERASED, request.erased_at)
    lines = AuditEvent.objects.filter(object_id=fenced).order_by("id")
    codes = [line.code for line in lines]
    assert codes == ["erasure.fenced", *["erasure.step_done"] * len(ERASERS), "erasure.verified"]


def test_a_second_run_changes_nothing(fenced: uuid.UUID) -> None:
    drive.run(fenced)
    before = receipt(Erasure.objects.get(id=fenced))
    lines = AuditEvent.objects.count()
    drive.run(fenced)
    drive.sweep()
    assert receipt(Erasure.objects.get(id=fenced)) == before
    assert AuditEvent.objects.count() == lines


def test_the_signature_of_the_final_receipt_holds(fenced: uuid.UUID) -> None:
    drive.run(fenced)
    body = receipt(Erasure.objects.get(id=fenced))
    signature = body.pop("signature")
    assert sign(body) == signature
    body["steps"][0]["after"] = 1
    assert sign(body) != signature


def test_an_erased_memory_is_410_for_ever_and_its_neighbours_stay(
    api: Api, fenced: uuid.UUID
) -> None:
    propose(api, "Owns a kayak 皮划艇")
    drive.run(fenced)
    (memory,) = Erasure.objects.get(id=fenced).memory_ids
    assert api("GET", f"memories/{memory}").status_code == 410
    assert texts(listed(api)) == ["Owns a kayak 皮划艇"]


@pytest.mark.parametrize("store", ["versions", "events", "keys"])
def test_a_step_that_fails_is_tried_again_later_and_the_rest_goes_on(
    fenced: uuid.UUID, monkeypatch: pytest.MonkeyPatch, store: str
) -> None:
    fault = Fault(monkeypatch, store)
    drive.run(fenced)
    broken = step(fenced, store)
    assert (broken.state, broken.error, broken.attempts) == (StepState.FAILED, "OSError", 1)
    assert broken.leased_until is None and broken.due_at > timezone.now()
    assert state(fenced) == ErasureState.RUNNING
    drive.run(fenced)
    assert step(fenced, store).attempts == 1  # not before it is due
    fault.mend()
    make_due(fenced)
    drive.sweep()
    assert state(fenced) == ErasureState.AWAITING_BACKUP_EXPIRY
    assert step(fenced, store).error == ""


def test_the_delay_grows_and_after_many_failures_the_operator_is_asked(
    fenced: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = Fault(monkeypatch, "evidence")
    delays = []
    for _ in range(WORK.attempts):
        assert state(fenced) in (ErasureState.FENCED, ErasureState.RUNNING)
        make_due(fenced)
        drive.sweep()
        delays.append(step(fenced, "evidence").due_at - timezone.now())
    assert delays[0] < delays[1] < delays[2] < timedelta(seconds=WORK.backoff_cap_seconds)
    assert state(fenced) == ErasureState.NEEDS_ATTENTION
    line = AuditEvent.objects.get(code="erasure.needs_attention")
    assert (line.object_id, line.reason) == (fenced, "evidence")
    fault.mend()  # the operator repairs the disk
    make_due(fenced)
    drive.sweep()
    assert state(fenced) == ErasureState.AWAITING_BACKUP_EXPIRY


def test_a_failing_step_leaves_nothing_readable(
    api: Api, fenced: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    Fault(monkeypatch, "versions")
    drive.run(fenced)
    assert recall(api, "苏州 银杏")["memories"] == [] and listed(api) == []


def test_a_worker_that_died_holds_a_step_only_for_its_lease(fenced: uuid.UUID) -> None:
    taken = drive._lease(fenced)  # a worker takes a step and is killed
    assert taken is not None
    drive.run(fenced)
    held = step(fenced, taken.store)
    assert (held.state, held.attempts) == (StepState.RUNNING, 1)
    assert state(fenced) == ErasureState.RUNNING
    assert ErasureStep.objects.filter(erasure_id=fenced).exclude(state=StepState.DONE).count() == 1
    ErasureStep.objects.filter(id=taken.id).update(leased_until=timezone.now())
    drive.sweep()
    assert step(fenced, taken.store).attempts == 2
    assert state(fenced) == ErasureState.AWAITING_BACKUP_EXPIRY


def test_times_from_before_the_clock_was_set_back_hold_nobody_up(fenced: uuid.UUID) -> None:
    taken = drive._lease(
        fenced
    )  # a worker takes a step and is killed, and the clock goes back a day
    assert taken is not None and taken.leased_until is not None
    steps = ErasureStep.objects.filter(erasure_id=fenced)
    steps.update(due_at=F("due_at") + timedelta(days=1))
    steps.filter(id=taken.id).update(leased_until=taken.leased_until + timedelta(days=1))
    drive.sweep()
    assert state(fenced) == ErasureState.AWAITING_BACKUP_EXPIRY


def test_what_comes_back_behind_a_done_step_is_found_by_the_last_look(
    api: Api, fenced: uuid.UUID, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Erasure.objects.get(id=fenced)
    with acting(system_of(cast.alice)):
        left = Version.objects.get(memory_id=request.memory_ids[0])
    last = drive.BY_STORE["keys"]

    class Late(Eraser):
        def erase(self, erasure: Erasure) -> None:
            last.erase(erasure)
            if not Version.objects.filter(id=left.id).exists():
                Version.objects.bulk_create([left])  # a writer that was under way all the time

    late = Late(store=last.store, models=last.models, rows=last.rows)
    monkeypatch.setitem(drive.BY_STORE, "keys", late)
    drive.run(fenced)
    assert state(fenced) == ErasureState.VERIFYING
    assert step(fenced, "versions").state == StepState.QUEUED
    drive.sweep()
    assert state(fenced) == ErasureState.AWAITING_BACKUP_EXPIRY


def test_it_is_complete_when_the_backups_have_expired(fenced: uuid.UUID) -> None:
    drive.run(fenced)
    drive.sweep()
    assert state(fenced) == ErasureState.AWAITING_BACKUP_EXPIRY
    Erasure.objects.filter(id=fenced).update(backups_until=timezone.now())
    drive.sweep()
    assert state(fenced) == ErasureState.COMPLETED
    assert Erasure.objects.get(id=fenced).completed_at is not None


# --- nothing is left anywhere --------------------------------------------------------------------

CANARY = ("quibblesnark", "魑魅豆")


@pytest.fixture
def owner() -> Iterator[Any]:
    with owner_connection() as connection:
        yield connection


def everywhere(owner: Any) -> dict[str, int]:
    """Count the rows of every table that hold a canary, in text or in the bytes of any column."""
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    found = {}
    for (table,) in owner.execute(tables).fetchall():
        # A row as text shows bytes in hex, so both forms are looked for.
        signs = [sign for word in CANARY for sign in (word, word.encode().hex())]
        where = " OR ".join(["t::text ILIKE %s"] * len(signs))
        query = f'SELECT count(*) FROM public."{table}" t WHERE {where}'
        (rows,) = owner.execute(query, [f"%{sign}%" for sign in signs]).fetchone()
        if rows:
            found[table] = rows
    return found


@pytest.mark.django_db(transaction=True)
def test_no_table_holds_a_word_of_it_at_any_time(api: Api, cast: Cast, owner: Any) -> None:
    session = open_session(api)
    tell(
        api,
        f"我喜欢{CANARY[1]}，我对{CANARY[0]}过敏。",
        f"I love {CANARY[0]} soup.",
        session=session,
    )
    propose(api, f"Buys {CANARY[0]} {CANARY[1]}", attribute="shop.list", value=CANARY[0],
            tags=[CANARY[1]], metadata={CANARY[0]: CANARY[1]}, about=CANARY[0])  # fmt: skip
    recall(api, f"Buys {CANARY[0]} {CANARY[1]}", purpose="shopping")
    assert everywhere(owner) == {}  # sealed or digested from the first row on
    for memory in listed(Api(cast.keys["alice"])):
        receipt_id = uuid.UUID(body_of(api("DELETE", f"memories/{memory['id']}"))["id"])
        drive.run(receipt_id)
    assert everywhere(owner) == {}
    assert recall(api, f"{CANARY[0]} {CANARY[1]}", include_profile=False)["memories"] == []


@pytest.mark.django_db(transaction=True)
def test_the_look_through_all_tables_would_see_it(api: Api, owner: Any, cast: Cast) -> None:
    type(cast.alice).objects.filter(id=cast.bob.id).update(external_id=f"bob {CANARY[1]}")
    with acting(system_of(cast.alice)):
        memory = propose(api, "Owns a kayak 皮划艇")["id"]
        Version.objects.filter(memory_id=memory).update(text=CANARY[0].encode())
    assert everywhere(owner) == {"accounts_subject": 1, "memory_version": 1}
