"""What a question asks for besides its topic."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.text import asking

AT = datetime(2026, 3, 18, 12, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize("text", [
    "What did we talk about on 27 April?", "4月27日我们聊了什么", "Yesterday, what did we discuss?", "昨天，我们讨论了什么？",
    "continue last week's one", "继续上周那个", "帮我接着上周的做", "What happened this morning", "上周发生了什么事",
    "列出我上个月做的事情", "recap of last month", "上次聊到哪了", "pick up where we left off", "周五有什么安排",
])  # fmt: skip
def test_a_question_about_a_time_alone_has_no_topic(text: str) -> None:
    assert asking.topic_of(text, AT) == ""


@pytest.mark.parametrize("text", [
    "What did I repair last week?", "我上周修了什么", "接着上次的报告写", "今天我要吃什么", "What did Teo say yesterday?",
    "昨天老王说了什么", "推荐早餐",
])  # fmt: skip
def test_a_question_about_something_has_one(text: str) -> None:
    assert asking.topic_of(text, AT) == text


@pytest.mark.parametrize("text", [
    "I fell yesterday, what helps against bruises?", "昨天我摔了一跤，膝盖疼怎么办", "My flight leaves on 3 June. Pack for me",
    "我们上周搬了家，帮我写封邮件",
])  # fmt: skip
def test_a_time_that_a_story_tells_of_is_not_asked_about(text: str) -> None:
    assert asking.asked_spans(text, AT) == ()


@pytest.mark.parametrize(("text", "expected"), [
    ("Where did I live before?", True), ("我以前住在哪里", True), ("我之前的公司叫什么", True), ("my old address", True),
    ("what was my previous job", True), ("I used to play what?", True), ("我原来的手机号", True),
    ("三天之前我说了什么", False), ("my last week", False), ("before 9 am", False), ("原来如此", False), ("我住在哪里", False),
    ("过去七天我修了什么", False), ("What is the old town of Bern?", False),
])  # fmt: skip
def test_the_past_is_asked_for_in_words(text: str, expected: bool) -> None:
    assert asking.asks_for_before(text) is expected


@pytest.mark.parametrize(("text", "expected"), [
    ("and the second one?", True), ("它支持导出 PDF 吗", True), ("那运费呢？", True), ("第一个有 PDF 版吗", True),
    ("Is there a PDF of the first one?", True), ("继续", True), ("Who pays postage?", True), ("谁出邮费？", True), ("推荐早餐", False),
    ("What is my dog called?", False), ("我会弹吉他吗", False),
])  # fmt: skip
def test_some_questions_lean_on_what_was_said_before(text: str, expected: bool) -> None:
    assert asking.leans(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我用的什么手机？另外，我舅妈在哪里上班？", ["我用的什么手机？", "另外，我舅妈在哪里上班？"]),
        ("Which phone do I use? And where does my aunt work?", ["Which phone do I use?", "And where does my aunt work?"]),
        ("Where does my aunt work?", []),
        ("在吗？我舅妈在哪里上班？", []),  # the first asks for nothing
        ("Tea? Coffee? Milk? Water?", []),  # a list
        ("Ann: which phone?\nAssistant: which aunt?\nAnn: none?", []),  # a conversation
    ],
)  # fmt: skip
def test_a_line_may_ask_several_things_at_once(text: str, expected: list[str]) -> None:
    assert list(asking.questions(text)) == expected
