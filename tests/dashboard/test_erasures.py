"""The tracker and the receipt: plain words, every store, no content, nobody else's."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.principal import Principal
from dashboard import tracker
from memory.forget.drive import run
from memory.forget.erasers import ERASERS
from memory.forget.notices import acknowledge
from memory.forget.receipt import sign
from memory.models import Erasure, ErasureStep, Memory
from tests.dashboard.conftest import PART

TEXT = "I keep my bicycle in the red shed"


@pytest.fixture
def erasure(alice: Client, put: Callable[..., Memory]) -> Erasure:
    memory = put(TEXT)
    alice.post(reverse("memory-erase", args=[memory.id]))
    return Erasure.objects.get()


def page_of(client: Client, erasure: Erasure, **options: object) -> str:
    return client.get(reverse("erasure", args=[erasure.id]), **options).content.decode()  # type: ignore[arg-type]


def test_it_is_followed_to_the_receipt(alice: Client, erasure: Erasure) -> None:
    text = page_of(alice, erasure)
    assert "Being erased" in text and 'hx-trigger="every 5s"' in text
    assert "Erasure receipt" not in text
    assert page_of(alice, erasure, headers=PART).strip().startswith("<div")
    run(erasure.id)
    text = page_of(alice, erasure)
    assert "Erased here" in text and "hx-trigger" not in text
    assert "Backups holding it are destroyed by" in text and TEXT not in text


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "Erased, backups too"), ("zh-hans", "已清除，备份也已销毁")]
)
def test_it_never_says_that_it_reached_everywhere(
    alice: Client, erasure: Erasure, lang: str, said: str
) -> None:
    """Agents' own notes and files that were exported are out of its reach."""
    run(erasure.id)
    Erasure.objects.update(state="completed")
    alice.cookies["django_language"] = lang
    for page in (page_of(alice, erasure), alice.get(reverse("erasures")).content.decode()):
        assert said in page and "everywhere" not in page and "已全部清除" not in page


def test_the_receipt_is_signed_and_holds_no_content(alice: Client, erasure: Erasure) -> None:
    run(erasure.id)
    answer = alice.get(reverse("erasure-receipt", args=[erasure.id]))
    assert answer["Content-Type"] == "application/json" and answer["Cache-Control"] == "no-store"
    assert f"receipt-{erasure.id}.json" in answer["Content-Disposition"]
    body = json.loads(answer.content)
    signature = body.pop("signature")
    assert sign(body) == signature
    assert "bicycle" not in answer.content.decode()


def test_a_failing_store_is_said(alice: Client, erasure: Erasure) -> None:
    ErasureStep.objects.filter(store="vectors").update(state="failed")
    Erasure.objects.update(state="needs_attention")
    text = page_of(alice, erasure)
    assert "Partly done" in text and "did not answer, trying again" in text
    assert "hidden from every agent" in text


def test_the_list_shows_it(alice: Client, bob: Client, erasure: Erasure) -> None:
    assert str(erasure.id) in alice.get("/erasures/").content.decode()
    assert "No erasures yet." in bob.get("/erasures/").content.decode()


def test_another_persons_is_not_there(bob: Client, erasure: Erasure) -> None:
    for name in ("erasure", "erasure-receipt"):
        assert bob.get(reverse(name, args=[erasure.id])).status_code == 404


def test_every_store_has_its_place_in_the_tracker() -> None:
    shown = [store for _words, stores in tracker.GROUPS.values() for store in stores]
    assert sorted(shown) == sorted(eraser.store for eraser in ERASERS)


@pytest.mark.parametrize(
    ("lang", "waits", "said"),
    [
        ("en", "has not said yet that its copy is gone", "says that it erased its copy on"),
        ("zh-hans", "尚未表示副本已清除", "表示已于"),
    ],
)
def test_the_word_of_each_agent_about_its_copy_is_shown(
    alice: Client, erasure: Erasure, agent: Principal, lang: str, waits: str, said: str
) -> None:
    alice.cookies["django_language"] = lang
    text = page_of(alice, erasure)
    assert waits in text and said not in text
    acknowledge(agent, erasure.id)
    text = page_of(alice, erasure)
    assert said in text and "assistant" in text
