"""Activity: who did what; ids joined with the text kept now, and none after an erasure."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.choices import AuditCode
from accounts.models import AuditEvent
from accounts.principal import Principal
from dashboard import happened
from memory.models import Memory
from tests.cast import Api, Cast
from tests.dashboard.conftest import recalled
from tests.memory.wire import body_of, recall

TEXT = "I keep my bicycle in the red shed"


def text_of(client: Client, query: str = "") -> str:
    answer = client.get(reverse("activity") + query)
    assert answer.status_code == 200
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def test_every_code_has_its_words() -> None:
    assert set(happened.WHAT) == set(AuditCode)


def test_how_a_task_ended_is_no_word_about_a_memory(alice: Client, cast: Cast) -> None:
    api = Api(cast.keys["assistant"])
    recall_id = recall(api, "周报 weekly report")["recall_id"]
    body_of(api("POST", "feedback", {"recall_id": recall_id, "success": True}), 201)
    assert "told how a task ended" in text_of(alice)
    assert "said how a memory served" not in text_of(alice)


def test_it_names_who_and_what(alice: Client, put: Callable[..., Memory], agent: Principal) -> None:
    memory = put(TEXT)
    recalled(agent, "Where is my bicycle?")
    alice.post(reverse("memory-pause", args=[memory.id]))
    text = text_of(alice)
    assert "<strong hx-ignore>assistant</strong> <span>suggested a memory</span>" in text
    assert "recalled memories" in text and "paused a memory" in text and TEXT in text
    assert f'href="/memories/{memory.id}/"' in text


def test_an_erased_memory_leaves_no_text(alice: Client, put: Callable[..., Memory]) -> None:
    memory = put(TEXT)
    alice.post(reverse("memory-erase", args=[memory.id]))
    text = text_of(alice)
    assert "bicycle" not in text
    assert f"a memory that was erased <code>{str(memory.id)[:8]}</code>" in text


def test_it_is_narrowed(alice: Client, put: Callable[..., Memory]) -> None:
    memory = put(TEXT)
    alice.post(reverse("memory-pause", args=[memory.id]))
    mine = text_of(alice, "?who=person&what=changes")
    assert "paused a memory" in mine and "<span>suggested a memory" not in mine
    assert "No activity like this." in text_of(alice, "?what=erasures")
    assert "suggested a memory" in text_of(alice, "?who=nobody&what=x")  # unknown: no filter
    assert alice.get(reverse("activity") + "?cursor=x").status_code == 400


def test_it_goes_on_to_earlier_lines(alice: Client, put: Callable[..., Memory]) -> None:
    memory = put(TEXT)
    for _ in range(15):
        alice.post(reverse("memory-pause", args=[memory.id]))
        alice.post(reverse("memory-resume", args=[memory.id]))
    page = alice.get(reverse("activity") + "?who=person&what=changes").content.decode()
    assert "cursor" not in page and page.count('<li class="item one"') == 30
    for _ in range(15):
        alice.post(reverse("memory-pause", args=[memory.id]))
        alice.post(reverse("memory-resume", args=[memory.id]))
    page = alice.get(reverse("activity") + "?who=person&what=changes").content.decode()
    link = re.search(r'href="(/activity/\?[^"]*cursor[^"]*)"', page)
    assert link is not None
    rest = alice.get(html.unescape(link[1])).content.decode()
    assert rest.count('<li class="item one"') == 10


def test_what_happens_again_and_again_is_said_once(
    alice: Client, put: Callable[..., Memory]
) -> None:
    put(TEXT)
    for _ in range(3):
        alice.get(reverse("forgotten"))
    page = text_of(alice, "?who=person")
    # Two lines if the minute ended between.
    assert page.count("<span>listed memories</span>") in {1, 2}
    assert re.search(r'<span class="num"> [23] times </span>', page)


def test_a_persons_own_looks_hide_nothing_others_did(
    alice: Client, put: Callable[..., Memory], agent: Principal
) -> None:
    memory = put(TEXT)
    recalled(agent, "Where is my bicycle? 我的自行车在哪里？")
    for name in ("memories", "forgotten", "months", "sessions"):
        alice.get(reverse(name))
    alice.get(reverse("memory", args=[memory.id]))
    page = text_of(alice)
    assert page.count("looked at what is kept here") == 1 and "recalled memories" in page
    assert "listed memories" not in page and "opened a memory" not in page
    link = "?who=person&what=looks"
    assert link in page
    each = text_of(alice, link)
    assert "looked at what is kept here" not in each
    assert "listed memories" in each and "listed conversations" in each


def test_another_persons_is_not_there(
    bob: Client, alice: Client, put: Callable[..., Memory]
) -> None:
    put(TEXT)
    assert "bicycle" not in text_of(bob) and "suggested a memory" not in text_of(bob)


def test_it_is_narrowed_by_agent_and_day(
    alice: Client, put: Callable[..., Memory], cast: Cast
) -> None:
    put(TEXT)
    assistant, reader = cast.agents["assistant"].id, cast.agents["reader"].id
    assert "<span>suggested a memory" in text_of(alice, f"?agent={assistant}")
    assert "No activity like this." in text_of(alice, f"?agent={reader}")
    today = timezone.localdate()
    assert "<span>suggested a memory" in text_of(alice, f"?from={today}&to={today}")
    assert "No activity like this." in text_of(alice, f"?to={today - timedelta(days=1)}")
    assert "<span>suggested a memory" in text_of(alice, "?from=yesterday&agent=x&to=2026-02-30")


def test_it_is_taken_along_as_codes(alice: Client, put: Callable[..., Memory]) -> None:
    memory = put(TEXT)
    alice.post(reverse("memory-pause", args=[memory.id]))
    address = reverse("activity-export")
    found = json.loads(alice.get(address).getvalue())
    assert {"at", "code", "actor_kind", "object_id"} <= set(found[0])
    codes = {(one["code"], one["reason"], one["object_id"]) for one in found}
    assert ("memory.state_changed", "pause", str(memory.id)) in codes
    table = alice.get(f"{address}?format=csv&who=person&what=changes")
    lines = list(csv.DictReader(io.StringIO(table.getvalue().decode("utf-8-sig"))))
    assert [one["reason"] for one in lines] == ["pause"]
    assert "bicycle" not in str(found) + table.getvalue().decode()
    assert table["Content-Disposition"].endswith('.csv"')
    assert "exported the activity" in text_of(alice)


def test_no_cell_of_the_table_is_a_formula(alice: Client, cast: Cast) -> None:
    AuditEvent.objects.create(
        code=AuditCode.MEMORY_READ,
        tenant_id=cast.alice.tenant_id,
        subject_id=cast.alice.id,
        actor_kind="agent",
        actor_label="=HYPERLINK(1)",
    )
    table = alice.get(reverse("activity-export") + "?format=csv").getvalue().decode("utf-8-sig")
    assert ",'=HYPERLINK(1)," in table
