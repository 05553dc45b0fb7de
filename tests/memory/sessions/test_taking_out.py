"""Erasing one wording of a memory, or named messages: what else was said stays."""

import uuid
from typing import Any

import pytest

from memory.forget import drive
from tests.cast import Api, Cast
from tests.memory.wire import (
    body_of,
    day,
    listed,
    open_session,
    outcomes,
    problem,
    propose,
    recall,
    tell,
    texts,
)

MOVES = [
    ("我住在北京。", "我搬到上海了。"),
    ("I live in Lisbon.", "I have moved to Oslo."),
]


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


def erase(api: Api, **what: Any) -> dict[str, Any]:
    return body_of(api("POST", "erasures", {"user_id": "alice"} | what), 201)


def words(api: Api) -> list[str]:
    return sorted(texts(listed(api)))


def moved(api: Api, before: str, after: str) -> tuple[str, list[str]]:
    """Tell that somebody lives elsewhere now; return the memory and the two messages."""
    events = tell(api, said(before, 0), said(after, 10))["events"]
    (memory,) = listed(api)
    assert memory["version"] == 2
    return memory["id"], events


def driven(api: Api, receipt: dict[str, Any]) -> None:
    drive.run(uuid.UUID(receipt["id"]))
    done = body_of(api("GET", f"erasures/{receipt['id']}"))
    assert done["state"] == "awaiting_backup_expiry"
    assert {step["after"] for step in done["steps"]} == {0}


@pytest.mark.parametrize(("before", "after"), MOVES)
def test_a_former_wording_goes_and_the_current_one_stays(
    api: Api, person: Api, before: str, after: str
) -> None:
    memory, (first, second) = moved(api, before, after)
    receipt = erase(person, memory_ids=[memory], version=1)
    assert (receipt["memories"], receipt["messages"]) == ([memory], 1)
    (left,) = listed(person)
    assert left["text"] == after and left["id"] != memory
    versions = body_of(person("GET", f"memories/{left['id']}/versions"))["versions"]
    assert texts(versions) == [after]
    quotes = body_of(person("GET", f"memories/{left['id']}/evidence"))["evidence"]
    assert [one["event_id"] for one in quotes] == [second]
    assert recall(person, before, as_of=day(5))["memories"] == []
    problem(person("GET", f"memories/{memory}"), 410, "gone")
    assert api("GET", f"events/{first}").status_code == 410
    assert body_of(api("GET", f"events/{second}"))["content"] == after
    driven(person, receipt)
    assert words(api) == [after]
    again = tell(api, said(before, 0), session=open_session(api, "replay 重放"))
    assert outcomes(again) == [("refused", ["suppressed"])]


@pytest.mark.parametrize(("before", "after"), MOVES)
def test_without_the_current_wording_the_one_before_holds_again(
    api: Api, person: Api, before: str, after: str
) -> None:
    memory, _ = moved(api, before, after)
    driven(person, erase(person, memory_ids=[memory], version=2))
    assert words(person) == [before]
    assert texts(recall(api, before)["memories"] + recall(api, before)["profile"]) != []


@pytest.mark.parametrize("text", ["I play the oboe on Fridays.", "我每周五吹双簧管。"])
def test_the_only_wording_is_the_memory(api: Api, person: Api, text: str) -> None:
    memory = propose(api, text)["id"]
    receipt = erase(person, memory_ids=[memory], version=1)
    assert receipt["memories"] == [memory] and words(person) == []
    driven(person, receipt)


def test_what_else_a_message_of_the_wording_carried_keeps_its_quote(api: Api, person: Api) -> None:
    both = "我住在北京。I play the oboe on Fridays."
    tell(api, said(both, 0), said("我搬到上海了。", 10))
    city = next(one for one in listed(person) if one["attribute"] == "home.city")
    driven(person, erase(person, memory_ids=[city["id"]], version=1))
    assert words(person) == ["I play the oboe on Fridays.", "我搬到上海了。"]
    (oboe,) = (one for one in listed(person) if "oboe" in one["text"])
    quotes = body_of(person("GET", f"memories/{oboe['id']}/evidence"))["evidence"]
    assert [one["quote"] for one in quotes] == ["I play the oboe on Fridays."]


