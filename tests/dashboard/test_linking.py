"""A one-time link: says who asks, works once, gives charge to one login and to nobody else."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.links import issue_link
from accounts.models import AuditEvent, PersonLink, Subject, User
from accounts.principal import Principal
from tests.cast import Cast
from tests.dashboard.conftest import PASSWORD, sign_in

NEW = {"email": "Alice@Example.org", "password": PASSWORD}


@pytest.fixture
def visitor() -> Client:
    client = Client(SERVER_NAME="localhost")
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def address(agent: Principal) -> str:
    return reverse("link", args=[issue_link(agent)[0]])


def flat(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", content.decode()))


def test_it_says_who_asks_and_changes_nothing(visitor: Client, address: str, cast: Cast) -> None:
    answer = visitor.get(address)
    text = flat(answer.content)
    assert "Acme" in text and "assistant" in text and "Make a login" in text
    assert answer["Referrer-Policy"] == "same-origin" and answer["Cache-Control"] == "no-store"
    assert Subject.objects.get(id=cast.alice.id).login_id is None


def test_a_new_login_takes_charge(visitor: Client, address: str, cast: Cast) -> None:
    answer = visitor.post(address, NEW, follow=True)
    assert "You are in charge now." in flat(answer.content)
    user = User.objects.get(email="alice@example.org")
    assert Subject.objects.get(id=cast.alice.id).login_id == user.id
    assert visitor.get(reverse("memories")).status_code == 200
    assert AuditEvent.objects.filter(code="link.used", subject_id=cast.alice.id).exists()
    assert UserSession.objects.filter(user=user).count() == 1  # signed out elsewhere, it ends too


def test_a_signed_in_person_takes_charge(address: str, cast: Cast) -> None:
    carol = sign_in(cast.charlie, email="carol@example.com")
    assert "carol@example.com" in flat(carol.get(address).content)
    answer = carol.post(address, follow=True)
    assert "You are in charge now." in flat(answer.content)
    assert Subject.objects.get(id=cast.alice.id).login is not None
    assert "Globex 环球" in flat(answer.content)  # the switcher has both


def test_it_works_once(visitor: Client, address: str) -> None:
    visitor.post(address, NEW)
    for client in (visitor, Client(SERVER_NAME="localhost")):
        client.cookies["django_language"] = "en"
        for answer in (client.get(address), client.post(address, NEW | {"email": "b@b.org"})):
            assert answer.status_code == 404
            assert "This link is no longer good" in flat(answer.content)
    assert User.objects.count() == 1


def test_an_unknown_and_an_old_one_are_the_same(visitor: Client, address: str) -> None:
    PersonLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    unknown = reverse("link", args=["x" * 43])
    pages = {re.sub(r'value="[^"]*"', "", flat(visitor.get(a).content)) for a in (address, unknown)}
    pages = {re.sub(r'nonce="[^"]*"', "", one) for one in pages}
    assert len(pages) == 1


@pytest.mark.parametrize(
    ("wrong", "say"),
    [
        ({"email": "nobody"}, "Write an e-mail address."),
        ({"password": "12345"}, "too short"),
        ({"email": "taken@example.com"}, "There is a login with this address."),
    ],
)
def test_a_bad_login_is_not_made(
    visitor: Client, address: str, cast: Cast, wrong: dict[str, str], say: str
) -> None:
    User.objects.create_user("taken@example.com", PASSWORD)
    answer = visitor.post(address, NEW | wrong)
    assert answer.status_code == 422 and say in flat(answer.content)
    assert User.objects.count() == 1
    assert Subject.objects.get(id=cast.alice.id).login_id is None
    assert visitor.get(address).status_code == 200  # the link is still good
