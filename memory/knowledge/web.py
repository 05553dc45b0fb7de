"""Reading HTML: what a browser would show, as text with headings. Nothing in it is run or fetched."""

import re
from collections.abc import Iterator
from typing import Any

from justhtml import JustHTML

from memory.knowledge.blocks import Reading, Writer

# Not shown, or no words of the page: what programs read, and the way around the site.
_SKIPPED = frozenset(
    {
        "script", "style", "template", "noscript", "head", "iframe", "object", "embed", "svg",
        "math", "canvas", "audio", "video", "nav", "select", "datalist", "button", "input",
        "textarea", "dialog",
    }
)  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINES = frozenset({"li", "tr", "dt", "dd", "br"})
_BLOCKS = _LINES | frozenset(
    {
        "p", "div", "section", "article", "header", "footer", "main", "aside", "table", "thead",
        "tbody", "tfoot", "caption", "ul", "ol", "dl", "pre", "blockquote", "figure", "figcaption",
        "form", "fieldset", "legend", "details", "summary", "address", "hr", "body", "html",
    }
)  # fmt: skip
_UNSEEN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0*+(?:\.0++)?(?:;|\Z)"
    r"|font-size:0*+(?:\.0++)?[a-z%]*+(?:;|\Z)",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")


def read_html(source: str) -> Reading:
    """Return the text of a page."""
    root = JustHTML(source, sanitize=False).root
    page = _Page()
    for event, node in _walk(root):
        page.take(event, node)
    page.flush()
    found = root.query_one("title")
    title = _SPACE.sub(" ", str(found.to_text())).strip() if found is not None else ""
    return page.writer.reading(title)


def _walk(root: Any) -> Iterator[tuple[str, Any]]:
    """Every node a reader sees, on the way in and out; without recursion, however deep it lies."""
    waiting: list[tuple[str, Any]] = [("in", root)]
    while waiting:
        event, node = waiting.pop()
        if event == "in":
            if _is_unseen(node):
                continue
            waiting.append(("out", node))
            waiting += [("in", child) for child in reversed(getattr(node, "children", None) or ())]
        yield event, node


def _is_unseen(node: Any) -> bool:
    name = str(node.name)
    if name in _SKIPPED or name == "#comment":
        return True
    attrs = getattr(node, "attrs", None) or {}
    if "hidden" in attrs or str(attrs.get("aria-hidden")).lower() == "true":
        return True
    return bool(_UNSEEN.search("".join(str(attrs.get("style") or "").split())))


class _Page:
    """Gathers words into blocks; an element that begins or ends a block closes the one before."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.words: list[str] = []
        self.level = 0
        self.pre = 0
        self.cells = 0

    def take(self, event: str, node: Any) -> None:
        """Take in one step of the walk."""
        name = str(node.name)
        if name == "#text":
            self.words += [str(node.data or "")] if event == "in" else []
        elif name in _HEADINGS:
            self.flush()
            self.level = _HEADINGS[name] if event == "in" else 0
        elif name in ("td", "th"):
            self._cell(event)
        elif name in _BLOCKS:
            self._block(event, name)

    def _cell(self, event: str) -> None:
        if event == "in":
            self.words += [" | "] if self.cells else []
            self.cells += 1

    def _block(self, event: str, name: str) -> None:
        if self.level:  # a block inside a heading belongs to the heading
            self.words.append(" ")
            return
        if name == "br" and self.pre:
            self.words.append("\n" if event == "in" else "")
            return
        if not (self.cells and name not in ("tr", "table")):  # a cell stays one cell
            self.flush(end="\n" if name in _LINES else "\n\n")
        else:
            self.words.append(" ")
        self.pre += (name == "pre") * (1 if event == "in" else -1)
        if name == "tr":
            self.cells = 0
        elif name == "li" and event == "in":
            self.words.append("- ")

    def flush(self, *, end: str = "\n\n") -> None:
        """Close the block."""
        text = "".join(self.words)
        if not self.pre:
            text = _SPACE.sub(" ", text).strip()
        if text != "-":
            self.writer.add(text, level=self.level, end=end)
        self.words = []
