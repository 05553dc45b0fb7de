"""Erasing one session: its messages go, and what came from it, and nothing else."""

import uuid
from functools import partial
from typing import Any

import pytest

from accounts.acting import acting
from memory.choices import State
from memory.forget import drive
from memory.models import (
    Decision,
    Erasure,
    Event,
    Evidence,
    Memory,
    Message,
    ObjectKey,
    RecallLog,
    Session,
    Suppression,
    Version,
)
from memory.write.extraction import extract_session
from tests.cast import Api, Cast, agent_key, make_agent, make_grant, system_of
from tests.memory.wire import (
    body_of,
    day,
    listed,
    open_session,
    problem,
    recall,
    tell,
    texts,
)
from tests.memory.write.test_outages import at_once


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


def erase(api: Api, session: str) -> dict[str, Any]:
    answer = api("POST", "erasures", {"user_id": "alice", "session": session})
    return body_of(answer, 201)


def words(api: Api) -> set[str]:
    return set(texts(listed(api)))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("我对腰果过敏，请留意。", "我住在苏州。"),
        ("I am allergic to cashews.", "I live in Suzhou."),
    ],
)
def test_what_rests_on_it_alone_goes_and_the_rest_stays(
    api: Api, person: Api, cast: Cast, text: str, other: str
) -> None:
    first, second = open_session(api, "first"), open_session(api, "second 二")
    told = tell(api, said(text, 0), session=first)
    tell(api, said(other, 1), session=second)
    recall(api, text, session=first)
    receipt = erase(person, first)
    assert (receipt["session"], receipt["messages"]) == (first, 1)
    assert words(person) == words(api) and len(words(api)) == 1
    answer = recall(api, text)
    assert text not in texts(answer["memories"] + answer["profile"])
    problem(api("GET", f"sessions/{first}/messages"), 410, "gone")
    problem(api("POST", f"sessions/{first}/messages", {"messages": [said(text, 2)]}), 410, "gone")
    problem(api("GET", f"memories/{told['decisions'][0]['id']}"), 410, "gone")
    body_of(api("GET", f"events/{told['events'][0]}"), 410)
    assert [one["id"] for one in body_of(api("GET", "sessions?user_id=alice"))["sessions"]] == [
        second
    ]
    drive.run(uuid.UUID(receipt["id"]))
    done = body_of(person("GET", f"erasures/{receipt['id']}"))
    assert done["state"] == "awaiting_backup_expiry"
    before = {step["store"]: step["before"] for step in done["steps"]}
    assert (before["sessions"], before["messages"], before["events"]) == (1, 1, 1)
    assert (before["evidence"], before["versions"], before["recall log"]) == (1, 1, 1)
    assert {step["after"] for step in done["steps"]} == {0}
    with acting(system_of(cast.alice)):
        assert not Event.objects.filter(session_id=first).exists()
        assert not RecallLog.objects.filter(session_id=first).exists()
        assert not Decision.objects.filter(event_id=told["events"][0]).exists()
        assert Memory.objects.filter(state=State.ACTIVE).count() == 1


def test_what_was_also_said_elsewhere_loses_that_quote_only(
    api: Api, person: Api, cast: Cast
) -> None:
    first, second = open_session(api, "first"), open_session(api, "second")
    tell(api, said("我对腰果过敏，请留意。", 0), session=first)
    again = tell(api, said("我对腰果过敏，请留意。", 5), session=second)
    assert again["decisions"][0]["outcome"] == "reinforced"
    (memory,) = listed(person)
    receipt = erase(person, first)
    assert receipt["memories"] == []
    assert [one["id"] for one in listed(person)] == [memory["id"]]
    left = body_of(person("GET", f"memories/{memory['id']}/evidence"))["evidence"]
    assert [one["event_id"] for one in left] == again["events"]
    drive.run(uuid.UUID(receipt["id"]))
    with acting(system_of(cast.alice)):
        assert Evidence.objects.count() == 1
        assert str(Memory.objects.get().session_id) != first


def test_words_that_only_it_said_make_way_for_those_before(
    api: Api, person: Api, cast: Cast
) -> None:
    """What was said in the erased conversation is taken back: the wording before it holds again."""
    first, second = open_session(api, "first"), open_session(api, "second")
    tell(api, said("我住在北京。", 0), session=first)
    tell(api, said("我搬到上海了。", 10), session=second)
    assert "上海" in str(words(api))
    receipt = erase(person, second)
    (left,) = listed(person)
    assert "北京" in left["text"] and len(receipt["memories"]) == 1
    assert left["id"] not in receipt["memories"] and left["valid_to"] is None
    assert "上海" not in str(recall(api, "我住在上海还是北京？"))
    versions = body_of(person("GET", f"memories/{left['id']}/versions"))["versions"]
    assert len(versions) == 1
    drive.run(uuid.UUID(receipt["id"]))
    with acting(system_of(cast.alice)):
        assert Version.objects.count() == 1


