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


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("我是程序员", "work.role"),
        ("我是老师。", "work.role"),
        ("我是素食者", "diet.preference"),
        ("我是江苏人", "identity.origin"),
        ("我是左撇子", None),
        ("我是高管", None),
        ("I'm German.", None),
        ("I am Brazilian", None),
        ("I'm Vegan.", "diet.preference"),
        ("我是王芳", "identity.name"),
        ("我是欧阳娜。", "identity.name"),
        ("我是小王", "identity.name"),
        ("I'm Julian.", "identity.name"),
        ("I am Anna.", "identity.name"),
    ],
)
def test_what_somebody_is_is_not_taken_for_a_name(said: str, attribute: str | None) -> None:
    assert [one.attribute for one in kept(say(said)) if one.attribute] == (
        [attribute] if attribute else []
    )


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("我对花生过敏，推荐早餐吧。", "我对花生过敏"),
        ("我在华为工作，麻烦写一份自我介绍", "我在华为工作"),
        ("I'm allergic to peanuts, suggest a breakfast.", "I'm allergic to peanuts"),
        ("I'm vegetarian, so find me a place to eat.", "I'm vegetarian"),
        ("My name is Anna and can you book me a table?", "My name is Anna"),
        ("I'm vegetarian so what can I cook?", "I'm vegetarian"),
        ("我不吃香菜，点菜的时候注意", "我不吃香菜，点菜的时候注意"),
    ],
)
def test_a_fact_told_with_a_request_is_kept_without_the_request(said: str, text: str) -> None:
    assert [one.text for one in kept(say(said))] == [text]
