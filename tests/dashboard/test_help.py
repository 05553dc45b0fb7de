"""The guide for the person: one page in both languages, which says what the screens say."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.architecture.source import ROOT
from tests.dashboard.test_translations import written

GUIDES = {"en": "your-memory.md", "zh-hans": "your-memory.zh.md"}
NAMED = re.compile(r"“([^”]+)”|\*\*([^*]+)\*\*")


def named(lang: str) -> list[str]:
    """What the guide quotes from the screens: names of pages, and words on buttons."""
    text = (ROOT / "docs" / GUIDES[lang]).read_text()
    return [(quoted or strong).replace("’", "'") for quoted, strong in NAMED.findall(text)]


@pytest.mark.parametrize("lang", GUIDES)
def test_it_is_read_without_signing_in(db: None, lang: str) -> None:
    visitor = Client(SERVER_NAME="localhost")
    visitor.cookies["django_language"] = lang
    answer = visitor.get(reverse("help"))
    shown = answer.content.decode()
    assert answer.status_code == 200 and shown.count("<h1") == 1
    titles = re.findall(r"^#+ (.*)$", (ROOT / "docs" / GUIDES[lang]).read_text(), re.MULTILINE)
    assert re.findall(r"<h[12]>(.*?)</h[12]>", shown) == titles
    assert f'href="{reverse("help")}"' in visitor.get("/accounts/login/").content.decode()


def test_both_say_the_same_in_the_same_order() -> None:
    """Each name of a screen stands in both guides, one the translation of the other."""
    translated = [written()[name] for name in named("en")]
    assert len(translated) >= 15
    assert translated == named("zh-hans")


def test_it_tells_the_four_verbs_apart() -> None:
    verbs = ["Pause", "Correct", "Forget", "Erase"]
    assert [name for name in named("en") if name in verbs] == verbs
