"""The list: filters, pages, search; what is sensitive is withheld."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.choices import Sensitivity
from memory.index.store import TERM_KEY
from memory.index.terms import digests, terms
from memory.models import Memory, RecallLog, Term, Version
from memory.policy import LOOK
from memory.vault import open_vault
from tests.cast import Cast, system_of
from tests.crowd import _memories
from tests.dashboard.conftest import PART

MEMORIES, SEARCH = "/memories/", "/memories/search/"


def rows(answer: object) -> list[str]:
    """The texts of the rows, in order."""
    content = answer.content.decode()  # type: ignore[attr-defined]
    found = re.findall(r'<p class="txt".*?<a href="[^"]*">(.*?)</a>', content, re.DOTALL)
    return [one.strip() for one in found]


def test_newest_first_and_filtered(alice: Client, put: Callable[..., Memory]) -> None:
    put("I play the cello on Sundays")
    paused = put("I drink oolong tea every morning")
    alice.post(reverse("memory-pause", args=[paused.id]))
    assert rows(alice.get(MEMORIES)) == [
        "I drink oolong tea every morning",
        "I play the cello on Sundays",
    ]
    assert rows(alice.get(f"{MEMORIES}?state=paused")) == ["I drink oolong tea every morning"]
    assert rows(alice.get(f"{MEMORIES}?basis=imported")) == []
    assert "No memory has all of these." in alice.get(f"{MEMORIES}?level=30").content.decode()
    assert len(rows(alice.get(f"{MEMORIES}?state=nonsense&kind=%00&from=9&agent=x&sort=x"))) == 2


def test_a_search_goes_by_post_and_leaves_no_trace_of_its_words(
    alice: Client, put: Callable[..., Memory]
) -> None:
    put("I play the cello on Sundays")
    put("我住在杭州的西湖边")
    answer = alice.post(SEARCH, {"q": "cello"})
    assert answer.status_code == 200 and rows(answer) == ["I play the cello on Sundays"]
    assert "1 memory found." in answer.content.decode()
    assert rows(alice.post(SEARCH, {"q": "西湖"})) == ["我住在杭州的西湖边"]
    assert not re.search(r'(?:href|action|hx-\w+)="[^"]*cello', answer.content.decode())
    part = alice.post(SEARCH, {"q": "cello"}, headers=PART)
    assert "HX-Push-Url" not in part
    assert RecallLog.objects.count() == 0, "the person's own search is no use of a memory"


@pytest.mark.parametrize(
    ("lang", "asked", "says", "all_", "more"),
    [
        ("en", "box", "61 memories found.", "All 61 found", "Show 11 more"),
        ("zh-hans", "阁楼", "找到61条记忆。", "找到的全部61条", "再显示11条"),
    ],
)
def test_all_that_was_found_is_all_that_matches(
    alice: Client, cast: Cast, lang: str, asked: str, says: str, all_: str, more: str
) -> None:
    """A search ended at fifty, and "All 50 found" forgot fifty of more."""
    _many_with(cast, asked, 61)
    alice.cookies["django_language"] = lang
    answer = alice.post(SEARCH, {"q": asked})
    text = re.sub(r"\s+", " ", answer.content.decode())
    assert says in text and all_ in text and more in text and len(rows(answer)) == LOOK.page
    shown = re.search(r'name="shown"\s+value="(\d+)"', text)
    assert shown is not None
    assert len(rows(alice.post(SEARCH, {"q": asked, "shown": shown[1]}))) == 61
    assert len(rows(alice.post(SEARCH, {"q": asked, "shown": "-x"}))) == LOOK.page
    mark = re.search(r'name="all"\s+value="([^"]+)"', text)
    assert mark is not None
    alice.cookies["django_language"] = "en"
    page = alice.post(reverse("bulk"), {"act": "forget", "all": mark[1]}).content.decode()
    assert "Forget 61 memories?" in page


def _many_with(cast: Cast, word: str, number: int) -> None:
    """Put memories in that the index knows by ``word`` alone."""
    owner = {"tenant_id": cast.alice.tenant_id, "subject_id": cast.alice.id}
    with acting(system_of(cast.alice)):
        made = _memories(cast.alice, owner, number, "active")
        key = open_vault(system_of(cast.alice)).derived(TERM_KEY)
        (digest,) = digests(terms(word), key)
        found = Version.objects.filter(memory_id__in=made)
        found.update(term_count=1)
        Term.objects.bulk_create(
            Term(memory_id=one.memory_id, version=one, digest=digest, frequency=1, **owner)
            for one in found
        )


def test_a_search_knows_its_filters_and_its_emptiness(
    alice: Client, put: Callable[..., Memory]
) -> None:
    put("I play the cello on Sundays")
    assert rows(alice.post(SEARCH, {"q": "cello", "state": "paused"})) == []
    text = alice.post(SEARCH, {"q": "<i>zebra</i>"}).content.decode()
    assert "No memory matches “&lt;i&gt;zebra&lt;/i&gt;”." in text


def test_without_words_a_search_is_the_plain_list(
    alice: Client, put: Callable[..., Memory]
) -> None:
    put("I play the cello on Sundays")
    answer = alice.post(SEARCH, {"q": " ", "state": "active"})
    assert answer["Location"] == "/memories/?state=active"
    part = alice.post(SEARCH, {"q": "", "state": "active"}, headers=PART)
    assert part["HX-Push-Url"] == "/memories/?state=active"
    assert rows(part) == ["I play the cello on Sundays"]
    assert alice.get(SEARCH)["Location"] == "/memories/?all"


def test_htmx_gets_the_part_and_browsers_the_page(
    alice: Client, put: Callable[..., Memory]
) -> None:
    put("I play the cello on Sundays")
    whole, part = alice.get(MEMORIES), alice.get(MEMORIES, headers=PART)
    full = alice.get(MEMORIES, headers={"HX-Request": "true", "HX-Request-Type": "full"})
    assert "<html" in whole.content.decode() and "<html" in full.content.decode()
    assert "<html" not in part.content.decode() and 'id="results"' in part.content.decode()
    assert "HX-Request-Type" in whole["Vary"]


def test_pages_hold_still(
    alice: Client, put: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.views.memories.LOOK", replace(LOOK, page=10))
    for number in range(12):
        put(f"I keep box number {number:03} in the attic")
    first = alice.get(MEMORIES)
    more = re.search(r'href="([^"]*cursor=[^"]*)"', first.content.decode())
    assert more is not None and len(rows(first)) == 10
    assert "12 memories" in first.content.decode() and "Show 2 more" in first.content.decode()
    put("I keep one more box in the cellar")
    address = more[1].replace("&amp;", "&")
    second = alice.get(address)
    assert len(rows(second)) == 2 and not set(rows(first)) & set(rows(second))
    assert "Back to the beginning" in second.content.decode()
    part = alice.get(address, headers=PART).content.decode()
    assert part.count('<li class="item"') == 2 and "<ul" not in part
    assert alice.get(f"{MEMORIES}?cursor=forged").status_code == 400


def test_the_sensitive_is_withheld_until_it_is_asked_for(
    alice: Client, put: Callable[..., Memory]
) -> None:
    text = "I am allergic to penicillin"
    memory = put(text, sensitivity=Sensitivity.SPECIAL)
    for address in (MEMORIES, "/"):
        page = alice.get(address).content.decode()
        assert "penicillin" not in page and "Sensitive memory" in page
    assert "penicillin" not in alice.post(SEARCH, {"q": "penicillin"}).content.decode().replace(
        'value="penicillin"', ""
    )
    before = AuditEvent.objects.filter(code="memory.read").count()
    shown = alice.post(reverse("memory-show", args=[memory.id]), headers=PART)
    assert rows(shown) == [text]
    assert AuditEvent.objects.filter(code="memory.read").count() == before + 1
    assert alice.post(reverse("memory-show", args=[memory.id]))["Location"] == reverse(
        "memory", args=[memory.id]
    )
