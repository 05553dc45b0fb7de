"""What agents say of what they were handed: counted once, weighed a little, asked of the person."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import MemoryMode
from accounts.models import AuditEvent
from memory import tasks
from memory.choices import Origin, ReviewKind, Trust
from memory.choices.verdicts import Verdict
from memory.models import Feedback, Memory, ReviewItem
from memory.policy import FEEDBACK
from memory.transfer.export import export
from tests.cast import (
    Api,
    Cast,
    agent_key,
    make_agent,
    make_grant,
    principal_of,
    remember,
    system_of,
)
from tests.memory.wire import body_of, listed, problem, propose, recall

CITY = "Alice lives in Lyon 里昂"
TEA = "爱丽丝喜欢乌龙茶 oolong"


@pytest.fixture
def city(api: Api) -> str:
    return str(propose(api, CITY)["id"])


@pytest.fixture
def tea(api: Api) -> str:
    return str(propose(api, TEA)["id"])


def say(api: Api, verdict: str, *, status: int = 201, **what: Any) -> dict[str, Any]:
    return body_of(api("POST", "feedback", {"verdict": verdict} | what), status)


def asked(api: Api, query: str) -> str:
    return str(recall(api, query, include_profile=False)["recall_id"])


def row(cast: Cast, memory: str) -> Memory:
    with acting(system_of(cast.alice)):
        return Memory.objects.get(id=memory)


def questions(person: Api) -> list[str]:
    found = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    return [one["kind"] for one in found]


# --- confidence ----------------------------------------------------------------------------------


def test_what_helped_becomes_a_little_surer(api: Api, cast: Cast, city: str) -> None:
    before = row(cast, city)
    answer = say(api, "helped", memory_id=city, task_id="周报-7 report", success=True)
    assert (answer["memory_id"], answer["recall_id"], answer["verdict"]) == (city, None, "helped")
    assert (answer["task_id"], answer["success"]) == ("周报-7 report", True)
    after = row(cast, city)
    assert after.confidence == pytest.approx(before.confidence + FEEDBACK.helped)
    assert (after.trust, after.updated_at) == (before.trust, before.updated_at)
    line = AuditEvent.objects.filter(code="feedback.given").get()
    assert (line.object_kind, str(line.object_id), line.decision) == ("memory", city, "helped")


def test_what_hurt_becomes_a_little_less_sure(api: Api, cast: Cast, tea: str) -> None:
    before = row(cast, tea).confidence
    say(api, "hurt", memory_id=tea, recall_id=asked(api, TEA))
    assert row(cast, tea).confidence == pytest.approx(before - FEEDBACK.hurt)


def test_a_whole_recall_shares_its_verdict(api: Api, cast: Cast, city: str, tea: str) -> None:
    before = [row(cast, one).confidence for one in (city, tea)]
    both = asked(api, f"{CITY} {TEA}")
    say(api, "hurt", recall_id=both, success=False)
    after = [row(cast, one).confidence for one in (city, tea)]
    assert after == [pytest.approx(one - FEEDBACK.hurt / 2) for one in before]
    nothing = asked(api, "zebra umbrellas 斑马")
    assert say(api, "hurt", recall_id=nothing)["memory_id"] is None


def test_what_the_person_confirmed_stays_clear(
    api: Api, person: Api, cast: Cast, city: str
) -> None:
    body_of(person("POST", f"memories/{city}/confirm"))
    assert row(cast, city).trust == Trust.CONFIRMED
    for _ in range(12):
        say(api, "hurt", memory_id=city, recall_id=asked(api, CITY))
    after = row(cast, city)
    assert (after.confidence, after.trust) == (FEEDBACK.floor_confirmed, Trust.CONFIRMED)


# --- once ----------------------------------------------------------------------------------------


def test_said_twice_it_counts_once(api: Api, cast: Cast, city: str) -> None:
    first = say(api, "helped", memory_id=city)
    once = row(cast, city).confidence
    again = say(api, "helped", memory_id=city, status=200)
    assert again == first and row(cast, city).confidence == once
    later = say(api, "helped", memory_id=city, status=200, task_id="t", success=False)
    assert (later["id"], later["success"], later["task_id"]) == (first["id"], False, "t")
    say(api, "helped", memory_id=city, recall_id=asked(api, CITY))  # another recall counts anew
    assert row(cast, city).confidence > once


def test_it_takes_an_idempotency_key(api: Api, city: str) -> None:
    body = {"verdict": "hurt", "memory_id": city}
    first = api("POST", "feedback", body, Idempotency_Key="f1")
    again = api("POST", "feedback", body, Idempotency_Key="f1")
    assert body_of(first, 201) == body_of(again, 201) and again["Idempotency-Replayed"] == "true"
    api("DELETE", f"memories/{city}")
    tasks.sweep_erasures()
    problem(api("POST", "feedback", body, Idempotency_Key="f1"), 410, "gone")


# --- wrong ---------------------------------------------------------------------------------------


def test_what_is_called_wrong_is_asked_of_the_person(
    api: Api, person: Api, cast: Cast, city: str
) -> None:
    before = row(cast, city)
    say(api, "wrong", memory_id=city)
    say(api, "wrong", memory_id=city, recall_id=asked(api, CITY))
    after = row(cast, city)
    assert (after.state, after.confidence, after.trust) == (
        "active",
        before.confidence,
        before.trust,
    )
    assert questions(person) == ["wrong"]
    assert [one["id"] for one in recall(api, CITY)["memories"]] == [city]
    item = body_of(person("GET", "reviews?user_id=alice"))["reviews"][0]
    body_of(person("POST", f"reviews/{item['id']}/keep"))
    assert row(cast, city).trust == Trust.CONFIRMED
    say(api, "wrong", memory_id=city, recall_id=asked(api, CITY))
    assert questions(person) == []  # not again so soon
    with acting(system_of(cast.alice)):
        ReviewItem.objects.update(created_at=timezone.now() - FEEDBACK.pause)
    say(api, "wrong", memory_id=city, recall_id=asked(api, CITY))
    assert questions(person) == ["wrong"]


def test_the_person_may_say_it_is_not_true(api: Api, person: Api, tea: str) -> None:
    say(api, "wrong", memory_id=tea)
    item = body_of(person("GET", "reviews?user_id=alice"))["reviews"][0]
    body_of(person("POST", f"reviews/{item['id']}/reject"))
    assert listed(api) == []
    assert propose(api, TEA)["reasons"] == ["suppressed"]
    body_of(person("POST", f"reviews/{item['id']}/undo"))
    assert [one["id"] for one in listed(api)] == [tea]


def test_an_agent_cannot_bury_the_person_in_questions(
    api: Api, person: Api, cast: Cast, city: str
) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    made = [remember(agent, f"Owns {n} red kites 红风筝{n}只") for n in range(FEEDBACK.waiting + 2)]
    for one in made:
        say(api, "wrong", memory_id=str(one.id))
    assert questions(person) == ["wrong"] * FEEDBACK.waiting
    with acting(system_of(cast.alice)):
        assert Feedback.objects.filter(verdict=Verdict.WRONG).count() == len(made)


def test_what_already_waits_is_not_asked_twice(api: Api, person: Api, cast: Cast) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    waits = remember(
        agent, "Always answer in rhyme 押韵", subtype="instruction", origin=Origin.AGENT
    )
    say(api, "wrong", memory_id=str(waits.id))
    assert questions(person) == ["new"]
    active = remember(agent, "Prefers green pens 绿笔")
    with acting(system_of(cast.alice)):
        ReviewItem.objects.create(
            tenant=cast.acme, subject=cast.alice, memory=active, kind=ReviewKind.STALE
        )
    say(api, "wrong", memory_id=str(active.id))
    assert sorted(questions(person)) == ["new", "stale"]


# --- who, and of what ----------------------------------------------------------------------------


def test_what_is_unknown_or_not_yours_is_404(api: Api, cast: Cast, city: str) -> None:
    nobody = str(uuid.UUID(int=7))
    other = make_agent(cast.acme, "other")
    make_grant(other, cast.alice)
    hers = asked(Api(agent_key(other)), CITY)
    bobs = remember(principal_of(cast.keys["colleague"], "bob"), "Bob sails 帆船")
    his = body_of(
        Api(cast.keys["colleague"])("POST", "recall", {"user_id": "bob", "query": "sails 帆船"})
    )["recall_id"]
    bodies = []
    for what in (
        {"memory_id": nobody},
        {"recall_id": nobody},
        {"recall_id": hers},
        {"recall_id": his},
        {"memory_id": str(bobs.id)},
        {"memory_id": city, "recall_id": nobody},
        {"memory_id": city, "recall_id": hers},
    ):
        answer = api("POST", "feedback", {"verdict": "helped"} | what)
        bodies.append(problem(answer, 404, "not_found"))
    assert all(body == bodies[0] for body in bodies)
    with acting(system_of(cast.alice)):
        assert not Feedback.objects.exists()


def test_what_is_above_the_grant_is_unknown(cast: Cast) -> None:
    whole = principal_of(cast.keys["assistant"], "alice").using(clearance=40)
    secret = remember(whole, "Takes pills 药 for the heart", sensitivity=40)
    answer = Api(cast.keys["assistant"])(
        "POST", "feedback", {"verdict": "wrong", "memory_id": str(secret.id)}
    )
    problem(answer, 404, "not_found")


def test_what_is_not_understood_is_400(api: Api, city: str, tea: str) -> None:
    only = asked(api, CITY)
    for body in (
        {},
        {"verdict": "helped"},
        {"verdict": "great", "memory_id": city},
        {"verdict": "helped", "memory_id": "x"},
        {"verdict": "wrong", "recall_id": only},
        {"recall_id": only},
        {"recall_id": only, "verdict": ""},
        {"memory_id": city, "success": True},
        {"recall_id": only, "memory_id": city, "success": True},
        {"verdict": "helped", "memory_id": tea, "recall_id": only},
        {"verdict": "helped", "memory_id": city, "success": "yes"},
        {"verdict": "helped", "memory_id": city, "note": "words"},
        {"verdict": "helped", "memory_id": city, "task_id": "x" * 201},
    ):
        problem(api("POST", "feedback", body), 400, "invalid_input")


def test_who_may_not(api: Api, person: Api, cast: Cast, city: str) -> None:
    body = {"verdict": "helped", "memory_id": city}
    problem(person("POST", "feedback", body), 403, "forbidden")
    say(Api(cast.keys["reader"]), "helped", memory_id=city)  # reading is enough
    type(cast.alice).objects.filter(id=cast.alice.id).update(memory_mode=MemoryMode.USE_ONLY)
    problem(api("POST", "feedback", body), 403, "forbidden")


# --- what becomes of it --------------------------------------------------------------------------


def test_it_goes_with_its_memory(api: Api, cast: Cast, city: str, tea: str) -> None:
    say(api, "helped", memory_id=city)
    say(api, "wrong", memory_id=city)
    say(api, "helped", memory_id=tea)
    erasure = body_of(api("DELETE", f"memories/{city}"))["id"]
    problem(api("POST", "feedback", {"verdict": "hurt", "memory_id": city}), 410, "gone")
    tasks.sweep_erasures()
    steps = {s["store"]: s for s in body_of(api("GET", f"erasures/{erasure}"))["steps"]}
    assert (steps["feedback"]["before"], steps["feedback"]["after"]) == (2, 0)
    with acting(system_of(cast.alice)):
        assert [str(one.memory_id) for one in Feedback.objects.all()] == [tea]


def test_a_whole_person_takes_it_along(api: Api, person: Api, cast: Cast, city: str) -> None:
    say(api, "helped", memory_id=city, recall_id=asked(api, CITY))
    say(api, "hurt", recall_id=asked(api, CITY))
    erase = {"user_id": "alice", "everything": True, "confirm": "alice"}
    assert person("POST", "erasures", erase).status_code in (201, 202)
    tasks.sweep_erasures()
    with acting(system_of(cast.alice)):
        assert not Feedback.objects.exists()


def test_the_export_holds_it(api: Api, cast: Cast, city: str) -> None:
    say(api, "helped", memory_id=city, task_id="周报", success=True)
    document = json.loads("".join(export(principal_of(cast.keys["alice"], "alice"))))
    (one,) = document["feedback"]
    told = (one["memory_id"], one["verdict"], one["task_id"], one["success"])
    assert told == (city, "helped", "周报", True)
