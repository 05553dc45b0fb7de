"""Every page: whole in both languages, kept in no cache, under the policy, for its person alone."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Subject
from dashboard.words import sentences
from memory.choices import Origin
from memory.models import Memory
from tests.cast import ALICE, Cast, principal_of, remember
from tests.dashboard.conftest import PART, sign_in

CANARY = "Canary: the blue suitcase stands in Lisbon"
LISTS = (
    "overview",
    "memories",
    "memory-new",
    "months",
    "sessions",
    "reviews",
    "forgotten",
    "erasures",
    "activity",
    "agents",
    "connect",
    "export",
    "settings",
    "erase-all",
    "account-delete",
    "account",
    "account-devices",
    "account-keys",
    "support-access",
    "help",
)
ONE_MEMORY = ("memory", "memory-edit", "memory-forget", "memory-erase")
CHANGES = (
    "memory-show",
    "memory-edit",
    "memory-pause",
    "memory-resume",
    "memory-forget",
    "memory-undo",
    "memory-erase",
)


@pytest.fixture
def memory(put: Callable[..., Memory]) -> Memory:
    return put(CANARY)


def addresses(memory: Memory) -> list[str]:
    lists = [reverse(name) for name in LISTS]
    return lists + [reverse(name, args=[memory.id]) for name in ONE_MEMORY]


@pytest.mark.parametrize("lang", ["en", "zh-hans"])
def test_every_page_is_whole(alice: Client, memory: Memory, lang: str) -> None:
    alice.cookies["django_language"] = lang
    for address in addresses(memory):
        answer = alice.get(address)
        text = answer.content.decode()
        assert answer.status_code == 200, address
        assert f'<html lang="{ {"en": "en", "zh-hans": "zh-Hans"}[lang] }">' in text
        assert text.count("<h1") == 1, address
        assert text.count("<main") == 1 and text.rstrip().endswith("</html>")
        assert answer["Cache-Control"] == "no-store"
        assert answer["Referrer-Policy"] == "same-origin"


def test_pages_keep_to_the_policy(alice: Client, memory: Memory) -> None:
    answer = alice.get(reverse("memories"))
    policy = answer["Content-Security-Policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)
    assert nonce is not None
    assert "unsafe" not in policy and "require-trusted-types-for 'script'" in policy
    text = answer.content.decode()
    assert set(re.findall(r'nonce="([^"]*)"', text)) == {nonce[1]}
    assert "style=" not in text and "onclick" not in text


def test_in_chinese_nothing_of_the_page_is_english(alice: Client, memory: Memory) -> None:
    """What remains in Latin letters is the product's name, the memory itself, codes and keys."""
    alice.cookies["django_language"] = "zh-hans"
    known = "Keepsake|English|alice@example.com|Enter|curl|Python|httpx|OpenAI|JSON|Markdown|CSV|API|Shift|UTC|delivery"
    for address in addresses(memory):
        text = re.sub(r"<(script|style|svg)\b.*?</\1>", "", alice.get(address).content.decode())
        text = re.sub(r"<code>.*?</code>|<kbd>.*?</kbd>|<dd>semantic.*?</dd>", "", text)
        text = re.sub(r"<(\w+)[^>]* hx-ignore>.*?</\1>", "", text, flags=re.DOTALL)
        visible = re.findall(r">([^<]+)<", text)
        left = [one.strip() for one in visible if re.search(r"[A-Za-z]{3,}", one)]
        assert [one for one in left if not re.search(known, one)] == [], address


def test_in_chinese_no_space_follows_the_end_of_a_sentence(
    alice: Client, memory: Memory, cast: Cast
) -> None:
    Subject.objects.filter(id=cast.alice.id).update(learning="ask_first")
    asking = principal_of(cast.keys["assistant"], ALICE)
    waiting = remember(asking, "I enjoy long train rides", origin=Origin.AGENT)
    assert waiting.state == "pending"
    alice.cookies["django_language"] = "zh-hans"
    agent = reverse("agent", args=[cast.agents["assistant"].id])
    for address in (*addresses(memory), reverse("memory", args=[waiting.id]), agent):
        text = re.sub(r"<(script|style|pre)\b.*?</\1>", "", alice.get(address).content.decode())
        text = re.sub(r"<(\w+)[^>]* hx-ignore>.*?</\1>", "…", text, flags=re.DOTALL)
        text = re.sub(r"</?(?:a|span|strong|code|small|time)\b[^>]*>", "", text)
        assert re.findall(r"[^<>]*[。！？；：]\s+[^\s<][^<>]*", text) == [], address
    assert sentences("已保留。", "还有3件。") == "已保留。还有3件。"
    assert sentences("Kept.", "", "3 are left.") == "Kept. 3 are left."
    assert sentences("<b>管理员</b> 可以查看", "小王 的 Mac") == "<b>管理员</b>可以查看 小王 的 Mac"


