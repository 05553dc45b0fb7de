"""Lists: newest first, in pages that hold still while others write."""

import base64
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.acting import acting
from memory.models import Memory
from tests.cast import Api, Cast, agent_key, make_agent, make_grant, system_of
from tests.memory.wire import body_of, listed, problem, propose, tell, texts


def page(api: Api, limit: int, cursor: str | None = None, **more: Any) -> dict[str, Any]:
    asked = {"user_id": "alice", "limit": limit} | more | ({"cursor": cursor} if cursor else {})
    return body_of(api("GET", "memories?" + "&".join(f"{k}={v}" for k, v in asked.items())))


def walk(api: Api, limit: int) -> list[str]:
    found: list[str] = []
    cursor: str | None = None
    while True:
        one = page(api, limit, cursor)
        assert len(one["memories"]) <= limit
        found += texts(one["memories"])
        cursor = one["next"]
        if cursor is None:
            return found


def fill(api: Api, count: int) -> list[str]:
    said = [f"Read book number {number} 读书" for number in range(count)]
    for text in said:
        propose(api, text)
    return said[::-1]


@pytest.mark.parametrize("limit", [1, 3, 7, 8])
def test_the_pages_together_are_everything_once_newest_first(api: Api, limit: int) -> None:
    said = fill(api, 7)
    assert walk(api, limit) == said


def test_equal_times_are_walked_once_each(api: Api, cast: Cast) -> None:
    said = fill(api, 6)
    with acting(system_of(cast.alice)):
        Memory.objects.update(created_at=timezone.now())
    assert sorted(walk(api, 2)) == sorted(said)


def test_pages_hold_still_while_others_write_and_erase(api: Api) -> None:
    said = fill(api, 6)
    first = page(api, 2)
    propose(api, "Written meanwhile 期间写入")
    body_of(api("DELETE", f"memories/{first['memories'][1]['id']}"))  # the cursor's own row
    second = page(api, 2, first["next"])
    third = page(api, 2, second["next"])
    assert [texts(one["memories"]) for one in (first, second, third)] == [
        said[:2],
        said[2:4],
        said[4:],
    ]
    assert third["next"] is None


def test_a_cursor_of_one_person_shows_nothing_of_another(api: Api, cast: Cast) -> None:
    fill(api, 3)
    cursor = page(api, 1)["next"]
    make_grant(cast.agents["assistant"], cast.bob)
    assert page(api, 1, cursor, user_id="bob")["memories"] == []


def crafted(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "甲",
        "====",
        crafted("yesterday|" + str(uuid.UUID(int=7))),
        crafted("2026-03-01T09:00:00|" + str(uuid.UUID(int=7))),
        crafted("2026-03-01T09:00:00+00:00|" + "9" * 60),
        crafted("2026-03-01T09:00:00+00:00|"),
        crafted("0001-01-01T00:00:00+14:00|x"),
    ],
)
def test_a_cursor_nobody_gave_is_400(api: Api, cursor: str) -> None:
    fill(api, 2)
    problem(api("GET", f"memories?user_id=alice&cursor={cursor}"), 400, "invalid_input")


def test_special_ones_are_left_out_of_agents_lists_and_in_the_person_s(cast: Cast) -> None:
    own = Api(cast.keys["alice"])
    tell(Api(cast.keys["assistant"]), "我对花生过敏。", "我有糖尿病。", "我住在苏州。")
    assert texts(listed(own)) == ["我住在苏州。", "我有糖尿病。", "我对花生过敏。"]
    cleared = make_agent(cast.acme, "cleared")
    make_grant(cleared, cast.alice, clearance=40)
    for agent in (Api(cast.keys["assistant"]), Api(agent_key(cleared))):
        assert texts(listed(agent)) == ["我住在苏州。"]


@pytest.mark.parametrize(("state", "shown"), [("pending", True), ("paused", True), ("archived", True),
                                              ("forgotten", False)])  # fmt: skip
def test_what_was_forgotten_is_not_listed_and_what_waits_is(
    api: Api, cast: Cast, state: str, shown: bool
) -> None:
    propose(api, "Owns a kayak 皮划艇")
    undo = {"undo_until": timezone.now(), "previous_state": "active"} if not shown else {}
    with acting(system_of(cast.alice)):
        Memory.objects.update(state=state, **undo)
    for caller in ("assistant", "alice"):
        assert [one["state"] for one in listed(Api(cast.keys[caller]))] == [state] * shown


def test_a_longer_list_takes_no_more_queries(api: Api) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page(api, 50)
        return len(captured)

    fill(api, 3)
    few = queries()
    fill(api, 30)
    assert queries() == few
