"""Everything held about the person: each store, why, until when, who read it and who was told what."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent
from accounts.principal import Principal
from dashboard.holding import GROUPS
from memory.errors import Forbidden
from memory.forget.erasers import ERASERS
from memory.models import Memory
from memory.transfer.report import report, told
from tests.cast import Cast
from tests.dashboard.conftest import PASSWORD, recalled

TEXT, ZH = "I keep my bicycle in the red shed", "我喜欢喝龙井茶"


@pytest.fixture
def sure(alice: Client) -> Client:
    """Alice, who has said her password once more."""
    alice.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return alice


def test_every_store_of_a_person_is_in_one_group() -> None:
    shown = [store for group in GROUPS.values() for store in group.stores]
    assert len(shown) == len(set(shown))
    assert set(shown) == {eraser.store for eraser in ERASERS}


def test_it_is_shown_after_the_password_only(alice: Client, put: Callable[..., Memory]) -> None:
    put(TEXT)
    for address in (reverse("report"), reverse("report-file", args=["json"])):
        assert alice.get(address)["Location"].startswith(reverse("account_reauthenticate"))
    assert not AuditEvent.objects.filter(code="data.exported").exists()


def test_it_says_where_why_and_who_read_it(
    sure: Client, put: Callable[..., Memory], agent: Principal, cast: Cast
) -> None:
    put(TEXT), put(ZH)
    assert recalled(agent, "Where is my bicycle?")
    shown = sure.get(reverse("report")).content.decode()
    assert "2 memories" in shown and str(GROUPS["wordings"].what) in shown
    assert cast.agents["assistant"].name in shown and "bicycle" not in shown
    found = told_in(sure)
    bicycle = next(one for one in found["memories"] if one["versions"][-1]["text"] == TEXT)
    (told_to,) = bicycle["told_to"]
    assert (told_to["agent"], told_to["times"]) == (cast.agents["assistant"].name, 1)
    assert len(found["held"]) == len(GROUPS) + 1
    assert AuditEvent.objects.filter(code="data.exported", subject_id=cast.alice.id).exists()


def told_in(client: Client) -> dict[str, Any]:
    answer = client.get(reverse("report-file", args=["json"]))
    assert answer["Cache-Control"] == "no-store" and "attachment" in answer["Content-Disposition"]
    body: dict[str, Any] = json.loads(b"".join(answer))
    return body


@pytest.mark.parametrize(
    ("lang", "title", "why"),
    [
        ("en", "# Everything held about you", "So that your choices hold."),
        ("zh-hans", "# 关于你的全部留存", "让你的选择有效。"),
    ],
)
def test_it_reads_in_either_language(
    sure: Client, put: Callable[..., Memory], lang: str, title: str, why: str
) -> None:
    put(TEXT), put(ZH)
    sure.cookies["django_language"] = lang
    answer: Any = sure.get(reverse("report-file", args=["md"]))
    text = b"".join(answer).decode()
    assert text.startswith(title) and why in text and TEXT in text and ZH in text
    assert sure.get(reverse("report-file", args=["docx"])).status_code == 404


def test_it_is_the_persons_alone(bob: Client, put: Callable[..., Memory], agent: Principal) -> None:
    put(TEXT)
    bob.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert "0 memories" in bob.get(reverse("report")).content.decode()
    for service in (report, told):
        with pytest.raises(Forbidden):
            service(agent)
