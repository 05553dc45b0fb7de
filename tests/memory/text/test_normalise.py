"""Cleaning, folding, telling the language and finding sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.normalise import clean, fold, language, sentences
from tests.memory.write.growth import grows_gently

ANY_TEXT = st.text(st.characters(), max_size=200)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Ｈｅｌｌｏ　ｗｏｒｌｄ", "Hello world"),
        ("我住在杭州，真的！", "我住在杭州，真的！"),
        ("pass\u200bword", "password"),
        ("abc\u202edef", "abcdef"),
        ("a\r\nb\u2028c", "a\nb\nc"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("  a \t b  ", "a b"),
        ("1２３", "123"),
        ("10² m", "10² m"),
        ("null\x00byte", "nullbyte"),
        ("\x1b[1;31m构建失败\x1b[0m in 3 s", "构建失败 in 3 s"),
        ("\x9b2Jbuild \x1b(Bok", "build ok"),
        ("\x1b]8;;http://a.b\x1b\\链接\x1b]8;;\x1b\\ and \x1b]0;title\x07text", "链接 and text"),
        ("an \x1b]unfinished title", "an unfinished title"),
        ("\U000e0061\U000e0062hidden", "hidden"),
    ],
)
def test_clean(raw: str, expected: str) -> None:
    assert clean(raw) == expected


def test_emoji_sequences_survive_and_a_joiner_between_letters_does_not() -> None:
    family = "👨\u200d👩\u200d👧"
    assert clean(f"我们 {family} ❤\ufe0f") == f"我们 {family} ❤\ufe0f"
    assert clean("ig\u200dnore") == "ignore"


def test_a_lone_surrogate_can_be_stored_afterwards() -> None:
    clean("bad \ud800 text").encode()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I love tea!", "i LOVE tea"),
        ("我喜欢 Python。", "我喜欢Python"),
        ("预算 1,200 元", "预算1200元"),
        ("Ｐｏｒｔ：８０８０", "port 8080"),
        ("don't", "dont"),
        ("好的！！", "好的"),
    ],
)
def test_same_words_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C++", "C"),
        ("v1.5", "v15"),
        ("-5 °C", "5 °C"),
        ("rooms 1 2", "rooms 12"),
        ("the rapist", "therapist"),
        ("I love 🍎", "I love 🍊"),
        ("10:30", "1030"),
    ],
)
def test_different_words_do_not(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我用Python写API", "zh"),
        ("用户 prefers Python for scripts", "en"),
        ("I live here.", "en"),
        ("下周要跟 Ms. Wen review 合同", "zh"),
        ("お茶が好きです", "ja"),
        ("👍 123", "und"),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert language(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我住在杭州。我喜欢茶！真的吗？", ["我住在杭州。", "我喜欢茶！", "真的吗？"]),
        ("I met Mr. Lu. It cost 3.5 euros.", ["I met Mr. Lu.", "It cost 3.5 euros."]),
        ("See example.com/a?b=1. Use v1.2.3 now", ["See example.com/a?b=1.", "Use v1.2.3 now"]),
        ("他说：“我不去。我讨厌茶。”然后走了。", ["他说：“我不去。我讨厌茶。”", "然后走了。"]),
        ("1. First\n2. Second", ["1. First", "2. Second"]),
        ("Well... maybe not. Ok", ["Well... maybe not.", "Ok"]),
        ("我在学Go；他在学 Rust", ["我在学Go；", "他在学 Rust"]),
        ("It was me. I did it.", ["It was me.", "I did it."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [s.text for s in sentences(text)] == expected


@given(ANY_TEXT)
def test_clean_is_idempotent(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(ANY_TEXT)
def test_fold_is_idempotent_and_ignores_cleaning(text: str) -> None:
    assert fold(clean(text)) == fold(text)


@given(st.text(st.sampled_from("我住在杭州。.!?？ \n“”\"' aIMr1"), max_size=80))
def test_every_sentence_stands_where_it_says(text: str) -> None:
    spans = sentences(text)
    assert all(text[s.start : s.end] == s.text and s.text.strip() == s.text for s in spans)
    assert "".join("".join(s.text for s in spans).split()) == "".join(text.split())


@pytest.mark.parametrize("piece", ["a", "“", '"', ". ", "我", " \n", "\u200d", "a.", "?!"])
def test_long_input_costs_no_more_than_its_length(piece: str) -> None:
    assert grows_gently(sentences, piece)
    assert grows_gently(clean, piece)
    assert grows_gently(fold, piece, size=20_000)
