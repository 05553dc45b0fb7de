"""Connecting an agent: what it needs, examples that work as they stand, and its first call seen."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import Subject
from dashboard.connecting import examples
from tests.architecture.source import ROOT
from tests.cast import Api, Cast, build_cast
from tests.console.conftest import signed_in
from tests.dashboard.conftest import PART, sign_in

AFTER = re.compile(r"after=(\d+)(?:&|&amp;)seen=(\d+)")


def flat(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", content.decode())))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("lang", "waits", "wrote", "read"),
    [
        ("en", "Waiting for a call", "assistant has written.", "assistant has read."),
        ("zh-hans", "正在等待", "assistant 写入过了。", "assistant 读取过了。"),
    ],
)
def test_the_first_calls_are_seen(cast: Cast, lang: str, waits: str, wrote: str, read: str) -> None:
    alice = sign_in(cast.alice, email="alice@example.com", lang=lang)
    page = alice.get(reverse("connect"))
    text = flat(page.content)
    assert waits in text and "user_id: alice" in text and "/api/v1" in text
    after, seen = AFTER.search(page.content.decode()).groups()  # type: ignore[union-attr]
    look = reverse("connect-calls")
    api = Api(cast.keys["assistant"])
    assert api("POST", "recall", {"user_id": "alice", "query": "茶 tea"}).status_code == 200
    first = alice.get(look, {"after": after, "seen": seen}, headers=PART)
    text = flat(first.content)
    assert read in text and wrote not in text and waits in text
    seen = AFTER.search(first.content.decode())[2]  # type: ignore[index]
    assert alice.get(look, {"after": after, "seen": seen}, headers=PART).status_code == 204
    body = {"user_id": "alice", "text": "I prefer short answers in the morning."}
    assert api("POST", "memories", body).status_code == 201
    done = alice.get(look, {"after": after, "seen": seen}, headers=PART)
    text = flat(done.content)
    assert read in text and wrote in text and waits not in text
    assert "hx-trigger" not in done.content.decode(), "there is nothing more to wait for"
    assert wrote in flat(alice.get(reverse("connect"), {"after": after}).content), "without scripts"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("lang", "last", "waits"),
    [
        ("en", "The last call about you: assistant · today ", "Waiting for the next call"),
        ("zh-hans", "最近一次关于你的调用：assistant · 今天", "正在等待下一次"),
    ],
)
def test_who_called_last_is_still_said_when_the_page_is_loaded_again(
    cast: Cast, lang: str, last: str, waits: str
) -> None:
    alice = sign_in(cast.alice, email="alice@example.com", lang=lang)
    assert last not in flat(alice.get(reverse("connect")).content)
    ask = {"user_id": "alice", "query": "茶 tea"}
    assert Api(cast.keys["assistant"])("POST", "recall", ask).status_code == 200
    page = flat(alice.get(reverse("connect")).content)
    assert last in page and waits in page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("lang", "may_not", "no_such", "other", "over"),
    [
        ("en", "it may not do that", "not here. Compare", "about somebody else", "its key is"),
        ("zh-hans", "它无权这样做", "这里没有。请核对", "另一个人", "它的密钥已吊销"),
    ],
)
def test_a_refused_call_is_shown_with_what_to_do(
    cast: Cast, lang: str, may_not: str, no_such: str, other: str, over: str
) -> None:
    alice = sign_in(cast.alice, email="alice@example.com", lang=lang)
    page = alice.get(reverse("connect")).content.decode()
    after, seen = AFTER.search(page).groups()  # type: ignore[union-attr]
    assert not any(one in page for one in (may_not, no_such, other, over))
    off, api = Api(cast.keys["off"]), Api(cast.keys["assistant"])
    ask = {"user_id": "alice", "query": "茶 tea quokka"}
    assert off("POST", "recall", ask).status_code == 403
    assert api("GET", f"memories/{uuid.uuid4()}").status_code == 404
    assert api("POST", "recall", ask | {"user_id": "nobody yet 谁"}).status_code == 403
    assert Api(cast.keys["revoked"])("POST", "recall", ask).status_code == 401
    first = alice.get(reverse("connect-calls"), {"after": after, "seen": seen}, headers=PART)
    text = flat(first.content)
    assert all(one in text for one in (may_not, no_such, other, over)), text
    assert "quokka" not in text and "谁" not in text
    seen = AFTER.search(first.content.decode())[2]  # type: ignore[index]
    look = {"after": after, "seen": seen}
    assert alice.get(reverse("connect-calls"), look, headers=PART).status_code == 204
    assert may_not in flat(alice.get(reverse("connect"), {"after": after}).content)
    sign_in(cast.bob, email="bob@example.com")  # another person's login: it may be about them
    text = flat(alice.get(reverse("connect-calls"), {"after": after}).content)
    assert may_not in text and not any(one in text for one in (no_such, other, over))


@pytest.mark.django_db(transaction=True)
def test_calls_about_others_are_not_seen(cast: Cast) -> None:
    alice = sign_in(cast.alice, email="alice@example.com")
    after = AFTER.search(alice.get(reverse("connect")).content.decode())[1]  # type: ignore[index]
    ask = {"user_id": "bob", "query": "茶 tea"}
    assert Api(cast.keys["colleague"])("POST", "recall", ask).status_code == 200
    assert alice.get(reverse("connect-calls"), {"after": after, "seen": after}).status_code == 204


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("after", ["", "x", "-1", "9" * 30, "١٢"])
def test_a_made_up_line_is_no_crash(cast: Cast, after: str) -> None:
    alice = sign_in(cast.alice, email="alice@example.com")
    for name in ("connect", "connect-calls"):
        assert alice.get(reverse(name), {"after": after}).status_code == 200


@pytest.mark.django_db(transaction=True, databases=["default", "console"])
def test_an_operator_is_told_where_keys_are_made(cast: Cast) -> None:
    operator = signed_in("op@example.com", staff=True)
    text = flat(operator.get(reverse("connect")).content)
    assert "Add an agent and its key" in text and "Waiting" not in text
    assert Client(SERVER_NAME="localhost").get(reverse("connect")).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_empty_pages_lead_there(cast: Cast) -> None:
    nova = Subject.objects.create(tenant=cast.acme, external_id="nova 诺娃")
    client = sign_in(nova, email="nova@example.com")
    for name in ("overview", "agents"):
        assert f'href="{reverse("connect")}"' in client.get(reverse(name)).content.decode()
    page = html.unescape(client.get(reverse("connect")).content.decode())
    assert "user_id='nova 诺娃'" in page and '"user_id": "nova 诺娃"' in page


def test_what_is_copied_works_as_it_is(live_server: LiveServer, settings: Settings) -> None:
    """Each example is run, for a person whose name would break what is not quoted."""
    cast = build_cast()
    name = 'o\'nova "诺娃"'
    settings.PUBLIC_URL = live_server.url
    key = cast.keys["stranger"]
    environment = os.environ | {"KEEPSAKE_KEY": key, "OPENAI_BASE_URL": ""}
    for one in examples(f"{live_server.url}/api/v1", name):
        code = one.code.replace("ks_…", key)
        if one.name == "agent":
            code = re.sub(r"^export OPENAI.*\n", "", code, flags=re.MULTILINE)
            code = code.replace("python3", sys.executable).rstrip() + " 你好\n"
        python = one.name in ("httpx", "standard")
        done = subprocess.run(
            [sys.executable if python else "bash", "-"],
            input=code,
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, (one.name, done.stderr)
        assert "detail" not in done.stdout and done.stdout.strip(), (one.name, done.stdout)
    assert Subject.objects.filter(tenant=cast.globex, external_id=name).exists()