def test_a_stranger_is_sent_to_the_sign_in_page(bob: Client, memory: Memory) -> None:
    visitor = Client(SERVER_NAME="localhost")
    for address in set(addresses(memory)) - {reverse("help")}:
        answer = visitor.get(address)
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/login/?next=/")
    part = visitor.get(reverse("memories"), headers=PART)
    assert part["HX-Redirect"].startswith("/accounts/login/")


def test_another_persons_memory_is_not_there(bob: Client, memory: Memory) -> None:
    """A foreign, an unknown and an erased id give the same page."""
    unknown = uuid.uuid4()
    pages = set()
    for id_ in (memory.id, unknown):
        for name in ONE_MEMORY:
            answer = bob.get(reverse(name, args=[id_]))
            assert answer.status_code == 404
            body = answer.content.decode()
            assert CANARY not in body
            pages.add(re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?:nonce|value)=\"[^\"]*\"", "", body))
        for name in CHANGES:
            answer = bob.post(reverse(name, args=[id_]), {"text": "x", "version": "1"})
            assert answer.status_code == 404, name
    assert len(pages) == 1
    assert Memory.objects.count() == 0 or memory.state == "active"


def test_a_login_without_a_person_gets_a_friendly_page(cast: Cast) -> None:
    nobody = sign_in(email="new@example.com")
    answer = nobody.get("/")
    assert answer.status_code == 200
    assert "No memories are linked to this login" in answer.content.decode()


def test_one_login_switches_between_its_persons(cast: Cast, put: Callable[..., Memory]) -> None:
    put(CANARY)
    both = sign_in(cast.alice, cast.charlie, email="both@example.com")
    assert CANARY in both.get(reverse("memories")).content.decode()
    assert both.post(reverse("person"), {"person": str(cast.charlie.id)}).status_code == 302
    text = both.get(reverse("memories")).content.decode()
    assert CANARY not in text and "Globex 环球" in text
    assert both.post(reverse("person"), {"person": str(cast.bob.id)}).status_code == 404
    assert both.post(reverse("person"), {"person": "x"}).status_code == 404


def test_a_form_from_elsewhere_is_refused(alice: Client, memory: Memory) -> None:
    strict = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    strict.cookies = alice.cookies
    for name in CHANGES:
        answer = strict.post(reverse(name, args=[memory.id]))
        assert answer.status_code == 403
        assert "This page was open for too long" in answer.content.decode()


def test_changes_are_never_made_by_a_link(alice: Client, memory: Memory) -> None:
    for name in ("memory-show", "memory-pause", "memory-resume"):
        assert alice.get(reverse(name, args=[memory.id])).status_code == 405
    alice.post(reverse("memory-forget", args=[memory.id]))
    assert alice.get(reverse("memory-undo", args=[memory.id])).status_code == 302
    assert "Forgotten" in alice.get(reverse("memory", args=[memory.id])).content.decode()


def test_no_page_says_a_memory_in_its_title_or_address(alice: Client, memory: Memory) -> None:
    for address in addresses(memory):
        text = alice.get(address).content.decode()
        title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
        assert title is not None and "suitcase" not in title[1]
        assert not [
            one for one in re.findall(r'(?:href|action|hx-\w+)="([^"]*)"', text) if "Lisbon" in one
        ]


def test_markup_in_a_memory_stays_text(alice: Client, put: Callable[..., Memory]) -> None:
    nasty = 'I like <b onmouseover="x()">bold</b> {{ moves }} & <a hx-get="/">this</a> very much'
    memory = put(nasty)
    for address in addresses(memory):
        text = alice.get(address).content.decode()
        assert "<b onmouseover" not in text and '<a hx-get="/"' not in text


def test_a_crash_shows_a_page_without_a_word_of_it(
    alice: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_args: object, **_named: object) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr("dashboard.views.memory.whole", crash)
    alice.raise_request_exception = False
    answer = alice.get(reverse("memory", args=[memory.id]))
    assert answer.status_code == 500
    assert "Something broke here" in answer.content.decode()
    assert "suitcase" not in answer.content.decode()
