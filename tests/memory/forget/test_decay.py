"""The night's job: what has faded is put away, can be taken out again, and is erased in the end."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import MemoryMode
from accounts.models import AuditEvent, Subject
from memory import jobs, queue, tasks
from memory.choices import ErasureState, JobKind, JobState, State
from memory.evaluation.clock import Clock, moved
from memory.forget import decay as decaying
from memory.forget import drive
from memory.models import Erasure, Event, Job, Memory, ObjectKey
from memory.policy import DECAY, PUT_AWAY, WORK
from memory.providers import deadline
from tests.cast import Api, Cast, make_memory, system_of
from tests.memory.wire import body_of, listed, open_session, problem, propose, recall, tell, texts

EVENTS = ["和伊内斯吃了火锅，毛肚不错。", "Went to the harbour fair with Ines."]
CHATTER = ["今天有点冷，我穿了那件 teal 外套。", "It is a bit cold today in my teal coat."]
LONG_AGO = timedelta(days=100)


def age(cast: Cast, by: timedelta, **only: Any) -> None:
    """Let the memories of alice be older by so much."""
    with acting(system_of(cast.alice)):
        for one in Memory.objects.filter(**only):
            times = ("created_at", "updated_at", "last_confirmed_at", "occurred", "erase_at")
            older = {name: getattr(one, name) - by for name in times if getattr(one, name)}
            Memory.objects.filter(id=one.id).update(**older)


def night(cast: Cast) -> dict[str, int]:
    """Do tonight's job of alice's tenant and return its report."""
    Job.objects.filter(kind=JobKind.DECAY).delete()
    for job in jobs.tonight():
        jobs.run_job(job.id)
    job = Job.objects.get(kind=JobKind.DECAY, tenant_id=cast.acme.id)
    assert job.state == JobState.SUCCEEDED
    return job.counts


def state_of(api: Api, memory: object) -> str:
    return str(body_of(api("GET", f"memories/{memory}"))["state"])


@pytest.mark.parametrize("text", EVENTS)
def test_what_has_faded_is_put_away_and_the_person_takes_it_out_again(
    api: Api, cast: Cast, text: str
) -> None:
    memory = propose(api, text, kind="episodic")["id"]
    assert night(cast) == {}
    age(cast, LONG_AGO)
    assert night(cast) == {"archived episodic": 1}
    own = Api(cast.keys["alice"])
    shown = body_of(own("GET", f"memories/{memory}"))
    assert shown["state"] == "archived"
    erase_at = timezone.now() + timedelta(days=180)
    assert shown["erase_at"][:10] == f"{erase_at:%Y-%m-%d}"
    assert recall(api, text)["memories"] == []
    (line,) = AuditEvent.objects.filter(object_id=uuid.UUID(memory), reason="faded")
    assert (line.code, line.actor_label) == ("memory.state_changed", "decay")

    body_of(own("POST", f"memories/{memory}/restore"))
    shown = body_of(own("GET", f"memories/{memory}"))
    assert (shown["state"], shown["erase_at"]) == ("active", None)
    assert texts(recall(api, text)["memories"]) == [text]
    assert night(cast) == {}, "it has rested a moment only"


@pytest.mark.parametrize("text", CHATTER)
def test_what_nobody_took_out_again_is_erased_with_the_message_only_it_had(
    api: Api, cast: Cast, text: str
) -> None:
    event = tell(api, text)["events"][0]
    evidence = {"event_id": event, "quote": text}
    memory = propose(api, text, kind="episodic", evidence=evidence)["id"]
    age(cast, LONG_AGO)
    night(cast)
    age(cast, timedelta(days=179))
    assert night(cast) == {}
    age(cast, timedelta(days=1))
    assert night(cast) == {"erased episodic": 1}
    problem(api("GET", f"memories/{memory}"), 410, "gone")
    erasure = Erasure.objects.get()
    assert erasure.event_ids == [uuid.UUID(event)] and erasure.requested_by_kind == "system"
    drive.run(erasure.id)
    erasure.refresh_from_db()
    assert erasure.state == ErasureState.AWAITING_BACKUP_EXPIRY
    with acting(system_of(cast.alice)):
        assert not Event.objects.exists() and not ObjectKey.objects.exists()


def test_a_message_that_another_memory_rests_on_stays(api: Api, cast: Cast) -> None:
    said = "Went to the harbour fair 港口, and I play the oboe on Fridays."
    event = tell(api, said)["events"][0]
    quoted = [("Went to the harbour fair 港口", "episodic"), ("I play the oboe", "semantic")]
    for quote, kind in quoted:
        proof = {"event_id": event, "quote": quote}
        assert propose(api, quote, kind=kind, evidence=proof)["id"]
    age(cast, LONG_AGO, kind="episodic")
    night(cast)
    age(cast, timedelta(days=180), kind="episodic")
    assert night(cast)["erased episodic"] >= 1
    assert all(uuid.UUID(event) not in one.event_ids for one in Erasure.objects.all())
    with acting(system_of(cast.alice)):
        assert Event.objects.filter(id=event).exists()


@pytest.mark.parametrize(
    "exempt", [{"pinned": True}, {"trust": 40}, {"in_profile": True}, {"state": "paused"}]
)
def test_what_is_exempt_stays_for_ever(cast: Cast, exempt: dict[str, Any]) -> None:
    made = make_memory(cast.alice, kind="episodic", subtype="event", **exempt)
    age(cast, timedelta(days=4000))
    assert night(cast) == {}
    with acting(system_of(cast.alice)):
        assert Memory.objects.get(id=made.id).state == made.state


@pytest.mark.parametrize("text", EVENTS)
def test_being_recalled_lets_it_rest_anew(api: Api, cast: Cast, text: str) -> None:
    propose(api, text, kind="episodic")
    age(cast, LONG_AGO)
    assert texts(recall(api, text)["memories"]) == [text]
    assert night(cast) == {}


@pytest.mark.parametrize("text", ["I collect old maps of harbours", "我收集老港口的地图"])
def test_what_has_faded_and_is_said_again_is_in_use_again(api: Api, cast: Cast, text: str) -> None:
    """It was reinforced where it lay, and nobody could recall what had just been said."""
    memory = propose(api, text)["id"]
    age(cast, timedelta(days=2000))
    assert night(cast) == {"archived semantic": 1}
    again = propose(api, text)
    assert (again["id"], again["outcome"]) == (memory, "reinforced")
    assert state_of(api, memory) == "active"
    assert texts(recall(api, text)["memories"]) == [text]


def test_a_faded_value_said_again_replaces_the_one_in_its_place(api: Api, cast: Cast) -> None:
    slot = {"attribute": "work.employer"}
    old = propose(api, "Works at Kolibri 蜂鸟", value="Kolibri", **slot)["id"]
    age(cast, timedelta(days=2000))
    assert night(cast) == {"archived semantic": 1}
    now = propose(api, "Works at Falke 猎鹰", value="Falke", **slot)["id"]
    assert now != old
    again = propose(api, "Works at Kolibri 蜂鸟", value="Kolibri", **slot)
    assert (again["id"], again["outcome"]) == (now, "superseded")
    assert [one["text"] for one in listed(api, state="active")] == ["Works at Kolibri 蜂鸟"]
    own = Api(cast.keys["alice"])
    problem(own("POST", f"memories/{old}/restore"), 409, "stale_state")


def test_what_has_outlived_its_lifetime_is_put_away_and_comes_back_without_one(
    api: Api, cast: Cast
) -> None:
    memory = propose(api, "Looked at a red kayak 皮划艇", subtype="browsing", importance=0.9)["id"]
    with acting(system_of(cast.alice)):
        Memory.objects.update(expires_at=timezone.now())
    assert night(cast) == {"archived episodic": 1}
    own = Api(cast.keys["alice"])
    erase_at = timezone.now() + timedelta(days=30)
    assert body_of(own("GET", f"memories/{memory}"))["erase_at"][:10] == f"{erase_at:%Y-%m-%d}"
    body_of(own("POST", f"memories/{memory}/restore"))
    assert texts(recall(api, "red kayak 皮划艇")["memories"]) == ["Looked at a red kayak 皮划艇"]


def test_forgotten_and_taken_back_it_is_put_away_as_before(api: Api, cast: Cast) -> None:
    memory = propose(api, EVENTS[1], kind="episodic")["id"]
    age(cast, LONG_AGO)
    night(cast)
    own = Api(cast.keys["alice"])
    before = body_of(own("GET", f"memories/{memory}"))["erase_at"]
    for what in ("forget", "undo"):
        body_of(own("POST", f"memories/{memory}/{what}"))
    after = body_of(own("GET", f"memories/{memory}"))
    assert (after["state"], after["erase_at"]) == ("archived", before)


def test_what_somebody_put_away_by_hand_is_not_erased(api: Api, cast: Cast) -> None:
    memory = propose(api, EVENTS[0], kind="episodic")["id"]
    body_of(api("POST", f"memories/{memory}/archive"))
    age(cast, timedelta(days=4000))
    assert night(cast) == {}
    assert state_of(api, memory) == "archived"


def test_a_habit_is_still_counted_when_its_days_have_faded(cast: Cast) -> None:
    now = timezone.now()
    faded = {"state": State.ARCHIVED, "erase_at": now + timedelta(days=1)}
    made = make_memory(cast.alice, kind="episodic", subtype="event", **faded)
    make_memory(cast.alice, kind="episodic", subtype="event", state=State.ARCHIVED)
    with acting(system_of(cast.alice)):
        assert list(Memory.objects.all().happened(now)) == [made]


# --- the job -------------------------------------------------------------------------------------


def many(cast: Cast, number: int) -> None:
    for _ in range(number):
        make_memory(cast.alice, kind="episodic", subtype="event")
    age(cast, LONG_AGO)


def test_it_goes_in_batches_and_goes_on_where_it_was_stopped(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decaying, "WORK", replace(WORK, batch=2))
    many(cast, 5)
    (job,) = (one for one in jobs.tonight() if one.tenant_id == cast.acme.id)
    left = [2]

    def out_of_time() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise deadline.OutOfTime

    with monkeypatch.context() as patch:
        patch.setattr(deadline, "check", out_of_time)
        jobs.run_job(job.id)
    job.refresh_from_db()
    assert job.state == JobState.PENDING and job.counts["archived episodic"] < 5
    jobs.run_job(job.id)
    job.refresh_from_db()
    assert (job.state, job.counts) == (JobState.SUCCEEDED, {"archived episodic": 5})


def test_a_batch_that_fails_leaves_neither_change_nor_report(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(cast, 1)
    (job,) = (one for one in jobs.tonight() if one.tenant_id == cast.acme.id)

    def fail(*_: object) -> None:
        raise RuntimeError("gone away")

    with monkeypatch.context() as patch:
        patch.setattr(queue, "note_place", fail)
        jobs.run_job(job.id)
    job.refresh_from_db()
    assert (job.state, job.counts) == (JobState.PENDING, {})
    with acting(system_of(cast.alice)):
        assert Memory.objects.get().state == State.ACTIVE


def test_there_is_one_job_a_night_for_each_tenant(cast: Cast) -> None:
    noon = timezone.now().replace(hour=12)
    clock = Clock(noon)
    with moved(clock):
        tasks.sweep_decay()
        tasks.sweep_decay()
        tonight = Job.objects.filter(kind=JobKind.DECAY)
        assert {job.tenant_id for job in tonight} >= {cast.acme.id, cast.globex.id}
        first = tonight.count()
        tonight.update(state=JobState.SUCCEEDED)
        clock.set(noon.replace(hour=DECAY.hour, minute=0) + timedelta(days=1, minutes=-1))
        tasks.sweep_decay()
        assert tonight.count() == first
        clock.advance(timedelta(minutes=1))
        tasks.sweep_decay()
        assert tonight.count() == 2 * first


def test_nothing_fades_while_the_person_has_switched_memory_off(cast: Cast) -> None:
    many(cast, 1)
    Subject.objects.filter(id=cast.alice.id).update(memory_mode=MemoryMode.OFF)
    assert night(cast) == {}
    Subject.objects.filter(id=cast.alice.id).update(memory_mode_until=timezone.now())
    assert night(cast) == {"archived episodic": 1}


def test_other_people_s_memories_stay(api: Api, cast: Cast) -> None:
    open_session(Api(cast.keys["stranger"]))
    make_memory(cast.charlie, kind="episodic", subtype="event")
    many(cast, 1)
    night(cast)
    with acting(system_of(cast.charlie)):
        assert Memory.objects.get().state == State.ACTIVE


def test_every_subtype_has_a_time_to_be_put_away() -> None:
    from memory.choices import Subtype

    assert set(PUT_AWAY) == set(Subtype)
