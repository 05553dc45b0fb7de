"""Conversations: what a person sees of them, and erasing one with what came from it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Erasure
from tests.cast import Api, Cast
from tests.dashboard.conftest import PART, sign_in
from tests.memory.wire import day, listed, open_session, tell

SAID, OTHER, SECOND = "我对腰果过敏，请留意。", "I live in Suzhou.", "I moved to Wuxi."


def said(text: str, at: int, role: str = "user") -> dict[str, str]:
    return {"role": role, "content": text, "at": day(at)}


@pytest.fixture
def agent_api(cast: Cast) -> Api:
    return Api(cast.keys["assistant"])


@pytest.fixture
def sessions(agent_api: Api) -> tuple[str, str]:
    """Two conversations: in the second the home town of the first was replaced."""
    first, second = open_session(agent_api, "first"), open_session(agent_api, "second")
    tell(agent_api, said(SAID, 0), said("canary tool output", 0, "tool"), session=first)
    tell(agent_api, said(OTHER, 1), session=first)
    tell(agent_api, said(SECOND, 2), session=second)
    return first, second


def test_the_list_says_when_with_whom_and_what_was_kept(
    alice: Client, bob: Client, sessions: tuple[str, str]
) -> None:
    text = alice.get(reverse("sessions")).content.decode()
    assert text.index(sessions[1]) < text.index(sessions[0])  # the newest first
    for words in ("assistant", "3 messages", "1 message", "2 memories kept of it", "Open"):
        assert words in text
    assert SAID not in text
    assert "No conversations yet." in bob.get(reverse("sessions")).content.decode()


@pytest.mark.parametrize(("lang", "last"), [("en", "7 Feb"), ("zh-hans", "2月7日")])
def test_it_was_when_it_was_said_not_when_it_was_handed_over(
    cast: Cast, agent_api: Api, lang: str, last: str
) -> None:
    session = open_session(agent_api, "old 旧")
    for when in ("2026-02-07T09:00:00+00:00", "2026-02-03T09:00:00+00:00"):
        tell(agent_api, said("早 morning", 0) | {"at": when}, session=session)
    alice = sign_in(cast.alice, email="a@example.com", lang=lang)
    for page in (
        reverse("sessions"),
        reverse("session", args=[session]),
        reverse("session-erase", args=[session]),
    ):
        assert '<time datetime="2026-02-03T09:00:00' in alice.get(page).content.decode()
    assert last in alice.get(reverse("session", args=[session])).content.decode()


def test_one_is_opened_with_what_was_said_and_kept(
    alice: Client, sessions: tuple[str, str]
) -> None:
    text = alice.get(reverse("session", args=[sessions[0]])).content.decode()
    kept, _, told = text.partition("What was said")
    assert "Sensitive memory about health" in kept and SAID not in kept
    assert SAID in told and OTHER in told
    assert "Show 18 characters" in told and "canary tool output" in told


def test_long_ones_come_in_parts(alice: Client, agent_api: Api) -> None:
    session = open_session(agent_api, "long")
    for start in (0, 30):
        tell(agent_api, *(said(f"hm {start + n} 嗯", n) for n in range(30)), session=session)
    page = alice.get(reverse("session", args=[session])).content.decode()
    more = page.split('hx-get="')[1].split('"')[0]
    part = alice.get(more, headers=PART).content.decode()
    assert page.count('<li class="item') == 50 and part.count('<li class="item') == 10
    assert "<main" not in part


@pytest.mark.parametrize(
    ("lang", "title"), [("en", "Erase this conversation now?"), ("zh-hans", "现在清除这个会话？")]
)
def test_the_question_says_what_goes_and_what_stays(
    cast: Cast, sessions: tuple[str, str], lang: str, title: str
) -> None:
    alice = sign_in(cast.alice, email="a@example.com", lang=lang)
    text = alice.get(reverse("session-erase", args=[sessions[1]])).content.decode()
    assert title in text
    first = alice.get(reverse("session-erase", args=[sessions[0]])).content.decode()
    if lang == "en":
        assert "1 memory, with the words it had without what is erased" in text
        assert "1 memory that rests on nothing else:" in first and "3 messages" in first
    assert SAID not in first  # sensitive: withheld here too


def test_erasing_goes_to_the_tracker_and_everything_is_gone(
    alice: Client, agent_api: Api, sessions: tuple[str, str]
) -> None:
    answer = alice.post(reverse("session-erase", args=[sessions[0]]), follow=True)
    text = answer.content.decode()
    assert "Erasure of a conversation" in text and "Erasing has begun." in text
    assert "A conversation and what came from it" in alice.get("/erasures/").content.decode()
    assert alice.get(reverse("session", args=[sessions[0]])).status_code == 404
    assert sessions[0] not in alice.get(reverse("sessions")).content.decode()
    assert [one["text"] for one in listed(agent_api)] == [SECOND]
    assert Erasure.objects.get().scope == "session"


def test_another_persons_is_not_there(bob: Client, sessions: tuple[str, str]) -> None:
    for name in ("session", "session-erase"):
        assert bob.get(reverse(name, args=[sessions[0]])).status_code == 404
    assert bob.post(reverse("session-erase", args=[sessions[0]])).status_code == 404
    assert not Erasure.objects.exists()
