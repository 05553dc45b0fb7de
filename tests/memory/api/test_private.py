"""What an agent keeps to itself: seen by it and the person, whatever others say beside it."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.acting import acting
from memory.models import Evidence, Memory, Version
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, listed, open_session, propose, recall, tell, texts

MINE = "Prefers the 07:12 train 早班车 to Basel."
ASKED = "Which train 早班车 to Basel?"


@pytest.fixture
def mine(cast: Cast) -> Api:
    return Api(cast.keys["assistant"])


@pytest.fixture
def other(cast: Cast) -> Api:
    return Api(cast.keys["no_episodes"])


@pytest.fixture
def person(cast: Cast) -> Api:
    return Api(cast.keys["alice"])


def keep(api: Api, text: str, **fields: Any) -> str:
    found = propose(api, text, visibility="agent", sensitivity=10, **fields)
    assert found["outcome"] in ("accepted", "superseded"), found
    return str(found["memory"]["id"] if "memory" in found else found["id"])


def rows(cast: Cast) -> list[tuple[str, str, int]]:
    """Visibility, state and version of every memory, in the order they were made."""
    with acting(system_of(cast.alice)):
        found = Memory.objects.order_by("created_at")
        return [(one.visibility, one.state, one.version) for one in found]


def test_the_agent_and_the_person_see_it_and_nobody_else(
    cast: Cast, mine: Api, other: Api, person: Api
) -> None:
    kept = keep(mine, MINE)
    for api in (mine, person):
        assert texts(listed(api)) == [MINE]
        assert MINE in texts(recall(api, ASKED)["memories"])
        assert body_of(api("GET", f"memories/{kept}"))["visibility"] == "agent"
    assert MINE in person("GET", f"users/{cast.alice.id}/export").getvalue().decode()
    assert listed(other) == []
    assert recall(other, ASKED)["memories"] == []
    assert (
        other("POST", "memories/search", {"user_id": "alice", "text": "train"}).json()["memories"]
        == []
    )
    session = open_session(other)
    laid_out = other("POST", f"sessions/{session}/context", {"query": ASKED})
    assert b"07:12" not in laid_out.content
    for part in ("", "/versions", "/evidence", "/sources", "/links"):
        assert other("GET", f"memories/{kept}{part}").status_code == 404
    for method, part in (("PATCH", ""), ("DELETE", ""), ("POST", "/forget")):
        body = {"text": "x"} if method == "PATCH" else None
        answer = other(method, f"memories/{kept}{part}", body, If_Match='"1"')
        assert answer.status_code == 404


@pytest.mark.parametrize(
    "said",
    [
        MINE,
        "prefers the 07:12 train 早班车 to Basel",
        "Prefers the train 早班车 to Basel at 07:12.",
        "Dislikes the 07:12 train 早班车 to Basel.",
    ],
)
def test_what_others_say_beside_it_leaves_it_as_it_is(
    cast: Cast, mine: Api, other: Api, said: str
) -> None:
    kept = keep(mine, MINE)
    answer = propose(other, said, sensitivity=10)
    assert answer["outcome"] == "accepted" and "duplicate_exact" not in answer["reasons"]
    assert rows(cast) == [("agent", "active", 1), ("user", "active", 1)]
    assert texts(listed(other)) == [said]
    again = propose(other, said, sensitivity=10)
    assert again["outcome"] == "reinforced", "it knows its own"
    with acting(system_of(cast.alice)):
        public = Memory.objects.get(visibility="user")
        assert Version.objects.filter(memory_id=kept).count() == 1
        assert set(Evidence.objects.filter(memory=public).values_list("memory", flat=True)) <= {
            public.id
        }


@pytest.mark.parametrize("first", ["private", "public"])
def test_a_slot_is_held_apart(cast: Cast, mine: Api, other: Api, first: str) -> None:
    """Once a value kept private became the next wording of the one that was for all."""
    lyon = {"text": "Lives in Lyon 里昂", "attribute": "home.city", "value": "Lyon"}
    bern = {"text": "Lives in Bern 伯尔尼", "attribute": "home.city", "value": "Bern"}
    if first == "private":
        keep(mine, **lyon)
    propose(other, **bern, sensitivity=10)
    if first == "public":
        keep(mine, **lyon)
    assert sorted(rows(cast)) == [("agent", "active", 1), ("user", "active", 1)]
    assert texts(listed(other)) == [bern["text"]]
    assert set(texts(listed(mine))) == {lyon["text"], bern["text"]}
    keep(mine, text="Lives in Nice 尼斯", attribute="home.city", value="Nice")
    assert sorted(rows(cast)) == [("agent", "active", 2), ("user", "active", 1)]


def test_two_agents_may_keep_the_same_to_themselves(cast: Cast, mine: Api, other: Api) -> None:
    keep(mine, MINE)
    keep(other, MINE)
    assert rows(cast) == [("agent", "active", 1)] * 2
    assert propose(mine, MINE, visibility="agent")["outcome"] == "reinforced"


def test_what_the_person_says_is_for_all_beside_it(cast: Cast, mine: Api, other: Api) -> None:
    keep(mine, MINE)
    tell(other, "Please remember that I prefer the 07:12 train 早班车 to Basel.")
    assert [one[0] for one in rows(cast)] == ["agent", "user"]
    assert len(listed(other)) == 1


def test_the_person_corrects_it_and_it_stays_private(
    cast: Cast, mine: Api, other: Api, person: Api
) -> None:
    kept = keep(mine, MINE)
    new = {"text": "Prefers the 08:12 train 早班车 to Basel."}
    body_of(person("PATCH", f"memories/{kept}", new, If_Match='"1"'))
    assert rows(cast) == [("agent", "active", 2)]
    assert texts(listed(mine)) == [new["text"]] and listed(other) == []


def test_a_correction_that_waits_stays_private(cast: Cast, mine: Api, other: Api) -> None:
    """What an agent brings against what the person's words founded asks the person, in its circle."""
    kept = keep(mine, MINE)
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=kept).update(trust=40)
    mine("PATCH", f"memories/{kept}", {"text": "Prefers no train 早班车 at all."}, If_Match='"1"')
    assert {one[0] for one in rows(cast)} == {"agent"} and len(rows(cast)) == 2
    assert listed(other, state="pending") == []
