"""Everything held about the person: each store, why, until when, who read it and who was told what."""

from __future__ import annotations

import html
import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.looks import Scope, break_glass, looking, note_view
from accounts.models import AuditEvent, Tenant, User
from accounts.principal import Principal
from dashboard.happened import WHAT
from dashboard.holding import GROUPS
from memory.errors import Forbidden
from memory.forget.erasers import ERASERS
from memory.forget.reach import whole_reach
from memory.models import Memory
from memory.transfer.report import report, told
from tests.cast import ALICE, Cast, principal_of
from tests.dashboard.conftest import PASSWORD, recalled

TEXT, ZH = "I keep my bicycle in the red shed", "我喜欢喝龙井茶"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"


def flat(content: bytes) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", content.decode())))


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
    marked = re.findall(r'<a href="([^"]*)"[^>]*aria-current="page"', shown)
    assert marked == [reverse("export")]
    found = told_in(sure)
    bicycle = next(one for one in found["memories"] if one["versions"][-1]["text"] == TEXT)
    (told_to,) = bicycle["told_to"]
    assert (told_to["agent"], told_to["times"]) == (cast.agents["assistant"].name, 1)
    assert len(found["held"]) == len(GROUPS) + 2
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


def in_markdown(client: Client) -> str:
    answer: Any = client.get(reverse("report-file", args=["md"]))
    return b"".join(answer).decode()


def test_the_login_and_the_operators_looks_are_there_without_a_secret(
    sure: Client, cast: Cast
) -> None:
    login = User.objects.get(email="alice@example.com")
    UserSession.objects.create(user=login, session_key="k" * 32, ip="203.0.113.7", user_agent=PHONE)
    passkey = {"name": "Alice 的钥匙", "credential": {"id": "cred-7f"}}
    Authenticator.objects.create(user=login, type="webauthn", data=passkey)
    Authenticator.objects.create(user=login, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    Tenant.objects.filter(id=cast.acme.id).update(break_glass=True)
    who = Principal(kind=ActorKind.OPERATOR, tenant_id=cast.acme.id, actor_id=uuid.uuid4())
    scope = Scope(clearance=20)
    glass = break_glass(who, scope, reason="security T-12", minutes=15, subject_id=cast.alice.id)
    rights, _look = looking(who.using(subject_id=cast.alice.id), glass.id)
    with acting(rights):
        note_view(rights, count=3)
    page = flat(sure.get(reverse("report")).content)
    texts = (page, in_markdown(sure), json.dumps(told_in(sure), ensure_ascii=False))
    for text in texts:
        for one in ("alice@example.com", "Safari · iOS", "203.0.113.0", "Passkey", "Alice 的钥匙"):
            assert one in text, one
        for one in ("Authenticator app", "a security incident", "looked at your memories"):
            assert one in text, one
        assert not any(one in text for one in ("JBSWY3DPEHPK3PXP", "cred-7f", "k" * 32))


@pytest.mark.parametrize(
    ("lang", "log"), [("en", "exported the activity"), ("zh-hans", "导出了活动记录")]
)
def test_the_log_that_is_taken_along_is_no_export_of_everything(
    sure: Client, cast: Cast, lang: str, log: str
) -> None:
    sure.cookies["django_language"] = lang
    sure.get(reverse("activity-export"))
    everything = str(WHAT["data.exported"])
    for name in ("report", "activity"):
        text = flat(sure.get(reverse(name)).content)
        assert log in text and everything not in text, name
    assert whole_reach(principal_of(cast.keys["alice"], ALICE)).exports == 0


@pytest.mark.parametrize(
    ("lang", "held", "read", "was_told"),
    [
        (
            "en",
            "- Entries: 2\n",
            "recalled memories: 2 times · first ",
            "assistant: 2 times · last ",
        ),
        ("zh-hans", "- 项数：2\n", "取用了记忆：2次 · 首次：", "assistant：2次 · 最近一次："),
    ],
)
def test_each_number_of_the_file_is_named(
    sure: Client,
    put: Callable[..., Memory],
    agent: Principal,
    lang: str,
    held: str,
    read: str,
    was_told: str,
) -> None:
    put(TEXT), put(ZH)
    recalled(agent, "Where is my bicycle?"), recalled(agent, "Where is my bicycle?")
    sure.cookies["django_language"] = lang
    text = in_markdown(sure)
    assert held in text and read in text and was_told in text, text
