"""A new installation: the first operator is made once, by whoever reads the token on the server."""

from __future__ import annotations

import html
import re
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from pytest_django import Settings

from accounts import first_run, rights
from accounts.models import AuditEvent, Tenant, User
from tests.cast import Api
from tests.dashboard.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])
KEY = re.compile(r"ks_live_\w{8}_[\w-]{43}")


@pytest.fixture
def token(settings: Settings, tmp_path: Path) -> str:
    settings.DATA_DIR = tmp_path
    return first_run.offer(tmp_path)


def visitor(lang: str = "en") -> Client:
    client = Client(SERVER_NAME="localhost")
    client.cookies["django_language"] = lang
    return client


def given(token: str, **other: str) -> dict[str, str]:
    made = {"email": "Op@Example.com", "password": PASSWORD, "tenant": "极光 Aurora"}
    return {"token": token, "agent": "助手 one"} | made | other


def text(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", content.decode()))


def test_the_first_operator_begins_and_nobody_after(token: str, tmp_path: Path) -> None:
    path = tmp_path / first_run.FILE
    assert path.stat().st_mode & 0o777 == 0o600 and len(token) >= 43
    client = visitor()
    assert client.get("/")["Location"] == "/setup/"
    page = client.get("/setup/", {"token": token})
    assert page.status_code == 200 and f'value="{token}"' in page.content.decode()
    assert page["Cache-Control"] == "no-store" and page["Referrer-Policy"] == "same-origin"
    done = client.post("/setup/", given(token))
    assert done.status_code == 200 and done["Cache-Control"] == "no-store"
    (key,) = KEY.findall(done.content.decode())
    assert Api(key)("POST", "sessions", {"user_id": "lin"}).status_code == 201
    assert client.get("/admin/").status_code == 200, "signed in as the operator"
    assert "Open the console" in text(client.get("/").content)
    user = User.objects.get()
    assert (user.email, user.is_staff) == ("op@example.com", True)
    (line,) = AuditEvent.objects.filter(code="console.acted")
    assert (line.decision, line.actor_id, line.actor_kind) == (
        "first_operator",
        user.id,
        "operator",
    )
    assert not path.exists()
    for who in (client, visitor()):
        assert who.get("/setup/").status_code == 404
        assert who.post("/setup/", given(token, email="b@b.org")).status_code == 404
    assert User.objects.count() == Tenant.objects.count() == 1
    assert visitor().get("/")["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    ("wrong", "says", "says_zh"),
    [
        ({"token": "guess"}, "This is not the token.", "令牌不对"),
        ({"token": ""}, "This is not the token.", "令牌不对"),
        ({"email": "nobody"}, "Write an e-mail address.", "请填写电子邮件地址"),
        ({"password": "12345"}, "too short", "密码"),
        ({"tenant": " "}, "Write a name", "请填写名称"),
        ({"agent": "a\x00b"}, "Write a name", "请填写名称"),
        ({"tenant": "Taken"}, "There is an organisation", "已经有同名的组织"),
        ({"email": "taken@example.com"}, "There is a login", "已经有账号"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_and_nothing_is_made(
    token: str, wrong: dict[str, str], says: str, says_zh: str
) -> None:
    Tenant.objects.create(name="Taken")
    User.objects.create_user("taken@example.com", PASSWORD)
    for lang, words in (("en", says), ("zh-hans", says_zh)):
        answer = visitor(lang).post("/setup/", given(token) | wrong)
        assert answer.status_code == 422 and words in text(answer.content)
        assert PASSWORD not in answer.content.decode()
    assert User.objects.count() == Tenant.objects.count() == 1


def test_without_a_token_on_the_server_nobody_begins(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    for guess in ("", "x"):
        assert visitor().post("/setup/", given(guess)).status_code == 422
    assert not User.objects.exists()


def test_two_at_once_make_one(token: str) -> None:
    def begin(number: int) -> int:
        try:
            sent = given(token, email=f"op{number}@example.com", tenant=f"T{number}")
            return visitor().post("/setup/", sent).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(begin, range(4)))
    assert sorted(answers) == [200, 404, 404, 404]
    assert User.objects.count() == Tenant.objects.count() == 1


def test_where_somebody_has_a_login_they_sign_in(token: str) -> None:
    User.objects.create_user("lin@example.com", PASSWORD)
    assert visitor().get("/")["Location"].startswith("/accounts/login/")
    assert visitor().get("/setup/").status_code == 200, "but there is no operator yet"


def test_the_command_says_where(token: str, tmp_path: Path) -> None:
    out = StringIO()
    call_command("bootstrap", stdout=out)
    assert f"/setup/?token={token}" in out.getvalue()
    with pytest.raises(CommandError, match="both"):
        call_command("bootstrap", tenant="Acme")
    User.objects.create_superuser("op@example.com", PASSWORD)
    with pytest.raises(CommandError, match="There is an operator"):
        call_command("bootstrap")
    assert not (tmp_path / first_run.FILE).exists()


def test_an_operator_is_dismissed_but_not_the_last(token: str) -> None:
    first = first_run.begin(**given(token)).user
    with pytest.raises(CommandError, match="only operator"):
        call_command("dismiss_operator", "op@example.com")
    second = User.objects.create_superuser("李@example.com", PASSWORD)
    browser = visitor()
    browser.force_login(second, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert browser.get("/admin/").status_code == 200
    call_command("dismiss_operator", "李@Example.com", stdout=StringIO())
    assert browser.get("/admin/").status_code == 302
    assert list(User.objects.filter(is_staff=True)) == [first]
    assert AuditEvent.objects.filter(decision="dismiss_operator", object_id=second.id).count() == 1
    with pytest.raises(CommandError, match="No operator signs in"):
        call_command("dismiss_operator", "李@example.com")
    User.objects.filter(id=second.id).update(is_staff=True)  # as a dump from before has it
    rights.replay(since=second.date_joined)
    assert list(User.objects.filter(is_staff=True)) == [first]
