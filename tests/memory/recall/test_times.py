"""Questions about a time: "what did we talk about on 27 April", 我上周修了什么, and the past on request."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.cast import Api, Cast
from tests.memory.wire import body_of, propose, recall, tell, texts


def ago(days: int) -> datetime:
    """Return noon of a day so long ago."""
    noon = timezone.now().astimezone(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    return noon - timedelta(days=days)


def say(api: Api, text: str, *, days: int) -> None:
    tell(api, {"role": "user", "content": text, "at": ago(days).isoformat()})


def found(api: Api, query: str, **options: Any) -> list[str]:
    return texts(recall(api, query, include_profile=False, **options)["memories"])


@pytest.mark.parametrize(
    "query", ["What did we talk about on {day} {month}?", "{n}月{day}日我们聊了什么？"]
)
def test_what_we_talked_about_on_a_day_is_what_was_said_then(api: Api, query: str) -> None:
    say(api, "I am allergic to shellfish.", days=41)
    say(api, "我在学尺八。", days=40)
    say(api, "My favourite painter is Hokusai.", days=40)
    say(api, "我养了一只猫叫豆包。", days=39)
    day = ago(40)
    asked = query.format(day=day.day, month=day.strftime("%B"), n=day.month)
    answer = recall(api, asked)
    assert set(texts(answer["memories"])) == {"我在学尺八。", "My favourite painter is Hokusai."}
    assert all(one["why"] == ["time"] for one in answer["memories"])
    quiet = asked.replace(f"on {day.day} ", "on 1 ").replace(f"{day.day}日", "1日")
    if day.day != 1:
        assert recall(api, quiet)["status"] == "nothing_relevant"


@pytest.mark.parametrize("query", ["What did I repair last month?", "我上个月修了什么 repair"])
def test_what_happened_in_another_month_is_left_out(api: Api, query: str) -> None:
    last_month = ago(0).replace(day=1) - timedelta(days=10)
    for text, occurred in (
        ("Repaired the roof 修屋顶 repair 修", last_month),
        ("Repaired the fence 修篱笆 repair 修", last_month - timedelta(days=60)),
        ("Repaired the kayak 修皮划艇 repair 修", ago(0)),
    ):
        propose(api, text, kind="episodic", occurred=occurred.isoformat())
    answer = recall(api, query)
    assert texts(answer["memories"]) == ["Repaired the roof 修屋顶 repair 修"]
    assert "time" in answer["memories"][0]["why"]


def test_what_holds_is_told_whenever_it_began(api: Api) -> None:
    say(api, "我对花生过敏。", days=400)
    assert "我对花生过敏。" in texts(recall(api, "我上周吃花生过敏了吗")["memories"])


def test_a_day_is_the_person_s_own(api: Api, cast: Cast) -> None:
    """Half past midnight in Shanghai is the day before in London."""
    cast.alice.time_zone = "Asia/Shanghai"
    cast.alice.save(update_fields=["time_zone"])
    morning = ago(5).replace(hour=16, minute=30)
    tell(api, {"role": "user", "content": "我在学尺八。", "at": morning.isoformat()})
    there = morning + timedelta(hours=8)
    assert found(api, f"{there.month}月{there.day}日我们聊了什么") == ["我在学尺八。"]
    assert found(api, f"{morning.month}月{morning.day}日我们聊了什么") == []


# --- the past on request ---------------------------------------------------------------------------


@pytest.fixture
def moved(api: Api) -> None:
    """Alice lived in Beijing, then in Shanghai."""
    say(api, "我住在北京。", days=50)
    say(api, "我搬到上海了。", days=10)


ASKED = "我住在哪里 北京 上海"


def test_the_past_comes_after_the_present_and_is_marked(api: Api, moved: None) -> None:
    assert found(api, ASKED) == ["我搬到上海了。"]
    items = recall(api, ASKED, include_history=True, include_profile=False)["memories"]
    assert [(one["text"], one["past"], one["version"]) for one in items] == [
        ("我搬到上海了。", False, 2),
        ("我住在北京。", True, 1),
    ]


@pytest.mark.parametrize(
    "query", ["我以前住在哪里 北京 上海", "Where did I use to live before? 北京 上海"]
)
def test_asking_how_it_was_before_asks_for_the_past(api: Api, moved: None, query: str) -> None:
    items = recall(api, query, include_profile=False)["memories"]
    assert [(one["text"], one["past"]) for one in items] == [
        ("我搬到上海了。", False),
        ("我住在北京。", True),
    ]


def test_what_has_ended_is_part_of_the_past(api: Api) -> None:
    ended = {"valid_from": ago(90).isoformat(), "valid_to": ago(30).isoformat()}
    propose(api, "Rents a locker 储物柜", **ended)
    assert found(api, "locker 储物柜") == []
    (item,) = recall(api, "locker 储物柜", include_history=True)["memories"]
    assert (item["text"], item["past"]) == ("Rents a locker 储物柜", True)


def test_what_a_correction_took_back_is_the_person_s_alone(api: Api, cast: Cast) -> None:
    memory = propose(api, "Plays the cello 大提琴")["id"]
    body_of(api("PATCH", f"memories/{memory}", {"text": "Plays the viola 中提琴"}, If_Match='"1"'))
    asked = "plays cello viola 大提琴 中提琴"
    assert found(api, asked, include_history=True) == ["Plays the viola 中提琴"]
    own = Api(cast.keys["alice"])
    assert found(own, asked, include_history=True) == [
        "Plays the viola 中提琴",
        "Plays the cello 大提琴",
    ]


# --- questions that lean on the conversation --------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "query", "expected"),
    [
        (["What do I drink? oolong"], "and the other one?", "Drinks oolong tea 乌龙茶"),
        (["帮我看看乌龙茶"], "它怎么样", "Drinks oolong tea 乌龙茶"),
    ],
)
def test_a_question_takes_along_what_it_leans_on(
    api: Api, turns: list[str], query: str, expected: str
) -> None:
    propose(api, "Drinks oolong tea 乌龙茶")
    propose(api, "Owns a kayak 皮划艇")
    said = [{"role": "user", "content": one} for one in turns]
    assert found(api, query) == []
    assert found(api, query, turns=said) == [expected]
    assert found(api, "What is a prime number? 质数", turns=said) == []


def test_the_task_is_part_of_the_question(api: Api) -> None:
    propose(api, "Drinks oolong tea 乌龙茶")
    assert found(api, "Which one? 哪一个") == []
    assert found(api, "Which one? 哪一个", task="Buy oolong tea 买乌龙茶") == [
        "Drinks oolong tea 乌龙茶"
    ]


def test_going_on_brings_the_latest(api: Api) -> None:
    for number in range(7):
        say(api, f"My favourite river number {number} is the Elbe-{number}.", days=30 - number)
    latest = found(api, "继续上次的", top_k=3)
    assert len(latest) == 3
