"""What a recall must bring back and what not, story by story, in both languages, with the shipped embedder."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.cast import Api
from tests.memory.wire import propose, recall, tell, texts

pytestmark = pytest.mark.usefixtures("shipped_embedder")


def ago(days: int) -> str:
    noon = timezone.now().astimezone(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    at: datetime = noon - timedelta(days=days)
    return at.isoformat()


def say(api: Api, text: str, *, days: int) -> None:
    tell(api, {"role": "user", "content": text, "at": ago(days)})


def found(api: Api, query: str, **options: Any) -> list[str]:
    return texts(recall(api, query, **options)["memories"])


PRICING = [
    (
        ["定价采用三档：9元、29元、99元。", "用户认为涨价会流失老客户，定价要谨慎。", "用户养了一只叫豆包的猫。",
         "每周五晚上去打羽毛球。", "办公室在三楼，靠近电梯。", "喜欢用深色主题。"],
        "帮我写一份定价方案",
    ),
    (
        ["Pricing has three tiers: $9, $29 and $99.", "Wants a cautious pricing strategy: raising prices could lose existing customers.",
         "Has a cat called Biscuit.", "Plays badminton on Friday evenings.", "The office is on the third floor.",
         "Prefers dark themes."],
        "Write a pricing plan for me",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("told", "query"), PRICING)
def test_a_pricing_query_takes_two_of_six(api: Api, told: list[str], query: str) -> None:
    for text in told:
        assert propose(api, text)["outcome"] == "accepted"
    assert set(found(api, query)) == set(told[:2])


@pytest.mark.parametrize(
    ("train", "query"),
    [
        ("G{n} 次列车 {h}:00 从北京开往上海", "从北京到上海的列车"),
        ("Train IC{n} leaves Berlin for Munich at {h}:00", "Trains from Berlin to Munich"),
    ],
)
def test_fifty_trains_are_cut_to_five(api: Api, person: Api, train: str, query: str) -> None:
    for number in range(50):
        text = train.format(n=100 + number, h=number % 24)
        propose(person, text, kind="episodic", occurred=ago(1))
    answer = recall(api, query, include_profile=False)
    assert len(answer["memories"]) == 5
    assert answer["held_back"]["over_top_k"] >= 40


@pytest.mark.parametrize(
    ("said", "query"),
    [("我对花生过敏。", "推荐早餐"), ("I'm allergic to peanuts.", "Suggest a breakfast")],
)
def test_allergy_and_breakfast(api: Api, said: str, query: str) -> None:
    tell(api, said)
    answer = recall(api, query, policy="inject")
    assert said in texts([*answer["memories"], *answer["profile"]])


REFUND = [
    ("我要退货，买的是一双跑鞋，七天内无理由退货。", "退货的运费由卖家承担。", "谁出邮费？"),
    ("I want to return the running shoes I bought.", "Return shipping is paid by the seller.", "And who pays postage?"),
]  # fmt: skip


@pytest.mark.parametrize(("turn", "fact", "query"), REFUND)
def test_refund_and_who_pays_postage(api: Api, turn: str, fact: str, query: str) -> None:
    propose(api, fact)
    propose(api, "Plays the oboe 双簧管")
    assert found(api, query, turns=[{"role": "user", "content": turn}]) == [fact]


FIRST = [
    ("帮我找两份报告：《新能源汽车市场报告》和《咖啡消费报告》", "《新能源汽车市场报告》有 PDF 版，在共享盘里。", "第一份有 PDF 吗？"),
    ("Find me two reports: the electric car market report and the coffee report",
     "The electric car market report is available as a PDF on the shared drive.", "Is there a PDF of the first one?"),
]  # fmt: skip


@pytest.mark.parametrize(("turn", "fact", "query"), FIRST)
def test_is_there_a_pdf_of_the_first_one(api: Api, turn: str, fact: str, query: str) -> None:
    propose(api, fact)
    propose(api, "Plays the oboe 双簧管")
    (first, *_) = found(api, query, turns=[{"role": "user", "content": turn}])
    assert first == fact


EMOJI = [
    ("以后回复别用 emoji。", "昨天和朋友聊 emoji 聊得很开心，发了很多表情。", "回复里能用 emoji 吗？"),
    ("Don't use emoji in your replies.", "Had a fun chat about emoji with friends yesterday.", "May replies use emoji?"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "chatter", "query"), EMOJI)
def test_a_lasting_instruction_beats_newer_chatter(
    api: Api, rule: str, chatter: str, query: str
) -> None:
    say(api, rule, days=92)
    for number in range(3):
        propose(api, f"{chatter} ({number})", kind="episodic", occurred=ago(number))
    answer = recall(api, query)
    assert answer["memories"][0]["text"] == rule
    other = recall(api, "帮我写周报 Write the weekly report")
    assert rule in texts([*other["memories"], *other["profile"]])


BUG = [
    ("登录页的验证码不显示，是一个 bug。", "登录页现在用短信验证码。", "登录页的验证码是什么样的？"),
    ("The captcha on the login page was broken, a bug.", "The login page uses an SMS code.",
     "How does the code on the login page work?"),
]  # fmt: skip


@pytest.mark.parametrize(("bug", "fact", "query"), BUG)
def test_last_week_s_bug_is_no_present_fact(api: Api, bug: str, fact: str, query: str) -> None:
    propose(api, bug, kind="episodic", subtype="event", occurred=ago(8))
    propose(api, fact)
    answer = recall(api, query)["memories"]
    assert answer[0]["text"] == fact
    for one in answer[1:]:  # it happened, with its day; nothing says that it is so
        assert one["kind"] == "episodic" and one["occurred"] is not None
        assert one["score"] < answer[0]["score"]


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("I teach pottery at the village hall.", "What does the user teach?"),
        ("我收集老式打字机。", "用户收集什么？"),
    ],
)
def test_an_agent_asks_about_the_user_as_the_person_would(
    person: Api, api: Api, said: str, query: str
) -> None:
    """A question that names the user in the third person used to lie below the gate."""
    propose(person, said)
    assert found(api, query) == [said]
