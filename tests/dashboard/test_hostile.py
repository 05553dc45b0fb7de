"""Hostile words in every text the pages show stay text: 200 payloads, no element or attribute of their own."""

from __future__ import annotations

import itertools
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from accounts.models import Agent
from memory.models import Session
from tests.cast import Cast, operator, system_of
from tests.crowd import crowd
from tests.dashboard.test_counts import longest
from tests.dashboard.test_pages import LISTS

ATTACKS = (
    "<script>{0}()</script>",
    "<img src=x onerror={0}()>",
    "<svg onload={0}()>",
    "<a href='javascript:{0}()'>{0}</a>",
    "<iframe srcdoc='<script>{0}()</script>'></iframe>",
    "<style>@import '//{0}'</style>",
    "<input autofocus onfocus={0}()>",
    "<details open ontoggle={0}()>",
    "<b hx-get='/admin/{0}' hx-trigger=load>{0}</b>",
    "<math><mi xlink:href='javascript:{0}()'>{0}</mi></math>",
    "<base href=//{0}/>",
    "<meta http-equiv=refresh content='0;url=//{0}'>",
    "<form action=//{0}><button>{0}</button></form>",
    "<object data='data:text/html,{0}'></object>",
    "<link rel=stylesheet href=//{0}>",
    "{{{{ {0} }}}}{{% include '{0}' %}}",
    "${{{0}}}",
    "&lt;script&gt;{0}()&lt;/script&gt;",
    "＜script＞{0}()＜/script＞",
    "\u202e<{0}>\u202c\u200b",
)
BREAKS = ("{}", '">{}', "'>{}", "</title>{}", "</textarea>{}", "</option></select>{}", "-->{}",
          "]]>{}", '" onmouseover="x()" {}', "你好{}再见")  # fmt: skip
PAYLOADS = [
    around.replace("{}", attack.format(f"xss{number:03}"))
    for number, (attack, around) in enumerate(itertools.product(ATTACKS, BREAKS))
]
PLACES = {"value", "aria-label"}  # attributes in which words may stand


class Hostile:
    """Stands for the text of everything that is put in by the hundred."""

    def format(self, place: Any) -> str:
        return PAYLOADS[(place if isinstance(place, int) else hash(place)) % len(PAYLOADS)]


class Reader(HTMLParser):
    """Notes what a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or "xss" in name:
                self.faults.append(f"<{tag} {name}>")
            if "xss" in (value or "") and name not in PLACES:
                self.faults.append(f"<{tag} {name}={value}>")
        if tag in {"iframe", "object", "base", "style", "math"} or "xss" in tag:
            self.faults.append(f"<{tag}>")
        if tag == "script" and not dict(attrs).get("src"):
            self.faults.append("<script>")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(answer: Any, where: str) -> set[int]:
    """Return the numbers of the payloads whose words a page shows; nothing else of them is in it."""
    assert answer.status_code == 200, where
    reader = Reader()
    reader.feed(answer.content.decode())
    assert reader.faults == [], where
    text = "".join(reader.words)
    return {number for number in range(len(PAYLOADS)) if f"xss{number:03}" in text}


@pytest.fixture
def memory(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> str:
    """A crowd of hostile texts around one memory; agents and conversations have hostile names, too."""
    from dataclasses import replace

    from memory.policy import LOOK

    monkeypatch.setattr("tests.crowd.TEXT", Hostile())
    monkeypatch.setattr("dashboard.views.memories.LOOK", replace(LOOK, page=len(PAYLOADS)))
    found = crowd(cast.alice, len(PAYLOADS))
    with acting(operator(cast.acme)):
        for place, agent in enumerate(Agent.objects.filter(name__startswith="agent ")):
            Agent.objects.filter(id=agent.id).update(name=PAYLOADS[place % len(PAYLOADS)])
    with acting(system_of(cast.alice)):
        for place, session in enumerate(Session.objects.all()):
            Session.objects.filter(id=session.id).update(
                external_id=PAYLOADS[place % len(PAYLOADS)]
            )
    return found


def test_payloads_are_text_on_every_page(alice: Client, cast: Cast, memory: str) -> None:
    assert len(set(PAYLOADS)) == 200
    seen = read(alice.get("/memories/?state=active"), "list")
    assert len(seen) >= 199, "one memory was reworded"
    assert read(alice.get("/memories/?state=active&view=table"), "table") == seen
    session = longest(cast.alice)
    addresses = [reverse(name) for name in LISTS]
    addresses += [
        reverse(name, args=[memory])
        for name in ("memory", "memory-edit", "memory-forget", "memory-erase")
    ]
    addresses += [reverse(name, args=[session]) for name in ("session", "session-erase")]
    shown = {address: read(alice.get(address), address) for address in addresses}
    assert sum(map(len, shown.values())) > 500
    for payload in PAYLOADS[:: len(BREAKS) + 1]:
        read(alice.post("/memories/search/", {"q": payload}), payload)
    read(alice.post(reverse("bulk"), {"act": "pause", "ids": [memory]}), "bulk")


def test_the_reader_sees_what_is_no_text() -> None:
    reader = Reader()
    for payload in PAYLOADS:
        reader.feed(f"<p>{payload}</p>")
        reader.reset()
    assert len(reader.faults) > 100
