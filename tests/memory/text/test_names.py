"""What looks like a name in a sentence, in either language."""

import pytest

from memory.text.names import latin_names, names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Our contact is Ilse Maartens.", ["Ilse", "Maartens"]),
        ("The site is Nordhavn-7, dock 14B.", ["Nordhavn-7", "14B"]),
        ("ORD-20418 is the order.", ["ORD-20418"]),
        ("I think I'm fine.", []),
        ("Nothing here.", []),
        ("联系人是王小明。", ["王小明"]),
        ("昨天，李经理来了。", ["李经理"]),
        ("PM 是李秋月，周四来。", ["李秋月"]),
        ("赵一鸣负责验收。", ["赵一鸣"]),
        ("读《三体》", ["三体"]),
        ("今天天气好。", []),
    ],
)
def test_names_of_both_languages(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_latin_names_know_no_chinese() -> None:
    assert latin_names("联系人是王小明，用 Slack。") == ["Slack"]
