"""What has changed comes back as it is now; as it was only to whoever asks for that."""

from typing import Any

import pytest

from tests.cast import Api, Cast
from tests.memory.wire import body_of, day, propose, recall, tell, texts

SEATS = [
    ("我喜欢靠窗的座位 seat", "我现在喜欢靠过道的座位，不要靠窗了 seat", "座位 seat"),
    (
        "Prefers window seats 座位",
        "Prefers aisle seats now, no longer window seats 座位",
        "座位 seats",
    ),
]


def said(text: str, at: int) -> dict[str, Any]:
    return {"role": "user", "content": text, "at": day(at)}


def handed(api: Api, query: str, **options: Any) -> list[tuple[str, bool]]:
    answer = recall(api, query, **options)
    return [(one["text"], one["past"]) for one in (*answer["memories"], *answer["profile"])]


@pytest.mark.parametrize(("before", "after", "query"), SEATS)
def test_window_seat_then_aisle(api: Api, before: str, after: str, query: str) -> None:
    for text in (before, after):
        assert propose(api, text)["outcome"] in ("accepted", "superseded")
    answer = recall(api, query)
    assert texts(answer["memories"]) == [after]
    assert handed(api, query, include_history=True) == [(after, False), (before, True)]


@pytest.mark.parametrize(
    ("told", "query"),
    [
        (["记住，我喝拿铁。", "我改喝美式了。", "我又改回喝拿铁了。"], "喝拿铁 喝美式"),
        (
            ["Remember that our standup is on Tuesdays.", "Our standup moved to Thursdays.",
             "Our standup is back on Tuesdays."],
            "standup",
        ),
    ],
)  # fmt: skip
def test_there_and_back_again_leaves_the_last(api: Api, told: list[str], query: str) -> None:
    for number, text in enumerate(told):
        tell(api, said(text, number * 10))
    current = [text for text, past in handed(api, query) if not past]
    assert len(current) == 1 and told[-1].endswith(current[0])


def test_as_of_then_the_earlier_one_holds(api: Api) -> None:
    tell(api, said("记住，我的健身教练是阿强 coach", 0), said("我的健身教练换成大鹏了 coach", 10))
    (before,) = handed(api, "健身教练 coach", as_of=day(5))
    assert "阿强" in before[0]
    ((now, _),) = handed(api, "健身教练 coach")
    assert "大鹏" in now


@pytest.mark.parametrize(
    ("told", "query"),
    [(["我吃素。", "我不再吃素了。"], "推荐早餐"), (["I'm vegetarian.", "I'm not vegetarian any more."], "breakfast")],
)  # fmt: skip
def test_what_ended_leaves_the_profile(api: Api, told: list[str], query: str) -> None:
    tell(api, said(told[0], 0))
    assert handed(api, query) == [(told[0], False)]
    tell(api, said(told[1], 10))
    asked = f"{query} 素 vegetarian"
    assert (told[0], False) not in handed(api, asked)


def test_a_guess_retires_nothing_the_person_said(api: Api) -> None:
    tell(api, said("记住，我的健身教练是阿强 coach", 0))
    propose(api, "用户的健身教练换成大鹏了 coach")
    found = [text for text, _ in handed(api, "健身教练 coach")]
    assert any("阿强" in text for text in found)


def test_one_more_retires_nothing(api: Api) -> None:
    tell(api, said("记住，我喜欢乌龙茶 tea", 0), said("我现在也喜欢普洱茶 tea", 10))
    assert len(handed(api, "tea 茶")) == 2


def test_an_explanation_says_that_a_newer_one_holds(api: Api, person: Api, cast: Cast) -> None:
    for text in SEATS[0][:2]:
        propose(api, text)
    body = {"user_id": "alice", "query": SEATS[0][2]}
    found = body_of(person("POST", "recall/explain", body))
    fates = {one["text"]: one["fate"] for one in found["candidates"]}
    assert fates == {SEATS[0][0]: "superseded", SEATS[0][1]: "taken"}