def test_a_later_word_outlives_the_conversation_before_it(api: Api, person: Api) -> None:
    first, second = open_session(api, "first"), open_session(api, "second")
    tell(api, said("我住在北京。", 0), session=first)
    tell(api, said("我搬到上海了。", 10), session=second)
    erase(person, first)
    (left,) = listed(person)
    assert "上海" in left["text"]
    assert "北京" not in str(body_of(person("GET", f"memories/{left['id']}/versions")))
    assert "北京" not in str(recall(api, "我住在哪里？", as_of=day(5)))


def test_the_same_messages_are_not_learnt_from_again(api: Api, person: Api) -> None:
    first = open_session(api, "first")
    tell(api, said("我对腰果过敏，请留意。", 0), session=first)
    erase(person, first)
    anew = open_session(api, "first")  # its name is free again
    assert anew != first
    told = tell(api, said("我对腰果过敏，请留意。", 0), session=anew)
    assert told["decisions"][0]["reasons"] == ["suppressed"]


def test_the_feed_names_the_session_and_what_went_with_it(api: Api, person: Api) -> None:
    first = open_session(api, "first")
    told = tell(api, said("我住在苏州。", 0), session=first)
    erase(person, first)
    feed = body_of(api("GET", "deletions?user_id=alice"))["deletions"]
    assert {(one["kind"], one["id"]) for one in feed} == {
        ("session", first),
        ("event", told["events"][0]),
        ("memory", told["decisions"][0]["id"]),
    }


def test_a_board_that_used_it_goes_too(api: Api, person: Api, cast: Cast) -> None:
    first = open_session(api, "first")
    told = tell(api, said("我住在苏州。", 0), session=first)
    path = "tasks/trip/state?user_id=alice"
    made = api("PUT", path, {"state": {"goal": "旅行"}, "event_ids": told["events"]})
    assert made.status_code == 201, made.content
    erase(person, first)
    problem(api("GET", path), 410, "gone")


def test_nobody_erases_what_they_may_not_see(api: Api, cast: Cast) -> None:
    first = open_session(api, "first")
    body = {"user_id": "alice", "session": first}
    problem(api("POST", "erasures", body), 403, "forbidden")  # its grant ends at level 20
    whole = make_agent(cast.acme, "whole")
    make_grant(whole, cast.alice, clearance=40)
    key = Api(agent_key(whole))
    problem(key("POST", "erasures", body), 404, "not_found")  # another agent's session
    own = open_session(key, "own")
    assert erase(key, own)["session"] == own
    problem(Api(cast.keys["bob"])("POST", "erasures", body | {"user_id": "bob"}), 404, "not_found")


def test_one_thing_at_a_time(person: Api, api: Api) -> None:
    first = open_session(api, "first")
    for other in ({"everything": True, "confirm": "alice"}, {"filters": {"kind": "semantic"}}):
        body = {"user_id": "alice", "session": first} | other
        problem(person("POST", "erasures", body), 400, "invalid_input")
    erase(person, first)
    problem(person("POST", "erasures", {"user_id": "alice", "session": first}), 410, "gone")


def test_a_repeated_opening_is_410_once_its_session_is_gone(api: Api, person: Api) -> None:
    body = {"user_id": "alice", "session_id": "first"}
    first = api("POST", "sessions", body, Idempotency_Key="k1")
    erase(person, first.json()["id"])
    problem(api("POST", "sessions", body, Idempotency_Key="k1"), 410, "gone")


@pytest.mark.django_db(transaction=True)
def test_what_is_read_while_it_is_erased_is_not_kept(api: Api, person: Api, cast: Cast) -> None:
    """Erasing and reading for memories at once: whoever comes second finds the other's work."""
    sessions = [open_session(api, f"race {number}") for number in range(4)]
    texts_said = [f"I keep box {number} in the attic." for number in range(4)]
    for session, text in zip(sessions, texts_said, strict=True):
        api("POST", f"sessions/{session}/messages", {"messages": [said(text, 0)]})

    def read(session: str) -> Any:
        return extract_session(
            system_of(cast.alice), uuid.UUID(session), obey=lambda *_: (), at_once=True
        )

    both = [
        partial(what, session) for session in sessions for what in (read, partial(erase, person))
    ]
    failed = [one for one in at_once(*both) if isinstance(one, Exception)]
    assert failed == []
    assert words(person) == set()
    with acting(system_of(cast.alice)):
        assert not Session.objects.exists() and not Message.objects.exists()
        assert Erasure.objects.count() == 4
        assert Suppression.objects.count() == 4
        assert not ObjectKey.objects.exists()
