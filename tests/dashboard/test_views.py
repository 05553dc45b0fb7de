"""Views of the list: narrowed by agent, day and use, in an order, as a table, kept and left as it was."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from accounts.principal import Principal
from memory.models import Memory, Version
from memory.policy import LOOK
from tests.cast import Cast, system_of
from tests.dashboard.conftest import PART, recalled
from tests.dashboard.test_memories import MEMORIES, rows

OLD, NEW = "I play the cello on Sundays", "我每天早上喝乌龙茶"


@pytest.fixture
def two(put: Callable[..., Memory], cast: Cast) -> tuple[Memory, Memory]:
    """One memory of a hundred days ago that was used yesterday, and one of now that never was."""
    now = timezone.now()
    old, new = put(OLD), put(NEW)
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=old.id).update(
            created_at=now - timedelta(days=100), last_recalled_at=now - timedelta(days=1)
        )
    return old, new


def text_of(client: Client, query: str = "", lang: str = "en") -> str:
    client.cookies["django_language"] = lang
    return html.unescape(re.sub(r"\s+", " ", client.get(MEMORIES + query).content.decode()))


def used(cast: Cast, memory: Memory, at: Any) -> None:
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=memory.id).update(last_recalled_at=at)


def test_it_is_narrowed_by_agent_day_and_use(
    alice: Client, cast: Cast, two: tuple[Memory, Memory]
) -> None:
    day = timezone.localdate() - timedelta(days=2)
    assert rows(alice.get(f"{MEMORIES}?from={day}")) == [NEW]
    assert rows(alice.get(f"{MEMORIES}?to={day}")) == [OLD]
    assert rows(alice.get(f"{MEMORIES}?when=recent")) == [NEW]
    assert rows(alice.get(f"{MEMORIES}?agent={cast.agents['assistant'].id}")) == [NEW, OLD]
    assert "assistant</option>" in text_of(alice) and "reader</option>" not in text_of(alice)
    assert rows(alice.get(f"{MEMORIES}?when=unused")) == []
    used(cast, two[0], timezone.now() - timedelta(days=95))
    assert rows(alice.get(f"{MEMORIES}?when=unused")) == [OLD]


def test_it_has_an_order(alice: Client, two: tuple[Memory, Memory]) -> None:
    assert rows(alice.get(f"{MEMORIES}?all")) == [NEW, OLD]
    assert rows(alice.get(f"{MEMORIES}?sort=oldest")) == [OLD, NEW]
    assert rows(alice.get(f"{MEMORIES}?sort=used")) == [OLD, NEW]


@pytest.mark.parametrize("sort", ["newest", "oldest", "used"])
def test_each_order_goes_on_where_it_stopped(
    alice: Client, two: tuple[Memory, Memory], monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    monkeypatch.setattr("dashboard.views.memories.LOOK", replace(LOOK, page=1))
    first = alice.get(f"{MEMORIES}?sort={sort}&view=table")
    link = re.search(r'href="([^"]*cursor=[^"]*)"', first.content.decode())
    assert link is not None and "Show 1 more" in html.unescape(
        re.sub(r"\s+", " ", first.content.decode())
    )
    second = alice.get(html.unescape(link[1]), headers=PART)
    assert {*rows(first), *rows(second)} == {OLD, NEW}
    assert second.content.decode().count("<tr") == 1 and "<table" not in second.content.decode()


def test_a_chip_takes_its_filter_away(alice: Client, two: tuple[Memory, Memory]) -> None:
    page = text_of(alice, "?state=active&when=recent&view=table")
    chips = re.findall(r'<a class="chip" href="([^"]*)"', page)
    assert chips == ["/memories/?when=recent&view=table", "/memories/?state=active&view=table"]
    page = text_of(alice, "?from=2026-01-05", lang="zh-hans")
    assert re.search(r'class="chip"[^>]*><span class="vh">去掉： </span>从(2026年)?1月5日起', page)


def test_the_list_is_as_it_was_left(alice: Client, two: tuple[Memory, Memory], cast: Cast) -> None:
    alice.get(f"{MEMORIES}?when=recent&view=table")
    page = text_of(alice)
    assert "narrowed as you left it:" in page and "<table" in page and OLD not in page
    assert Subject.objects.get(id=cast.alice.id).list_filters == "when=recent&view=table"
    page = text_of(alice, "?all")
    assert "narrowed as" not in page and OLD in page and "<table" not in page
    assert OLD in text_of(alice)
    alice.post(reverse("memories-search"), {"q": "cello", "state": "active"})
    assert Subject.objects.get(id=cast.alice.id).list_filters == "state=active"


def test_everybody_has_five_views_and_may_keep_their_own(
    alice: Client, two: tuple[Memory, Memory], cast: Cast
) -> None:
    tabs = re.compile(r'<nav class="tabs" aria-label="Views".*?</nav>')
    found = tabs.search(text_of(alice, "?state=paused"))
    assert found is not None and re.findall(r">([^<>]+)</a>", found[0]) == [
        "All", "Sensitive", "Unused for 90 days", "Recently learnt", "Paused",
    ]  # fmt: skip
    assert 'href="/memories/?state=paused" aria-current="true"' in found[0]
    assert "Keep as a view" not in text_of(alice, "?state=paused")
    own = f"kind=semantic&agent={cast.agents['assistant'].id}"
    assert "Keep as a view" in text_of(alice, f"?{own}&sort=oldest")
    kept = alice.post(reverse("view-keep"), {"query": f"{own}&sort=oldest&q=cello"}, follow=True)
    page = html.unescape(re.sub(r"\s+", " ", kept.content.decode()))
    assert "It stands beside the others from now on." in page
    assert f'href="/memories/?{own}" aria-current="true">Facts and preferences · assistant' in page
    assert Subject.objects.get(id=cast.alice.id).list_views == [own]
    assert "Remove this view" in page and "Keep as a view" not in page
    gone = alice.post(reverse("view-drop"), {"query": own}, follow=True).content.decode()
    assert "The view is gone." in gone and Subject.objects.get(id=cast.alice.id).list_views == []
    alice.post(reverse("view-keep"), {"query": "state=nonsense"})
    assert Subject.objects.get(id=cast.alice.id).list_views == []


def test_what_came_and_changed_since_the_last_visit(
    alice: Client, two: tuple[Memory, Memory], cast: Cast
) -> None:
    then = timezone.now() - timedelta(days=10)
    Subject.objects.filter(id=cast.alice.id).update(visited_at=then)
    assert rows(alice.get(f"{MEMORIES}?when=new")) == [NEW]
    assert rows(alice.get(f"{MEMORIES}?when=changed")) == []
    alice.post(
        reverse("memory-edit", args=[two[0].id]), {"text": "I play the viola", "version": "1"}
    )
    assert rows(alice.get(f"{MEMORIES}?when=changed")) == ["I play the viola"]
    with acting(system_of(cast.alice)):
        Version.objects.filter(memory=two[0], number=2).update(
            recorded_at=then - timedelta(hours=1)
        )
    assert rows(alice.get(f"{MEMORIES}?when=changed")) == []
    found = Subject.objects.get(id=cast.alice.id)
    assert found.visit_before == then and found.visited_at is not None


def test_an_empty_search_names_what_it_was_narrowed_to(alice: Client) -> None:
    said = alice.post(reverse("memories-search"), {"q": "Iceland", "state": "paused"})
    page = html.unescape(re.sub(r"\s+", " ", said.content.decode()))
    assert "No memory matches “Iceland” in Paused." in page


def test_a_month_leads_to_its_part_of_the_list(
    alice: Client, two: tuple[Memory, Memory], cast: Cast
) -> None:
    page = html.unescape(alice.get(reverse("months")).content.decode())
    links = re.findall(r'<td class="txt">\s*<a href="/memories/(\?[^"]+)"', page)
    assert [rows(alice.get(MEMORIES + one)) for one in links] == [[NEW], [OLD]]
    assert page.count('class="back-bar"') == 12, "a year at least"
    alice.cookies["django_language"] = "zh-hans"
    now = timezone.localtime()
    assert f"{now.year}年{now.month}月" in alice.get(reverse("months")).content.decode()


@pytest.mark.parametrize(
    ("lang", "heads", "total"),
    [
        ("en", (">Memories</th>", "before"), "2 memories"),
        ("zh-hans", (">记忆</th>", "之前"), "2条"),
    ],
)
def test_the_months_leave_nothing_out_that_is_older(
    alice: Client,
    two: tuple[Memory, Memory],
    cast: Cast,
    lang: str,
    heads: tuple[str, str],
    total: str,
) -> None:
    """What was learnt more than two years ago was neither counted nor said; a number was headed "when"."""
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=two[0].id).update(created_at=timezone.now() - timedelta(days=1200))
    alice.cookies["django_language"] = lang
    page = html.unescape(re.sub(r"\s+", " ", alice.get(reverse("months")).content.decode()))
    assert all(one in page for one in (*heads, total)) and "记住的时间" not in page
    links = re.findall(r'<td class="txt">\s*<a href="/memories/(\?[^"]+)"', page)
    assert [rows(alice.get(MEMORIES + one)) for one in links] == [[NEW], [OLD]]


def test_the_overview_says_what_changed_since_the_last_visit(
    alice: Client, two: tuple[Memory, Memory], cast: Cast
) -> None:
    def said() -> str:
        page = html.unescape(re.sub(r"\s+", " ", alice.get("/").content.decode()))
        found = re.search(r'<p class="since">(.*?)</p>', page)
        return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""

    assert said() == "", "there was no visit before this one"
    then = timezone.now() - timedelta(days=10)
    Subject.objects.filter(id=cast.alice.id).update(visited_at=then)
    assert "1 learnt" in said() and "changed" not in said()
    alice.post(reverse("memory-edit", args=[two[0].id]), {"text": "I play viola", "version": "1"})
    alice.post(reverse("memory-forget", args=[two[1].id]))
    assert said().endswith("1 changed 1 forgotten or erased")
    Subject.objects.filter(id=cast.alice.id).update(visit_before=timezone.now())
    assert said().endswith("nothing has changed")


def test_a_use_that_nobody_asked_for_is_a_use(
    alice: Client, agent: Principal, cast: Cast, put: Callable[..., Memory]
) -> None:
    """What comes along with every recall is no unused memory; noted once in a while."""
    put("I live in Hangzhou 杭州", attribute="home.city", value="Hangzhou")
    put("I keep bees at the allotment 养蜂")
    with acting(system_of(cast.alice)):
        Memory.objects.update(created_at=timezone.now() - timedelta(days=100))
    unused = "?when=unused"
    assert "Hangzhou" in text_of(alice, unused)
    assert any("Hangzhou" in one for one in recalled(agent, "Where do I keep my bees?"))
    assert "Hangzhou" not in text_of(alice, unused)
    page = text_of(alice, "?all")
    assert len(re.findall(r"\bused today", page)) == 2
    with acting(system_of(cast.alice)):
        first = Memory.objects.get(in_profile=True)
    recalled(agent, "Where do I keep my bees?")
    with acting(system_of(cast.alice)):
        again = Memory.objects.get(in_profile=True)
    assert (again.last_recalled_at, again.recall_count) == (first.last_recalled_at, 0)
