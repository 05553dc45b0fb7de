"""Forget, undo, erase: what is said before, what agents can do after, and what stays refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from accounts.principal import Principal
from memory.forget.expire import end_undo_windows
from memory.models import Memory, Suppression
from tests.cast import Cast, system_of
from tests.dashboard.conftest import PART, recalled

TEXT, QUESTION = "I keep my bicycle in the red shed", "Is my bicycle in the red shed?"


@pytest.fixture
def memory(put: Callable[..., Memory]) -> Memory:
    return put(TEXT)


def go(
    client: Client, name: str, memory: Memory, data: dict[str, str] | None = None, **more: object
) -> str:
    answer = client.post(reverse(name, args=[memory.id]), data or {}, follow=True, **more)  # type: ignore[arg-type]
    return answer.content.decode()


def test_forgetting_is_at_once_and_undone_at_once(
    alice: Client, agent: Principal, memory: Memory
) -> None:
    text = go(alice, "memory-forget", memory, {"when": "undo"})
    assert "Forgotten. No agent can use it now. You can undo until " in text and TEXT in text
    assert TEXT not in recalled(agent, QUESTION)
    assert TEXT not in alice.get("/memories/").content.decode()
    text = go(alice, "memory-undo", memory)
    assert "It is back. Agents can use it as before." in text
    assert TEXT in recalled(agent, QUESTION)


def test_the_question_says_what_goes_and_what_stays(alice: Client, memory: Memory) -> None:
    text = alice.get(reverse("memory-forget", args=[memory.id])).content.decode()
    for line in ("What is erased with it", "What stays", "1 wording, with its key"):
        assert line in text
    assert (
        "until " in text and "Don&#x27;t learn this again" in text
    ) or "Don't learn this again" in text


def test_with_htmx_the_row_becomes_the_undo_line_and_back(alice: Client, memory: Memory) -> None:
    line = go(alice, "memory-forget", memory, headers=PART)
    assert '<li class="gone"' in line and "data-say=" in line and "data-focus" in line
    assert TEXT not in line
    row = go(alice, "memory-undo", memory, headers=PART)
    assert TEXT in row and '<li class="item"' in row


def test_not_learnt_again_until_undone(
    alice: Client, cast: Cast, memory: Memory, client_for: Callable[..., Callable[..., object]]
) -> None:
    api = client_for(cast.keys["assistant"])

    def proposed() -> object:
        answer = api("POST", "memories", {"user_id": "alice", "text": TEXT})
        return answer.json()["reasons"]  # type: ignore[attr-defined]

    go(alice, "memory-forget", memory, {"never_again": "1"})
    assert proposed() == ["suppressed"]
    go(alice, "memory-undo", memory)
    assert proposed() != ["suppressed"]
    with acting(system_of(cast.alice)):
        assert not Suppression.objects.filter(lifted_at__isnull=True).exists()


def test_one_value_is_not_learnt_again_by_its_attribute(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    city = put("I live in Hangzhou", attribute="home.city", value="Hangzhou")
    go(alice, "memory-forget", city, {"never_again": "1"})
    with acting(system_of(cast.alice)):
        bases = set(Suppression.objects.values_list("basis", flat=True))
    assert bases == {"wording", "attribute"}


@pytest.mark.parametrize(("lang", "words"), [("en", "Erase"), ("zh-hans", "清除")])
def test_each_way_to_forget_has_the_button_that_says_it(
    alice: Client, memory: Memory, lang: str, words: str
) -> None:
    """ "Erase right away" was sent by a button that said "Forget"."""
    alice.cookies["django_language"] = lang
    page = alice.get(reverse("memory-forget", args=[memory.id])).content.decode()
    now = page.partition('class="btn danger solid" id="forget-now"')[2].partition("</button>")[0]
    assert now.split()[-1] == words
    assert 'class="btn danger" id="forget-then"' in page


def test_erasing_right_away_has_no_undo(alice: Client, agent: Principal, memory: Memory) -> None:
    text = go(alice, "memory-forget", memory, {"when": "now"})
    assert "Erasing has begun." in text and "Hidden from every agent" in text
    assert TEXT not in recalled(agent, QUESTION)
    assert alice.get(reverse("memory", args=[memory.id])).status_code == 404
    answer = alice.post(reverse("memory-undo", args=[memory.id]))
    assert answer.status_code == 410
    assert "Too late to undo: its text was erased at" in answer.content.decode()
    assert "Show the receipt" in answer.content.decode()


def test_what_was_forgotten_can_be_erased_before_its_time(alice: Client, memory: Memory) -> None:
    go(alice, "memory-forget", memory)
    page = alice.get(reverse("memory-erase", args=[memory.id])).content.decode()
    assert "Erase this memory now?" in page and TEXT in page
    assert "Erasing has begun." in go(alice, "memory-erase", memory)
    assert "Nothing forgotten recently." in alice.get("/forgotten/").content.decode()


def test_when_the_window_is_over_undo_says_so(alice: Client, cast: Cast, memory: Memory) -> None:
    go(alice, "memory-forget", memory)
    with acting(system_of(cast.alice)):
        past = timezone.now() - timedelta(seconds=1)
        Memory.objects.filter(id=memory.id).update(undo_until=past)
    answer = alice.post(reverse("memory-undo", args=[memory.id]))
    assert answer.status_code == 409
    assert "Too late to undo: the time is over" in answer.content.decode()
    end_undo_windows(system_of(cast.alice))
    assert alice.post(reverse("memory-undo", args=[memory.id])).status_code == 410


def test_undo_that_finds_its_place_taken_says_so(
    alice: Client, memory: Memory, put: Callable[..., Memory]
) -> None:
    go(alice, "memory-forget", memory)
    put(TEXT)
    answer = alice.post(reverse("memory-undo", args=[memory.id]))
    assert answer.status_code == 409
    assert "Another memory has taken its place." in answer.content.decode()


@pytest.mark.parametrize(
    ("lang", "over"),
    [("en", "Too late to undo"), ("zh-hans", "来不及撤销了")],
)
def test_undo_is_offered_only_while_it_works(
    alice: Client, cast: Cast, memory: Memory, lang: str, over: str
) -> None:
    alice.cookies["django_language"] = lang
    line = alice.post(reverse("memory-forget", args=[memory.id]), headers=PART).content.decode()
    undo = reverse("memory-undo", args=[memory.id])
    assert f'action="{undo}"' in line and re.search(r"load delay:60[01]s", line)
    assert alice.get(undo, headers=PART).status_code == 204, "there is nothing to say yet"
    pages = [reverse("forgotten"), reverse("memory", args=[memory.id])]
    assert all(f'action="{undo}"' in alice.get(page).content.decode() for page in pages)
    with acting(system_of(cast.alice)):
        past = timezone.now() - timedelta(seconds=1)
        Memory.objects.filter(id=memory.id).update(undo_until=past)
    assert all(undo not in alice.get(page).content.decode() for page in pages)
    said = alice.get(undo, headers=PART).content.decode()
    assert over in said and "<form" not in said and "data-focus" not in said
    end_undo_windows(system_of(cast.alice))
    said = alice.get(undo, headers=PART).content.decode()
    assert over in said and reverse("erasures") in said and "<form" not in said


def test_without_an_undo_window_nothing_is_offered(
    alice: Client, cast: Cast, memory: Memory
) -> None:
    Subject.objects.filter(id=cast.alice.id).update(undo_minutes=0)
    assert (
        "Forget, without undo"
        in alice.get(reverse("memory-forget", args=[memory.id])).content.decode()
    )
    line = alice.post(reverse("memory-forget", args=[memory.id]), headers=PART).content.decode()
    assert "its erasure begins" in line and "<form" not in line


def test_an_undo_window_of_days_says_the_day(alice: Client, cast: Cast, memory: Memory) -> None:
    Subject.objects.filter(id=cast.alice.id).update(undo_minutes=7 * 24 * 60)
    until = timezone.now() + timedelta(days=7)
    assert f"You can undo until {until.day} {until:%b}" in go(alice, "memory-forget", memory)
