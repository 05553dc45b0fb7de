"""Which stretch of time a question speaks of, in the person's zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.spans import spans, without

# A Wednesday, before dawn in Shanghai: in UTC it is still the day before.
AT = datetime(2026, 3, 18, 0, 30, tzinfo=ZoneInfo("Asia/Shanghai"))

TABLE = """
What did I repair last week? | 2026-03-09 2026-03-16
我上周修了什么？ | 2026-03-09 2026-03-16
What did I repair in the past seven days? | 2026-03-11 2026-03-19
过去七天我修了什么 | 2026-03-11 2026-03-19
最近一周都干了什么 | 2026-03-11 2026-03-19
the last 3 months | 2025-12-18 2026-03-19
最近半年 | 2025-09-18 2026-03-19
What did we talk about on 27 April? | 2025-04-27 2025-04-28
What did we talk about on April 27th, 2024? | 2024-04-27 2024-04-28
4月27日我们聊了什么 | 2025-04-27 2025-04-28
2025年4月27号我们聊了什么 | 2025-04-27 2025-04-28
四月二十七号说了什么 | 2025-04-27 2025-04-28
4 月 27 日聊了什么 | 2025-04-27 2025-04-28
上周三我说了什么 | 2026-03-11 2026-03-12
what did I say last Friday | 2026-03-13 2026-03-14
What did I do in March? | 2026-03-01 2026-04-01
what did I plan for May 2025 | 2025-05-01 2025-06-01
去年三月我在哪里 | 2025-03-01 2025-04-01
三月份的账单 | 2026-03-01 2026-04-01
今年三月初 | 2026-03-01 2026-03-11
12月底 | 2025-12-21 2026-01-01
early February | 2026-02-01 2026-02-11
this week | 2026-03-16 2026-03-23
这周的安排 | 2026-03-16 2026-03-23
今年 | 2026-01-01 2027-01-01
what happened between 3 March and 10 March | 2026-03-03 2026-03-11
from November to February | 2025-11-01 2026-03-01
从去年三月到去年五月我去了哪里 | 2025-03-01 2025-06-01
since January what have I bought | 2026-01-01 -
自从去年以来 | 2025-01-01 -
before March 2025 | - 2025-03-01
last summer | 2025-06-01 2025-09-01
去年夏天去了哪 | 2025-06-01 2025-09-01
Q3 2025 | 2025-07-01 2025-10-01
上季度的目标 | 2025-10-01 2026-01-01
last weekend | 2026-03-14 2026-03-16
上周末去哪了 | 2026-03-14 2026-03-16
in 2023 | 2023-01-01 2024-01-01
2023年我在哪里 | 2023-01-01 2024-01-01
yesterday | 2026-03-17 2026-03-18
前天 | 2026-03-16 2026-03-17
three weeks ago | 2026-02-23 2026-03-02
两个月前 | 2026-01-01 2026-02-01
下个月 | 2026-04-01 2026-05-01
when will we meet in May? | 2026-05-01 2026-06-01 ahead
what did I do on Friday? | 2026-03-13 2026-03-14
周五我做了什么 | 2026-03-13 2026-03-14
"""
NONE = ["I may go there", "I paid 2023 euros", "port 8080", "三个月大的小猫", "第一个月", "周末一般干什么",
        "三号线怎么走", "the 2nd floor", "推荐早餐", "on 31 February 2025", ""]  # fmt: skip


def days(text: str) -> list[str]:
    return [
        f"{one.begin.date() if one.begin else '-'} {one.end.date() if one.end else '-'}"
        for one in spans(text, AT)
    ]


@pytest.mark.parametrize("line", TABLE.strip().split("\n"))
def test_a_time_is_read_from_the_person_s_own_day(line: str) -> None:
    text, expected = line.split(" | ")
    assert days(text) == [expected.removesuffix(" ahead")]


@pytest.mark.parametrize("text", NONE)
def test_what_names_no_time_has_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what do I have on Friday?", ["2026-03-13 2026-03-14", "2026-03-20 2026-03-21"]),
        ("周五有什么安排", ["2026-03-13 2026-03-14", "2026-03-20 2026-03-21"]),
        ("When is my flight on June 3rd?", ["2025-06-03 2025-06-04", "2026-06-03 2026-06-04"]),
        ("6月3日的航班几点", ["2025-06-03 2025-06-04", "2026-06-03 2026-06-04"]),
    ],
)
def test_without_year_and_tense_it_is_the_last_or_the_coming_one(
    text: str, expected: list[str]
) -> None:
    assert days(text) == expected


def test_the_words_of_the_time_can_be_taken_out() -> None:
    text = "what did we talk about on 27 April?"
    assert without(text, spans(text, AT)).split() == [
        "what",
        "did",
        "we",
        "talk",
        "about",
        "on",
        "?",
    ]


@given(
    text=st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "last",
                "next",
                "week",
                "month",
                "year",
                "3",
                "31",
                "February",
                "April",
                "上",
                "周",
                "月",
                "31",
                "日",
                "去年",
                "之前",
                "since",
                "between",
                "and",
                "到",
                "从",
                "Q4",
                "the",
                "th",
            ]
        ),
        max_size=8,
    ).map(" ".join),
    at=st.datetimes(datetime(1000, 1, 1), datetime(9000, 1, 1)),
)
def test_no_text_and_no_moment_breaks_it(text: str, at: datetime) -> None:
    for one in spans(text, at.replace(tzinfo=ZoneInfo("Asia/Shanghai"))):
        assert one.begin is None or one.end is None or one.begin < one.end
