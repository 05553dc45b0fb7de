"""A small reader of templates: their tags in order, with what stands open around each text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from tests.architecture.source import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PAGES = [path for path in TEMPLATES if path.suffix == ".html"]
VOID = {
    "input",
    "meta",
    "link",
    "img",
    "br",
    "hr",
    "source",
    "wbr",
    "path",
    "rect",
    "circle",
    "line",
}
COMMENT = re.compile(r"\{#.*?#\}|\{% comment.*?endcomment %\}", re.DOTALL)
CONTROL = re.compile(r"\{%.*?%\}", re.DOTALL)
VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A tag (``text`` empty) or a text, with the attributes of what stands open around it."""

    line: int
    tag: str
    attributes: dict[str, str]
    text: str = ""
    around: tuple[dict[str, str], ...] = ()
    inside: str = ""


@dataclass(slots=True)
class _State:
    open: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.state = _State()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._note(tag, attributes)
        if tag not in VOID:
            self.state.open.append((tag, attributes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        names = [name for name, _ in self.state.open]
        if tag in names:
            del self.state.open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._note("", {}, data)

    def _note(self, tag: str, attributes: dict[str, str], text: str = "") -> None:
        around = tuple(attributes for _, attributes in self.state.open)
        inside = self.state.open[-1][0] if self.state.open else ""
        line = self.getpos()[0]
        self.state.seen.append(
            Seen(line=line, tag=tag, attributes=attributes, text=text, around=around, inside=inside)
        )


def read(source: str) -> list[Seen]:
    """Return the tags and texts of a template; control tags are cut out, values stay."""
    source = COMMENT.sub("", source)
    # Cut control tags with blanks, so that lines keep their numbers and quotes their pairs.
    source = CONTROL.sub(lambda match: " " + "\n" * match[0].count("\n"), source)
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return reader.state.seen


def forms(source: str) -> Iterator[str]:
    """Return each form of a template, from its tag to its end."""
    yield from re.findall(r"<form.*?</form>", COMMENT.sub("", source), re.DOTALL)


def buttons(source: str) -> Iterator[str]:
    """Return what stands inside each button and link that looks like one."""
    pattern = r"<(button|a)(?=[^>]*class=\"btn)[^>]*>(.*?)</\1>"
    for _, inner in re.findall(pattern, COMMENT.sub("", source), re.DOTALL):
        yield inner


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))
