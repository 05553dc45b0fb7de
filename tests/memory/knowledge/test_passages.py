"""Cutting a text: the passages tile it exactly, and follow its structure."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.knowledge.blocks import Reading
from memory.knowledge.markdown import read_markdown, read_text
from memory.knowledge.passages import Cut, passages
from memory.knowledge.web import read_html
from memory.policy import KNOWLEDGE
from memory.providers.tokens import count_tokens
from tests.memory.knowledge.files import HANDBOOK

PIECES = st.sampled_from(
    [
        "# 标题\n", "## Part\n", "正文一段。", "Some words here. ", "- item\n", "\n\n", "\n", "> q\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode\n```\n", "<!-- x -->", "<p>hi</p>", "***",
        "Setext\n===\n", "    indented\n", "🙂", "very" * 90, "长句" * 300, "- - -\n", "[a]: /b\n",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=400))


def check(reading: Reading) -> list[Cut]:
    """Fail unless the passages are what they must be, whatever the text."""
    cuts = passages(reading)
    assert "".join(reading.text[cut.start : cut.end] for cut in cuts) == reading.text
    edges = [cut.start for cut in cuts] + [len(reading.text)]
    assert edges == sorted(set(edges)) or not reading.text
    for cut in cuts:
        text = reading.text[cut.start : cut.end]
        assert text.strip() or len(cuts) == 1
        assert len(text.strip()) <= KNOWLEDGE.passage_characters
        assert count_tokens(text) <= KNOWLEDGE.passage_tokens
    return cuts


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_every_character_of_a_text_stands_in_one_passage(text: str) -> None:
    for read in (read_markdown, read_text, read_html):
        check(read(text))


@settings(max_examples=40, deadline=None)
@given(TEXTS)
def test_a_text_without_anything_hidden_is_kept_as_it_is(text: str) -> None:
    read = read_text(text)
    assert read_text(read.text).text == read.text
    check(read)


def sections(reading: Reading) -> list[tuple[str, ...]]:
    return [cut.section for cut in check(reading)]


def test_passages_follow_the_headings() -> None:
    reading = read_markdown(HANDBOOK)
    assert reading.title == "员工手册 Handbook"
    assert reading.text == HANDBOOK
    assert sections(reading) == [
        ("员工手册 Handbook",),
        ("员工手册 Handbook", "报销 Expenses"),
        ("员工手册 Handbook", "Leave", "Holidays"),
        ("员工手册 Handbook", "Leave", "病假"),
    ]


def test_a_heading_alone_goes_with_what_follows_it() -> None:
    reading = read_markdown("# One\n\n## Two\n\nWords.\n\n## Three\n")
    (cut,) = check(reading)
    assert cut.section == ("One", "Two")
    assert reading.text.startswith("# One\n\n## Two")


@pytest.mark.parametrize(
    "sentence", ["差旅报销须在三十天内提交。", "Hotel costs are paid up to 120 euros a night. "]
)
def test_long_sections_are_cut_between_sentences_into_even_pieces(sentence: str) -> None:
    reading = read_markdown("# A\n\n" + sentence * 100)
    cuts = check(reading)
    assert len(cuts) > 3
    for cut in cuts[1:]:
        assert reading.text[cut.start :].startswith(sentence.strip()[:5])
    sizes = [cut.end - cut.start for cut in cuts]
    assert min(sizes) > max(sizes) / 2


def test_long_tables_are_cut_between_rows() -> None:
    reading = read_markdown("| 名 | n |\n|---|---|\n" + "| 甲乙丙丁戊己庚辛 | 1234567 |\n" * 60)
    for cut in check(reading):
        assert reading.text[cut.start] == "|"


def test_front_matter_is_no_heading() -> None:
    reading = read_markdown('---\ntitle: "退货 policy"\ntags: x\n---\n# Returns\n\nWords.\n')
    assert reading.title == "退货 policy"
    assert sections(reading)[-1] == ("Returns",)
