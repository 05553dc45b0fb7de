"""Stories that every memory should get right, by name, in both languages."""

from typing import Any

import pytest

from tests.cast import Api
from tests.memory.wire import day, listed, open_session, outcomes, recall, tell, texts


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


def in_force(api: Api) -> list[dict[str, Any]]:
    return [one for one in listed(api, state="active") if one["valid_to"] is None]


@pytest.mark.parametrize(
    ("small", "pricing"),
    [
        ("今天天气真好，刚喝了杯咖啡。", "以后报价都先给含税价。"),
        (
            "The weather is lovely and I just had a coffee.",
            "From now on always quote prices with tax.",
        ),
    ],
)
def test_coffee_and_weather_are_skipped_and_a_pricing_preference_gains_weight(
    api: Api, small: str, pricing: str
) -> None:
    (skipped,) = outcomes(tell(api, said(small, 0)))
    assert skipped[0] == "refused" and listed(api) == []
    tell(api, said(pricing, 1))
    (before,) = listed(api)
    assert outcomes(tell(api, said(pricing, 9))) == [("reinforced", ["duplicate_exact"])]
    (after,) = listed(api)
    assert after["text"] == pricing
    assert after["importance"] > before["importance"] or after["importance"] == 1.0
    assert after["last_confirmed_at"] > before["last_confirmed_at"]


@pytest.mark.parametrize(
    ("window", "aisle"),
    [
        ("When I fly I always take a window seat.", "I prefer an aisle seat now."),
        ("我坐飞机喜欢靠窗的座位。", "我现在更喜欢靠过道的位置。"),
        ("I prefer window seats.", "我现在喜欢靠过道的座位。"),
    ],
)
def test_window_seat_becomes_aisle(api: Api, window: str, aisle: str) -> None:
    tell(api, said(window, 0))
    assert outcomes(tell(api, said(aisle, 30))) == [("superseded", ["new_value"])]
    assert texts(in_force(api)) == [aisle]


@pytest.mark.parametrize(
    ("beijing", "shanghai"),
    [
        ("I live in Beijing.", "I moved to Shanghai."),
        ("我住在北京。", "我搬到上海了。"),
        ("I live in Beijing.", "我搬到上海了。"),
    ],
)
def test_beijing_becomes_shanghai(api: Api, beijing: str, shanghai: str) -> None:
    tell(api, said(beijing, 0), said(shanghai, 30))
    assert texts(in_force(api)) == [shanghai]


@pytest.mark.parametrize("wish", ["以后叫我老王", "call me 老王"])
def test_call_me_laowang(api: Api, wish: str) -> None:
    tell(api, said(wish, 0))
    (one,) = recall(api, "帮我写封邮件 draft a mail")["profile"]
    assert (one["attribute"], one["text"]) == ("identity.form_of_address", wish)


CHATTER = {
    "en": [
        "ok", "thanks!", "Could you make the second paragraph shorter?", "What does this error mean?",
        "go on", "hmm, let me think", "Can you show me another example?", "that looks good",
        "I'm a bit tired today.", "Which of the two is faster?",
    ],
    "zh": [
        "好的", "谢谢", "第二段能短一点吗？", "这个报错是什么意思？", "继续", "嗯，我想想",
        "可以再举个例子吗？", "看起来不错", "我今天有点累。", "这两个哪个更快？",
    ],
}  # fmt: skip
POINTS = {
    "en": ["I'm a vegetarian.", "We decided to use Postgres for the ledger.",
           "From now on answer in bullet points.", "I moved to Lisbon last month."],
    "zh": ["我不吃香菜。", "我们决定账本用 Postgres。", "以后回答都用要点。", "我上个月搬到了苏州。"],
}  # fmt: skip


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_of_two_hundred_messages_about_two_percent_are_kept(api: Api, tongue: str) -> None:
    talk = [CHATTER[tongue][n % 10] for n in range(100)]
    for at, point in zip((12, 37, 61, 88), POINTS[tongue], strict=True):
        talk[at] = point
    session = open_session(api)
    for start in range(0, 100, 25):
        messages: list[dict[str, str]] = []
        for text in talk[start : start + 25]:
            reply = "Sure, here it is." if tongue == "en" else "好的，已经改好了，你看看。"
            messages += [
                {"role": "user", "content": text},
                {"role": "assistant", "content": reply},
            ]
        tell(api, *messages, session=session)
    assert sorted(texts(listed(api))) == sorted(POINTS[tongue])
