"""The operators' manual, ``docs/operate.md``, as a page: each alarm's paragraph of the runbook is an address."""

import re
from functools import cache
from itertools import pairwise

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

FILE = "docs/operate.md"


@cache
def manual() -> SafeString:
    """Return the manual as HTML. Headings have names to go to; links to other files lead nowhere."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse((settings.BASE_DIR / FILE).read_text("utf-8"))
    for opened, inside in pairwise(tokens):
        if opened.type == "heading_open":
            opened.attrSet("id", slug(inside.content))
        _only_here(inside.children or [])
    return SafeString(mark_safe(parser.renderer.render(tokens, parser.options, {})))  # noqa: S308 - a file of ours


def slug(heading: str) -> str:
    """Return the name by which a heading is gone to."""
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def _only_here(tokens: list[Token]) -> None:
    for token in tokens:
        if token.type == "link_open" and not str(token.attrGet("href")).startswith("#"):
            token.attrs.pop("href")
