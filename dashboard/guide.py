"""The help page: the guide for the person under ``docs/``, in the language the pages are shown in."""

from functools import cache

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

FILES = {"zh-hans": "your-memory.zh.md"}
ENGLISH = "your-memory.md"


@cache
def guide(language: str) -> SafeString:
    """Return the guide as HTML, in English where it is not written in ``language``."""
    path = settings.BASE_DIR / "docs" / FILES.get(language, ENGLISH)
    parser = MarkdownIt("commonmark", {"html": False})
    html = parser.render(path.read_text("utf-8"))
    return SafeString(mark_safe(html))  # noqa: S308 - a file of ours
