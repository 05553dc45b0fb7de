"""Links between memories: made, listed, taken back, followed one step by recall, and erased."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from accounts.acting import acting
from accounts.choices import MemoryMode
from accounts.models import Grant
from memory import tasks
from memory.choices import LinkKind, Sensitivity
from memory.errors import InvalidInput
from memory.models import MemoryLink
from memory.policy import WRITE
from memory.transfer.export import export
from memory.write import links
from tests.cast import Api, Cast, principal_of, remember, system_of
from tests.memory.wire import body_of, problem, propose, recall, texts

TRIP = "Alice plans the Lisbon trip 里斯本之行"
HOTEL = "The room key code word is a blue swallow 蓝燕"
GUIDE = "A guide called Rui waits at the fountain 喷泉"


def memory(api: Api, text: str) -> str:
    return str(propose(api, text)["id"])


def link(api: Api, source: str, target: str, kind: str = "about", *, status: int = 201) -> Any:
    answer = api("POST", f"memories/{source}/links", {"kind": kind, "memory_id": target})
    return body_of(answer, status)


def linked(api: Api, of: str) -> list[tuple[str, bool, str]]:
    found = body_of(api("GET", f"memories/{of}/links"))["links"]
    return [(one["kind"], one["outgoing"], one["memory_id"]) for one in found]


@pytest.fixture
def trip(api: Api) -> tuple[str, str, str]:
    """Three memories in a row: the trip, the hotel about it, the guide about the hotel."""
    trip, hotel, guide = (memory(api, text) for text in (TRIP, HOTEL, GUIDE))
    link(api, hotel, trip)
    link(api, guide, hotel)
    return trip, hotel, guide


def test_a_link_is_seen_from_both_ends_and_taken_back(api: Api, trip: tuple[str, str, str]) -> None:
    first, hotel, guide = trip
    assert linked(api, hotel) == [("about", True, first), ("about", False, guide)]
    assert linked(api, first) == [("about", False, hotel)]
    again = link(api, hotel, first, status=200)
    assert (again["kind"], again["outgoing"], again["memory_id"]) == ("about", True, first)
    assert api("DELETE", f"memories/{first}/links/{again['id']}").status_code == 204
    assert linked(api, first) == []
    problem(api("DELETE", f"memories/{first}/links/{again['id']}"), 404, "not_found")


def test_related_is_the_same_from_either_end(api: Api) -> None:
    one, other = memory(api, TRIP), memory(api, HOTEL)
    made = link(api, one, other, "related")
    assert link(api, other, one, "related", status=200)["id"] == made["id"]
    assert made["memory_id"] == other


def test_what_is_no_link_is_refused(api: Api, cast: Cast) -> None:
    one = memory(api, TRIP)
    for body in ({"kind": "about"}, {"kind": "parent", "memory_id": one}, {"memory_id": one}):
        problem(api("POST", f"memories/{one}/links", body), 400, "invalid_input")
    mine = {"kind": "about", "memory_id": one}
    problem(api("POST", f"memories/{one}/links", mine), 400, "invalid_input")
    nobody = {"kind": "about", "memory_id": str(uuid.UUID(int=7))}
    problem(api("POST", f"memories/{one}/links", nobody), 404, "not_found")
    bobs = remember(principal_of(cast.keys["colleague"], "bob"), "Bob sails 帆船")
    his = {"kind": "about", "memory_id": str(bobs.id)}
    problem(api("POST", f"memories/{one}/links", his), 404, "not_found")


def test_a_memory_has_so_many_links_and_no_more(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = (memory(api, text) for text in (TRIP, HOTEL, GUIDE))
    monkeypatch.setattr(links, "WRITE", type(WRITE)(links=1))
    link(api, one, two)
    with pytest.raises(InvalidInput, match="1 times"):
        links.link(
            principal_of(cast.keys["assistant"], "alice"),
            uuid.UUID(three),
            uuid.UUID(two),
            kind=LinkKind.ABOUT,
        )


def test_sent_twice_it_is_linked_once(api: Api) -> None:
    one, other = memory(api, TRIP), memory(api, HOTEL)
    body = {"kind": "part_of", "memory_id": other}
    first = api("POST", f"memories/{one}/links", body, Idempotency_Key="k1")
    again = api("POST", f"memories/{one}/links", body, Idempotency_Key="k1")
    assert body_of(first, 201) == body_of(again, 201)
    assert again["Idempotency-Replayed"] == "true"
    api("DELETE", f"memories/{one}/links/{first.json()['id']}")
    problem(api("POST", f"memories/{one}/links", body, Idempotency_Key="k1"), 410, "gone")


def test_an_agent_takes_back_its_own_links_only(api: Api, cast: Cast) -> None:
    one, other = memory(api, TRIP), memory(api, HOTEL)
    alice = Api(cast.keys["alice"])
    hers = link(alice, one, other)["id"]
    problem(api("DELETE", f"memories/{one}/links/{hers}"), 403, "forbidden")
    its = link(api, one, other, "part_of")["id"]
    assert alice("DELETE", f"memories/{one}/links/{its}").status_code == 204
    assert linked(api, one) == [("about", True, other)]


def test_where_learning_is_off_nothing_is_linked(api: Api, cast: Cast) -> None:
    one, other = memory(api, TRIP), memory(api, HOTEL)
    type(cast.alice).objects.filter(id=cast.alice.id).update(memory_mode=MemoryMode.USE_ONLY)
    answer = api("POST", f"memories/{one}/links", {"kind": "about", "memory_id": other})
    problem(answer, 403, "forbidden")


# --- recall --------------------------------------------------------------------------------------


def test_recall_follows_one_step_and_says_so(api: Api, trip: tuple[str, str, str]) -> None:
    found = recall(api, "the Lisbon trip 里斯本之行")["memories"]
    assert texts(found) == [TRIP, HOTEL]  # and not the guide, two steps away
    assert found[1]["why"] == ["link"]
    assert found[1]["score"] < found[0]["score"]
    assert texts(recall(api, "the Lisbon trip 里斯本之行", top_k=1)["memories"]) == [TRIP]


def test_what_passes_by_itself_is_no_companion(api: Api) -> None:
    one, other = memory(api, TRIP), memory(api, "Alice books the Lisbon trip in May 里斯本之行")
    link(api, one, other)
    found = recall(api, "the Lisbon trip 里斯本之行")["memories"]
    assert len(found) == 2 and all("link" not in item["why"] for item in found)


def test_at_most_two_come_along_and_none_twice(api: Api) -> None:
    trip = memory(api, TRIP)
    for text in (HOTEL, GUIDE, "Bring the green umbrella 绿伞"):
        link(api, memory(api, text), trip)
    found = recall(api, "the Lisbon trip 里斯本之行")["memories"]
    assert len(found) == 3 and [item["why"] for item in found[1:]] == [["link"], ["link"]]


def test_a_companion_obeys_filters_states_and_the_budget(
    api: Api, trip: tuple[str, str, str]
) -> None:
    question = "the Lisbon trip 里斯本之行"
    narrowed = recall(api, question, filters={"kind": "procedural"})
    assert narrowed["memories"] == []
    assert texts(recall(api, question, max_tokens=16)["memories"]) == [TRIP]
    body_of(api("POST", f"memories/{trip[1]}/archive"))
    assert texts(recall(api, question)["memories"]) == [TRIP]


def test_a_link_to_what_may_not_be_seen_leaves_no_trace(api: Api, cast: Cast) -> None:
    trip = memory(api, TRIP)
    question = "the Lisbon trip 里斯本之行"
    whole = principal_of(cast.keys["assistant"], "alice").using(clearance=40)
    secret = str(
        remember(whole, "Takes pills 药 for the heart", sensitivity=Sensitivity.SPECIAL).id
    )
    before = recall(api, question)
    link(Api(cast.keys["alice"]), trip, secret)
    assert linked(Api(cast.keys["alice"]), trip) == [("about", True, secret)]
    assert linked(api, trip) == []
    after = recall(api, question)
    assert {k: v for k, v in after.items() if k != "recall_id"} == {
        k: v for k, v in before.items() if k != "recall_id"
    }
    seen = {"kind": "about", "memory_id": secret}
    problem(api("POST", f"memories/{trip}/links", seen), 404, "not_found")
    with acting(system_of(cast.alice)):
        Grant.objects.filter(agent=cast.agents["assistant"]).update(clearance=40)
    assert "Takes pills 药 for the heart" in texts(recall(api, question)["memories"])
    assert linked(api, trip) == []  # level 40 is in no list of an agent's


def test_an_explanation_shows_the_link(api: Api, cast: Cast, trip: tuple[str, str, str]) -> None:
    body = {"user_id": "alice", "query": "the Lisbon trip 里斯本之行"}
    lines = body_of(Api(cast.keys["alice"])("POST", "recall/explain", body))["candidates"]
    fates = {line["id"]: (line["fate"], line["why"]) for line in lines}
    assert len(fates) == len(lines)
    assert fates[trip[1]] == ("taken", ["link"])


# --- what becomes of them ------------------------------------------------------------------------


def test_an_erasure_takes_the_links_along(api: Api, cast: Cast, trip: tuple[str, str, str]) -> None:
    first, hotel, guide = trip
    erasure = body_of(api("DELETE", f"memories/{hotel}"))["id"]
    assert linked(api, first) == linked(api, guide) == []
    tasks.sweep_erasures()
    steps = {s["store"]: s for s in body_of(api("GET", f"erasures/{erasure}"))["steps"]}
    assert (steps["links"]["before"], steps["links"]["after"]) == (2, 0)
    with acting(system_of(cast.alice)):
        assert not MemoryLink.objects.exists()


def test_the_export_holds_them(cast: Cast, trip: tuple[str, str, str]) -> None:
    import json

    document = json.loads("".join(export(principal_of(cast.keys["alice"], "alice"))))
    kept = {one["id"]: one["links"] for one in document["memories"]}
    assert [(one["kind"], one["target_id"]) for one in kept[trip[1]]] == [("about", trip[0])]
