"""Reading Markdown and plain text: kept as written, less secrets and what no reader of the page sees."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memory.knowledge.blocks import Block, Reading, kept

# What a page does not show: comments, and what is there for programs.
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_FRONT = re.compile(r"---\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:(.+)$", re.MULTILINE | re.IGNORECASE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
# Nesting beyond this is no document's; the parser then reads it as text.
_NESTING = 20


def read_markdown(source: str) -> Reading:
    """Return a Markdown text with its headings and blocks (CommonMark with tables)."""
    text = _without_hidden(kept(source))
    front = _FRONT.match(text)
    head = front.end() if front else 0
    found = list(_top(text, head))
    blocks = _tiled(text, [(0, 0, "")] * bool(front) + found)
    titled = _FRONT_TITLE.search(front[0]) if front else None
    title = (
        titled[1].strip().strip("\"'")
        if titled
        else next((one[2] for one in found if one[1] == 1), "")
    )
    return Reading(text=text, blocks=blocks, title=title)


def read_text(source: str) -> Reading:
    """Return a plain text; its blocks are its paragraphs."""
    text = kept(source)
    starts = [0, *(gap.end() for gap in _PARAGRAPH.finditer(text))]
    return Reading(text=text, blocks=_tiled(text, [(start, 0, "") for start in starts]))


def _tiled(text: str, starts: Sequence[tuple[int, int, str]]) -> list[Block]:
    """Let every block reach to the next one, and the first one back to the beginning."""
    if not text:
        return []
    edges = [0, *(start for start, _, _ in starts[1:]), len(text)]
    heads = starts or [(0, 0, "")]
    return [
        Block(start=edges[n], end=edges[n + 1], level=level, title=title)
        for n, (_, level, title) in enumerate(heads)
        if edges[n] < edges[n + 1]
    ]


def _top(text: str, head: int) -> Iterator[tuple[int, int, str]]:
    """Where the outermost blocks begin, with the level and words of headings."""
    tokens = _parsed(text[head:])
    offsets = _line_starts(text[head:])
    for number, token in enumerate(tokens):
        if token.level == 0 and token.map is not None and token.nesting >= 0:
            start = head + offsets[token.map[0]]
            if token.type == "heading_open":
                yield start, int(token.tag[1]), _words(tokens[number + 1])
            else:
                yield start, 0, ""


def _words(inline: Token) -> str:
    """The words of a heading without its marks."""
    shown = (child.content for child in inline.children or () if child.type != "html_inline")
    return " ".join(" ".join(shown).split())


def _parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table").parse(text)


def _line_starts(text: str) -> list[int]:
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))]


def _without_hidden(text: str) -> str:
    """Take out comments, scripts and styles, but not those that stand in code."""
    if "<" not in text:
        return text
    offsets = _line_starts(text)
    spans: list[tuple[int, int]] = []
    for token in _parsed(text):
        if token.map is None or token.type not in ("html_block", "inline"):
            continue
        begin, end = offsets[token.map[0]], offsets[token.map[1]]
        shown = [child.content for child in token.children or () if child.type == "code_inline"]
        spans += [
            match.span()
            for match in _HIDDEN.finditer(text, begin, min(end, len(text)))
            if not any(match[0] in code for code in shown)
        ]
    shown_parts, at = [], 0
    for start, stop in sorted(spans):
        shown_parts.append(text[at:start])
        at = max(at, stop)
    return "".join([*shown_parts, text[at:]])
