"""Faults of the rules found in use, each with its whole kind, in both languages."""

import pytest

from tests.memory.write.test_rules import kept, say


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "I'm allergic to peanuts, so please keep that in mind for anything with food.",
            "I'm allergic to peanuts, so please keep that in mind for anything with food.",
        ),
        ("When I fly I always take a window seat.", "When I fly I always take a window seat."),
        ("坐飞机我一般选靠窗的位置。", "坐飞机我一般选靠窗的位置。"),
    ],
)
def test_words_around_a_memory_point_do_not_cost_it(said: str, text: str) -> None:
    assert [one.text for one in kept(say(said))] == [text]


@pytest.mark.parametrize("said", ["I used to live in Paris.", "我以前住在巴黎。"])
def test_what_was_once_is_no_current_value(said: str) -> None:
    assert [one.attribute for one in kept(say(said))] == [None]


@pytest.mark.parametrize("said", ["哈哈，我是火星人，别当真。", "I'm from Mars, just kidding."])
def test_a_joke_said_to_be_one_is_not_kept(said: str) -> None:
    assert kept(say(said)) == []
