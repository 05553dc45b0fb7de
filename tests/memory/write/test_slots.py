"""The slots: each is read from the sentences the documentation shows, in both languages."""

from datetime import UTC, datetime

import pytest

from memory.choices import Role
from memory.write.attributes import CATALOGUE, FAMILIES, known_attribute, same_value
from memory.write.candidate import Candidate, Turn
from memory.write.rules import extract
from tests.architecture.source import rows

AT = datetime(2026, 3, 18, 12, tzinfo=UTC)


def read(text: str) -> list[Candidate]:
    found = extract(Turn(role=Role.USER, text=text, at=AT), at=AT)
    return [one for one in found if isinstance(one, Candidate)]


def examples() -> list[tuple[str, str]]:
    """The sentences by which the documentation shows what fills each slot."""
    return [
        (cells[0].strip("`"), text)
        for cells in rows("docs/concepts.md", "Attributes")
        for text in cells[3:5]
    ]


@pytest.mark.parametrize(("attribute", "text"), examples())
def test_every_example_of_the_documentation_fills_its_slot(attribute: str, text: str) -> None:
    [only] = read(text)
    assert only.attribute is not None
    if attribute.endswith(".*"):
        attribute = only.attribute.partition(".")[0] + ".*"
    else:
        assert only.attribute == attribute
    assert only.attribute.startswith(attribute.removesuffix("*"))


FAVOURITES = [
    ("Oolong is the tea I like best.", "I prefer oolong over any other tea."),
    ("My favourite tea is oolong.", "If you order tea, oolong please, it's my favourite."),
    ("我最喜欢的水果是山竹。", "比起别的水果我更喜欢山竹。"),
    ("My favourite colour is blue.", "我最喜欢的颜色是蓝色。"),
]


@pytest.mark.parametrize(("one", "other"), FAVOURITES)
def test_a_favourite_is_one_slot_in_any_words(one: str, other: str) -> None:
    [first], [second] = read(one), read(other)
    assert first.attribute is not None and first.attribute == second.attribute
    assert same_value(first.attribute, first.value or "", second.value or "")


@pytest.mark.parametrize(
    "text",
    [
        "I don't have a dog any more.", "我已经不养猫了。", "我对芒果不过敏了。",
        "I'm no longer allergic to cats.", "I have stopped coaching swimming.",
    ],
)  # fmt: skip
def test_what_has_ended_fills_no_slot(text: str) -> None:
    [only] = read(text)
    assert (only.attribute, only.kind) == (None, "semantic")


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("I've been vegan since January.", "diet.preference", "vegan"),
        ("I've been allergic to cashews since January.", "diet.allergy", "cashews"),
        ("I've lived in Porto since January.", "home.city", "Porto"),
        ("I've been learning Dutch since January.", "skills", "Dutch"),
        ("从今年一月起我在青柠科技上班。", "work.employer", "青柠科技"),
    ],
)
def test_what_has_been_so_since_then_is_so(said: str, slot: str, value: str) -> None:
    [only] = read(said)
    assert (only.attribute, only.value, only.text) == (slot, value, said)
    assert only.valid_from is not None and (only.valid_from.month, only.valid_from.day) == (1, 1)


def test_catalogue_values() -> None:
    assert same_value("home.city", "上海市", "上海") and not same_value("home.city", "上海", "苏州")
    assert same_value("instruction.language", "中文", "Chinese")
    assert same_value("travel.seat", "靠窗", "window") and not same_value(
        "travel.seat", "aisle", "靠窗"
    )
    assert known_attribute("own.locker") is FAMILIES["own"] and known_attribute("own") is None
    assert CATALOGUE["diet.allergy"].pinned and not CATALOGUE["diet.allergy"].single
