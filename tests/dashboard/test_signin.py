"""Signing in: password and second factor, no sign-up, the language that comes along."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.cast import Cast
from tests.dashboard.conftest import PASSWORD, sign_in

EMAIL = "lin@example.com"


@pytest.fixture(autouse=True)
def _no_rate_limits() -> None:
    cache.clear()


def enter(client: Client, password: str = PASSWORD) -> object:
    return client.post(reverse("account_login"), {"login": EMAIL, "password": password})


def confirm(client: Client) -> None:
    """Give the password once more, which changes of the second factor ask for."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


@pytest.fixture
def user(cast: Cast) -> User:
    made = User.objects.create_user(EMAIL, PASSWORD)
    cast.alice.login = made
    cast.alice.save(update_fields=["login"])
    return made


@pytest.fixture
def visitor() -> Client:
    return Client(SERVER_NAME="localhost")


def test_with_the_password_one_is_in(visitor: Client, user: User) -> None:
    page = visitor.get(reverse("account_login"))
    assert "Sign in" in page.content.decode() and page["Cache-Control"] == "no-store"
    wrong = enter(visitor, "wrong")
    assert "error" in wrong.content.decode() or wrong.status_code == 200  # type: ignore[attr-defined]
    assert enter(visitor)["Location"] == "/"  # type: ignore[index]
    assert "Overview" in visitor.get("/").content.decode()
    visitor.post(reverse("account_logout"))
    assert visitor.get("/").status_code == 302


def test_nobody_signs_up(visitor: Client, db: None) -> None:
    fields = {"email": "new@example.com", "password1": PASSWORD}
    assert visitor.post(reverse("account_signup"), fields).status_code == 404
    assert not User.objects.filter(email="new@example.com").exists()


def test_no_page_promises_a_letter_that_nobody_sends(
    visitor: Client, user: User, mailoutbox: list[object]
) -> None:
    """There is no mail server: a link to reset a password would only stand in a log."""
    for name in ("account_reset_password", "account_email", "account_email_verification_sent"):
        for send in (visitor.get, visitor.post):
            assert send(reverse(name), {"email": EMAIL}).status_code == 404, name
    text = visitor.get(reverse("account_login")).content.decode()
    assert "The operator of this server can give you a new one." in text
    assert 'href="/accounts/password' not in text
    assert mailoutbox == []


def test_in_chinese_the_account_pages_say_it_as_the_others_do(user: User, visitor: Client) -> None:
    """allauth's own Chinese says 您, and leaves words in English."""
    visitor.cookies["django_language"] = "zh-hans"
    pages = {name: visitor.get(reverse(name)) for name in OUTSIDE}
    enter(visitor)
    confirm(visitor)
    pages |= {name: visitor.get(reverse(name)) for name in INSIDE}
    for name, answer in pages.items():
        text = re.sub(
            r"<(script|svg|noscript)\b.*?</\1>", "", answer.content.decode(), flags=re.DOTALL
        )
        visible = [
            one.strip()
            for one in re.findall(r">([^<]+)<|placeholder=\"([^\"]+)\"", text)
            for one in one
        ]
        left = [one for one in visible if re.search(r"[A-Za-z]{3,}|您", one)]
        known = rf"Keepsake|English|Enter|Shift|Ctrl|Esc|{EMAIL}|PIN|API"
        assert [one for one in left if not re.search(known, one)] == [], name


OUTSIDE = ("account_login",)
INSIDE = (
    "account_logout",
    "account_change_password",
    "account_reauthenticate",
    "account_inactive",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "mfa_list_webauthn",
)


@pytest.mark.parametrize(("lang", "name"), [("en", "Two-step sign-in"), ("zh-hans", "两步验证")])
def test_the_second_step_has_one_name(user: User, visitor: Client, lang: str, name: str) -> None:
    enter(visitor)
    confirm(visitor)
    visitor.cookies["django_language"] = lang
    to = reverse("mfa_index")
    for page in ("account", "mfa_index"):
        text = visitor.get(reverse(page)).content.decode()
        assert re.findall(rf'<a href="{to}">([^<]*)</a>', text) == [name], page
    headings = re.findall(r"<h1>\s*(.*?)\s*</h1>|<title>\s*(.*?)\s+·", text)
    assert [one for pair in headings for one in pair if one] == [name, name]


@pytest.mark.parametrize("lang", ["en", "zh-hans"])
def test_account_pages_stand_in_our_frame(user: User, visitor: Client, lang: str) -> None:
    visitor.cookies["django_language"] = lang
    pages = {name: visitor.get(reverse(name)) for name in OUTSIDE}
    enter(visitor)
    confirm(visitor)
    pages |= {name: visitor.get(reverse(name)) for name in INSIDE}
    for name, answer in pages.items():
        text = answer.content.decode()
        assert answer.status_code == 200, (name, answer.get("Location"))
        assert 'class="brand"' in text and "data:" not in text, name
        assert not re.search(r"\sstyle=|\sonclick=", text), name
        said = "".join(re.findall(r">([^<>]+)<", text.partition("<main")[2]))
        assert lang == "en" or not re.search("您|成功|Email |！", said), name
        for script in re.findall(r"<script\b[^>]*>", text):
            assert "src=" in script or 'type="application/json"' in script, name


def test_a_second_factor_is_asked_for(visitor: Client, user: User) -> None:
    from allauth.mfa.totp.internal.auth import (
        format_hotp_value,
        hotp_value,
        yield_hotp_counters_from_time,
    )

    enter(visitor)
    confirm(visitor)
    page = visitor.get(reverse("mfa_activate_totp")).content.decode()
    assert '<div class="qr"' in page and "<path" in page
    secret = visitor.session["mfa.totp.secret"]

    def code() -> str:
        counter = next(iter(yield_hotp_counters_from_time()))
        return str(format_hotp_value(hotp_value(secret, counter)))

    done = visitor.post(reverse("mfa_activate_totp"), {"code": code()})
    assert done.status_code == 302
    codes = visitor.get(reverse("mfa_view_recovery_codes")).content.decode()
    assert "<textarea" in codes
    again = Client(SERVER_NAME="localhost")
    assert enter(again)["Location"].startswith(reverse("mfa_authenticate"))  # type: ignore[index]
    assert again.get("/").status_code == 302
    cache.clear()
    again.post(reverse("mfa_authenticate"), {"code": code()})
    assert again.get("/").status_code == 200


def test_the_language_is_kept_and_comes_along(cast: Cast) -> None:
    reader = sign_in(cast.alice, email=EMAIL)
    answer = reader.post(reverse("language"), {"language": "zh-hans", "next": "/memories/"})
    assert answer["Location"] == "/memories/"
    assert '<html lang="zh-Hans">' in reader.get("/memories/").content.decode()
    assert User.objects.get(email=EMAIL).language == "zh-hans"
    elsewhere = Client(SERVER_NAME="localhost")
    enter(elsewhere)
    assert '<html lang="zh-Hans">' in elsewhere.get("/").content.decode()


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example", "javascript:x()"])
def test_the_language_form_leads_nowhere_else(visitor: Client, db: None, to: str) -> None:
    answer = visitor.post(reverse("language"), {"language": "en", "next": to})
    assert answer["Location"] == "/"
    assert "django_language" not in visitor.post(reverse("language"), {"language": "xx"}).cookies
