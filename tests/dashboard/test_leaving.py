"""Erasing everything and closing the login: asked for in words, by who it is, to the receipt."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import HoldReason
from accounts.models import ApiKey, AuditEvent, Grant, Subject, User
from accounts.subjects import rights_for
from memory.errors import Forbidden
from memory.forget.drive import run
from memory.forget.holds import place
from memory.forget.leaving import leave
from memory.forget.receipt import sign
from memory.forget.requests import erase_by_hand
from memory.models import Erasure, Memory, ObjectKey, OutboxMessage
from tests.cast import ALICE, Cast, operator, principal_of, remember, system_of
from tests.dashboard.conftest import PASSWORD, sign_in

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
TEXT, ZH = "I keep my bicycle in the red shed", "我喜欢喝龙井茶"


def sure(client: Client) -> Client:
    """Say the password once more, as the page that asks for it does."""
    assert client.post(reverse("account_reauthenticate"), {"password": PASSWORD}).status_code == 302
    return client


def flat(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", content.decode())))


def erase_all(client: Client, person: Subject, phrase: str) -> Any:
    sent = {"person": str(person.id), "phrase": phrase}
    return client.post(reverse("erase-all"), sent)


@pytest.mark.parametrize("phrase", ["erase all", "清除全部", "  Erase   ALL "])
def test_everything_goes_and_the_login_rules_an_empty_memory(
    alice: Client, put: Callable[..., Memory], cast: Cast, phrase: str
) -> None:
    put(TEXT), put(ZH)
    Subject.objects.filter(id=cast.alice.id).update(
        learning="ask_first", interests=False, hide_sensitive=False
    )
    page = alice.get(reverse("erase-all")).content.decode()
    assert re.search(r"2 memories\s+·\s+2 wordings", page) and reverse("export") in page
    answer = erase_all(sure(alice), cast.alice, phrase)
    erasure = Erasure.objects.get()
    assert answer.status_code == 302 and erasure.scope == "person"
    assert not ObjectKey.objects.filter(subject_id=cast.alice.id).exists()
    followed = Client(SERVER_NAME="localhost").get(answer["Location"])
    assert followed.status_code == 200 and 'hx-trigger="every 5s"' in followed.content.decode()
    run(erasure.id)
    shown = Client(SERVER_NAME="localhost").get(answer["Location"]).content.decode()
    assert "Erased here" in shown and "bicycle" not in shown
    address = f"{answer['Location']}{erasure.id}/receipt.json"
    receipt = json.loads(Client(SERVER_NAME="localhost").get(address).content)
    assert sign({k: v for k, v in receipt.items() if k != "signature"}) == receipt["signature"]
    now = Subject.objects.get(external_id=ALICE, tenant=cast.acme)
    assert now.id != cast.alice.id and now.login == User.objects.get()
    assert (now.learning, now.interests, now.hide_sensitive) == ("ask_first", False, False)
    assert alice.get(reverse("overview")).status_code == 200
    alice.post(reverse("memory-new"), {"text": "I moved to Lyon"})
    assert "Lyon" in alice.get(reverse("memories")).content.decode()


@pytest.mark.parametrize(
    ("lang", "by", "asked"),
    [
        ("en", "Begun by You", "assistant : can ask"),
        ("zh-hans", "发起者 你", "assistant ：可以来查询"),
    ],
)
def test_its_receipt_says_who_began_it_and_when_by_the_persons_clock(
    alice: Client, put: Callable[..., Memory], cast: Cast, lang: str, by: str, asked: str
) -> None:
    put(TEXT)
    Subject.objects.filter(id=cast.alice.id).update(time_zone="Asia/Shanghai")
    address = erase_all(sure(alice), cast.alice, "erase all")["Location"]
    run(Erasure.objects.get().id)
    alice.cookies["django_language"] = lang
    shanghai = (
        f"{timezone.localtime(Erasure.objects.get().requested_at, ZoneInfo('Asia/Shanghai')):%H:%M}"
    )
    mine = flat(alice.get(address).content)
    assert by in mine and asked in mine and shanghai in mine and "UTC" not in mine
    stranger = Client(SERVER_NAME="localhost")
    stranger.cookies["django_language"] = lang
    theirs = flat(stranger.get(address).content)
    assert by in theirs and "assistant" not in theirs and "UTC" in theirs
    stranger.cookies["tz"] = "Asia/Shanghai"
    assert shanghai in flat(stranger.get(address).content)


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"phrase": "erase"}, "This is not what is to be typed. Nothing was erased."),
        ({}, "This is not what is to be typed. Nothing was erased."),
        ({"phrase": "erase all", "person": "bob"}, "Another person is shown now."),
    ],
)
def test_what_was_not_said_right_erases_nothing(
    alice: Client, put: Callable[..., Memory], cast: Cast, sent: dict[str, str], says: str
) -> None:
    put(TEXT)
    answer = sure(alice).post(reverse("erase-all"), {"person": str(cast.alice.id), **sent})
    assert answer.status_code == 422 and says in answer.content.decode()
    assert not Erasure.objects.exists()


def test_who_it_is_is_asked_and_the_words_are_not_lost(
    alice: Client, put: Callable[..., Memory], cast: Cast
) -> None:
    """An open screen is not enough; after the password the erasure goes on by itself."""
    put(TEXT)
    answer = erase_all(alice, cast.alice, "erase all")
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not Erasure.objects.exists()
    wrong = alice.post(answer["Location"], {"password": "wrong"})
    assert wrong.status_code == 200 and not Erasure.objects.exists()
    sent = {"password": PASSWORD, "next": reverse("erase-all")}
    assert alice.post(answer["Location"], sent)["Location"].startswith("/erased/")
    assert Erasure.objects.get().scope == "person"


def test_a_person_of_another_login_is_out_of_reach(
    bob: Client, put: Callable[..., Memory], cast: Cast
) -> None:
    put(TEXT)
    assert erase_all(sure(bob), cast.alice, "erase all").status_code == 422
    assert not Erasure.objects.exists()
    assert bob.get(reverse("ended", args=["made-up"])).status_code == 404


def test_the_account_goes_with_everybody_in_it(cast: Cast, put: Callable[..., Memory]) -> None:
    put(TEXT)
    User.objects.create_user("operator@example.com", PASSWORD, is_staff=True)
    remember(principal_of(cast.keys["stranger"], ALICE), ZH)
    both = sign_in(cast.alice, cast.charlie, email="both@example.com")
    other = Client(SERVER_NAME="localhost")
    other.force_login(User.objects.get(email="both@example.com"), backend=BACKEND)
    page = both.get(reverse("account-delete")).content.decode()
    assert (
        "Acme" in page
        and "Globex" in page
        and len(re.findall(r"1 memory\s+·\s+1 wording", page)) == 2
    )
    answer = sure(both).post(reverse("account-delete"), {"phrase": "删除账号"})
    assert answer.status_code == 302 and Erasure.objects.filter(scope="person").count() == 2
    assert not User.objects.filter(email="both@example.com").exists()
    for client in (both, other):
        assert client.get(reverse("overview"))["Location"].startswith("/accounts/login/")
    shown = both.get(answer["Location"]).content.decode()
    assert "Your login is closed." in shown and shown.count("How far it is") == 2
    assert not ApiKey.objects.filter(subject=cast.alice, revoked_at=None).exists()
    assert {one.agent_id for one in OutboxMessage.objects.all()} >= {
        cast.agents["assistant"].id,
        cast.agents["stranger"].id,
    }
    for erasure in Erasure.objects.all():
        run(erasure.id)
    with acting(system_of(cast.alice)):
        assert not Grant.objects.filter(subject=cast.alice).exists()
    lines = AuditEvent.objects.filter(code="login.closed")
    assert {one.subject_id for one in lines} == {cast.alice.id, cast.charlie.id}


def test_with_the_login_its_sign_ins_go(alice: Client, cast: Cast) -> None:
    """What browsers said of themselves, their networks, and what the sessions held of the login."""
    here, elsewhere = (Client(SERVER_NAME="localhost") for _ in range(2))
    for client in (here, elsewhere):
        said = {"login": "alice@example.com", "password": PASSWORD}
        assert client.post(reverse("account_login"), said).status_code == 302
    key = elsewhere.session.session_key
    assert UserSession.objects.count() == 2
    sure(here).post(reverse("account-delete"), {"phrase": "delete account"})
    assert not User.objects.exists() and not UserSession.objects.exists()
    assert not Session.objects.filter(session_key=key).exists()


def test_a_login_without_a_person_is_closed(cast: Cast) -> None:
    nobody = sure(sign_in(email="new@example.com"))
    assert "Only the login is closed." in nobody.get(reverse("account-delete")).content.decode()
    assert nobody.post(reverse("account-delete"), {"phrase": "nothing"}).status_code == 422
    answer = nobody.post(reverse("account-delete"), {"phrase": "Delete account"})
    assert nobody.get(answer["Location"]).status_code == 200 and not User.objects.exists()


def test_an_operator_does_not_leave_this_way(cast: Cast, put: Callable[..., Memory]) -> None:
    put(TEXT)
    client = sure(sign_in(cast.alice, email="alice@example.com"))
    User.objects.update(is_staff=True)
    assert "Another operator" in client.get(reverse("account-delete")).content.decode()
    assert client.post(reverse("account-delete"), {"phrase": "delete account"}).status_code == 403
    with pytest.raises(Forbidden):
        leave(User.objects.get().id)
    assert User.objects.exists() and not Erasure.objects.exists()


@pytest.mark.parametrize(
    ("lang", "why", "says"),
    [
        ("en", "legal_claim", "On hold: it may be needed for a legal claim."),
        ("zh-hans", "official_order", "已搁置：法院或主管机关要求保留。"),
    ],
)
def test_on_hold_it_waits_and_the_person_sees_why(
    alice: Client, put: Callable[..., Memory], cast: Cast, lang: str, why: str, says: str
) -> None:
    memory, _ = put(TEXT), put(ZH)
    assert place(operator(cast.acme).using(kind="operator"), cast.alice.id, reason=HoldReason(why))
    alice.cookies["django_language"] = lang
    reason = says.partition(":" if lang == "en" else "：")[2].strip(" .。")
    assert reason in alice.get(reverse("erase-all")).content.decode()
    assert reason in alice.get(reverse("account-delete")).content.decode()
    alice.post(reverse("memory-erase", args=[memory.id]))
    one = alice.get(reverse("erasure", args=[Erasure.objects.get().id])).content.decode()
    assert says in one and "hx-trigger" not in one
    answer = erase_all(sure(alice), cast.alice, "erase all")
    assert says in alice.get(answer["Location"]).content.decode()
    assert set(Erasure.objects.values_list("state", flat=True)) == {"on_hold"}


def test_only_the_person_does_it_by_hand(cast: Cast, put: Callable[..., Memory]) -> None:
    put(TEXT)
    for one in (principal_of(cast.keys["assistant"], ALICE), system_of(cast.alice)):
        with pytest.raises(Forbidden):
            erase_by_hand(rights_for(one, cast.alice), anew=True)
    assert not Erasure.objects.exists()
