"""What is said now reaches every copy of what it makes untrue; lists gain and lose items."""

from typing import Any

import pytest

from tests.cast import Api
from tests.memory.wire import day, listed, outcomes, propose, tell, texts


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


def in_force(api: Api) -> list[dict[str, Any]]:
    """What holds now: neither waiting nor ended."""
    return [one for one in listed(api, state="active") if one["valid_to"] is None]


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (
            "I coach fencing, chess and swimming at the youth club.",
            "I have stopped coaching swimming.",
            "I coach fencing and chess at the youth club.",
        ),
        ("我会弹钢琴、吉他和尤克里里。", "我不再弹吉他了。", "我会弹钢琴和尤克里里。"),
    ],
)
def test_an_item_that_is_dropped_leaves_the_others(api: Api, old: str, new: str, left: str) -> None:
    tell(api, said(old, 0))
    tell(api, said(new, 60))
    assert left in texts(in_force(api)) and old not in texts(in_force(api))


@pytest.mark.parametrize(
    ("claims", "news", "holds"),
    [
        (
            ["Deploys go through the jump host kiwi.", "Runbook step 1: ssh to kiwi."],
            "kiwi was switched off yesterday.",
            "kiwi was switched off yesterday.",
        ),
        (
            ["生产网关是 gw-old。", "登录生产先连 gw-old，再跳到目标机。"],
            "gw-old 昨天下线了，我们的生产网关用 gw-new。",
            "gw-new",
        ),
    ],
)
def test_what_names_a_thing_that_is_gone_ends_in_every_copy(
    api: Api, claims: list[str], news: str, holds: str
) -> None:
    for claim in claims:
        propose(api, claim)
    tell(api, news)
    left = texts(in_force(api))
    assert not set(claims) & set(left) and any(holds in one for one in left)


@pytest.mark.parametrize(
    ("claims", "right"),
    [
        (
            ["The user's locker is number 88.", "Gym note: the locker number of the user is 88."],
            "The user's locker is number 93.",
        ),
        (["用户的工位在 3 楼 A12。", "快递送到工位 A12。"], "用户的工位在 3 楼 B07。"),
        (
            ["The team meets in room Lagoon.", "Team meeting room: Lagoon."],
            "The team meets in room Delta.",
        ),
    ],
)
def test_a_correction_reaches_every_copy_of_the_claim(
    api: Api, claims: list[str], right: str
) -> None:
    first, *_ = [propose(api, claim) for claim in claims]
    answer = api("PATCH", f"memories/{first['id']}", {"text": right}, If_Match='"1"')
    assert answer.status_code == 200, answer.content
    assert texts(in_force(api)) == [right]


def test_what_is_left_of_a_list_is_kept_once(api: Api) -> None:
    tell(api, said("I play chess and squash.", 0), said("I play chess.", 1))
    tell(api, said("I quit playing squash.", 60))
    left = texts(in_force(api))
    assert left.count("I play chess.") == 1 and "I play chess and squash." not in left


def test_a_thing_that_is_gone_in_one_place_is_not_gone_everywhere(api: Api) -> None:
    propose(api, "The orders service keeps sessions in Postgres.")
    tell(api, "Postgres was shut down in the staging environment.")
    assert "The orders service keeps sessions in Postgres." in texts(in_force(api))


@pytest.mark.parametrize(
    ("listed_first", "added", "dropped", "left"),
    [
        (
            "My shopping list: milk, eggs and flour.",
            "Add butter to my shopping list.",
            "Remove eggs from my shopping list.",
            ["Add butter to my shopping list.", "My shopping list: milk and flour."],
        ),
        (
            "购物清单：牛奶、鸡蛋、面粉。",
            "购物清单加上黄油。",
            "把鸡蛋从购物清单里去掉。",
            ["购物清单加上黄油。", "购物清单：牛奶、面粉。"],
        ),
    ],
)
def test_a_list_gains_and_loses_items(
    api: Api, listed_first: str, added: str, dropped: str, left: list[str]
) -> None:
    tell(api, said(listed_first, 0), said(added, 1), said(dropped, 2))
    assert sorted(texts(in_force(api))) == left
    refused = outcomes(tell(api, said(dropped, 3)))
    assert refused == [("refused", ["not_useful"])]


@pytest.mark.parametrize(
    ("written", "later"),
    [
        ("The user lives in Beijing.", "我搬到上海了。"),
        ("用户住在北京。", "I moved to Shanghai."),
        ("The user's favourite colour is blue.", "我现在最喜欢的颜色是绿色。"),
        ("User works at Kestrel Labs.", "I started at Heron Bank this month."),
    ],
)
def test_what_an_agent_wrote_in_the_third_person_gives_way_to_what_is_said_later(
    api: Api, written: str, later: str
) -> None:
    first = propose(api, written)
    assert first["outcome"] == "accepted"
    now = {"role": "user", "content": later}
    assert outcomes(tell(api, now)) == [("superseded", ["new_value"])]
    assert texts(in_force(api)) == [later]


@pytest.mark.parametrize(
    ("habits", "news", "left"),
    [
        (
            ["习惯早上六点起床跑步。", "我每周二晚上跑步。"],
            "我不再早上跑步了。",
            "我每周二晚上跑步。",
        ),
        (
            ["I run at six every morning.", "I run with a club every Tuesday evening."],
            "I no longer run in the mornings.",
            "I run with a club every Tuesday evening.",
        ),
        (["我会弹钢琴、吉他和尤克里里。"], "我不再早上弹吉他了。", "我会弹钢琴、吉他和尤克里里。"),
    ],
)
def test_a_habit_that_is_over_ends_at_its_time_of_day(
    api: Api, habits: list[str], news: str, left: str
) -> None:
    """The core of an older habit is enough to end it; before, it had to be said in as many words."""
    for habit in habits:
        propose(api, habit)
    tell(api, news)
    held = texts(in_force(api))
    assert left in held and not {*habits} - {left} & {*held}
    assert habits[0] == left or habits[0] not in held