def test_a_wording_it_never_had_is_404_and_two_ways_at_once_400(api: Api, person: Api) -> None:
    memory = propose(api, "I play the oboe on Fridays.")["id"]
    event = tell(api, "我住在苏州。")["events"][0]
    ask = {"user_id": "alice", "memory_ids": [memory]}
    problem(person("POST", "erasures", ask | {"version": 2}), 404, "not_found")
    other = {"user_id": "alice", "events": [event]}
    for body in (
        {"user_id": "alice", "version": 1},
        {"user_id": "alice", "version": 1, "filters": {"kind": "semantic"}},
        ask | {"version": 0},
        ask | {"events": [event]},
        other | {"everything": True},
        other | {"version": 1},
        {"user_id": "alice", "events": []},
    ):
        problem(person("POST", "erasures", body), 400, "invalid_input")
    assert len(words(person)) == 2


@pytest.mark.parametrize("caller", ["reader", "low", "stranger", "bob"])
def test_nobody_erases_a_wording_they_may_not_forget(
    api: Api, person: Api, cast: Cast, caller: str
) -> None:
    memory, _ = moved(api, *MOVES[0])
    body = {"user_id": "alice", "memory_ids": [memory], "version": 1}
    assert Api(cast.keys[caller])("POST", "erasures", body).status_code in (403, 404)
    assert len(body_of(person("GET", f"memories/{memory}/versions"))["versions"]) == 2


# --- by message ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("我住在苏州。I play the oboe on Fridays.", "我对腰果过敏，请留意。"),
        ("I live in Lisbon. I play the oboe on Fridays.", "I am allergic to cashews."),
    ],
)
def test_what_rests_on_a_message_alone_goes_with_it(
    api: Api, person: Api, text: str, other: str
) -> None:
    gone, stays = tell(api, said(text, 0), said(other, 1))["events"]
    assert len(words(person)) == 3
    receipt = erase(person, events=[gone])
    assert (len(receipt["memories"]), receipt["messages"]) == (2, 1)
    assert len(words(person)) == 1
    assert api("GET", f"events/{gone}").status_code == 410
    assert body_of(api("GET", f"events/{stays}"))["content"] == other
    problem(person("POST", "erasures", {"user_id": "alice", "events": [gone]}), 410, "gone")
    driven(person, receipt)


@pytest.mark.parametrize("text", ["我对腰果过敏，请留意。", "I am allergic to cashews."])
def test_what_was_also_said_elsewhere_loses_that_quote_only(
    api: Api, person: Api, text: str
) -> None:
    first = tell(api, said(text, 0))["events"][0]
    second = tell(api, said(text, 9), session=open_session(api, "later"))["events"][0]
    (memory,) = listed(person)
    receipt = erase(person, events=[first])
    assert receipt["memories"] == [] and [one["id"] for one in listed(person)] == [memory["id"]]
    quotes = body_of(person("GET", f"memories/{memory['id']}/evidence"))["evidence"]
    assert [one["event_id"] for one in quotes] == [second]
    driven(person, receipt)


@pytest.mark.parametrize(("before", "after"), MOVES)
def test_a_wording_that_only_the_message_held_makes_way_for_the_one_before(
    api: Api, person: Api, before: str, after: str
) -> None:
    memory, (_, second) = moved(api, before, after)
    receipt = erase(person, events=[second])
    assert receipt["memories"] == [memory] and words(person) == [before]
    driven(person, receipt)


def test_messages_of_others_are_not_there(api: Api, person: Api, cast: Cast) -> None:
    event = tell(api, "我住在苏州。")["events"][0]
    for caller, status in (("stranger", 404), ("bob", 404), ("reader", 403), ("assistant", 403)):
        body = {"user_id": "alice", "events": [event]}
        answer = Api(cast.keys[caller])("POST", "erasures", body)
        assert answer.status_code in (status, 403, 404), caller
    unknown = {"user_id": "alice", "events": [str(uuid.UUID(int=7))]}
    problem(person("POST", "erasures", unknown), 404, "not_found")
    assert words(person) == ["我住在苏州。"]
