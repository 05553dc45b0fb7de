"""What the person said in a conversation that comes as one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.dialogue import said_by_person


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ann: I need a hotel.\nAssistant: Where to?\n\nAnn: To Rome.",
            "I need a hotel.\nTo Rome.",
        ),
        ("小李：我想订酒店。\n助手：去哪里？\n小李：去罗马。", "我想订酒店。\n去罗马。"),
        ("User: 下周去成都\nAI: Noted.\nUser: and book a table", "下周去成都\nand book a table"),
        ("Ann: I need a hotel.\nA quiet one.\nAssistant: Fine.\nNo bar.", "I need a hotel.\nA quiet one."),
    ],
)  # fmt: skip
def test_the_persons_lines_are_left_without_their_labels(text: str, expected: str) -> None:
    assert said_by_person(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Where do I live?",
        "我住在哪里？",
        "Remember: the door code: ask Bob",  # no assistant speaks
        "Ann: hello\nBob: hello",
        "Assistant: hello\nAssistant: anybody there?",  # nor a person here
        "What did we say?\nAnn: a hotel\nAssistant: where?",  # who asks is not named
        "",
    ],
)
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert said_by_person(text) == text


@given(text=st.text(max_size=300))
def test_any_text_can_be_asked(text: str) -> None:
    assert said_by_person(text) == text or len(said_by_person(text)) < len(text)
