"""What changed nothing is said so, or not offered; what is forgotten together is shown and erased whole."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from memory.choices import Sensitivity
from memory.models import Memory
from tests.cast import Cast, operator, system_of
from tests.dashboard.test_agents import ALL, flat
from tests.dashboard.test_bulk import TEXTS, all_mark, do, picked, states, text_of
from tests.dashboard.test_importing import PASTED, brought

HEALTH = ("I am allergic to penicillin", "我对花生过敏")
UNTICKED = {
    "en": "Everything you picked is sensitive. Nothing was changed: tick that they are meant.",
    "zh-hans": "你选中的都是敏感记忆，没有改动任何内容。请勾选确认包括它们。",
}


@pytest.fixture
def three(put: Callable[..., Memory]) -> list[Memory]:
    return [put(text) for text in TEXTS]


@pytest.mark.parametrize("lang", UNTICKED)
@pytest.mark.parametrize("act", ["forget", "resume"])
def test_only_sensitive_ones_without_the_tick_are_asked_about_again(
    alice: Client, cast: Cast, put: Callable[..., Memory], lang: str, act: str
) -> None:
    """It said "Forgot 0 memories." as if something had been done."""
    found = [put(text, sensitivity=Sensitivity.SPECIAL) for text in HEALTH]
    if act == "resume":
        do(alice, "pause", ids=[str(one.id) for one in found])
    before = states(cast, *found)
    alice.cookies["django_language"] = lang
    asked = alice.post(reverse("bulk"), {"act": act, "ids": [str(one.id) for one in found]})
    sent = {"act": act, "picked": picked(text_of(asked))}
    answer = alice.post(reverse("bulk-confirm"), sent)
    page = text_of(answer)
    assert answer.status_code == 422 and UNTICKED[lang] in page
    assert 'aria-invalid="true"' in page and states(cast, *found) == before
    sent |= {"picked": picked(page), "sensitive": "1"}
    assert alice.post(reverse("bulk-confirm"), sent).status_code == 302
    assert not set(states(cast, *found)) & set(before)


def test_what_changed_meanwhile_is_not_said_to_be_forgotten(
    alice: Client, cast: Cast, three: list[Memory]
) -> None:
    asked = alice.post(reverse("bulk"), {"act": "pause", "all": all_mark(alice)})
    do(alice, "pause", all=all_mark(alice))
    sent = {"act": "pause", "picked": picked(text_of(asked))}
    page = text_of(alice.post(reverse("bulk-confirm"), sent, follow=True))
    assert "Nothing to change" in page and "Paused" not in page.partition("<main")[2]


def test_of_what_lost_its_place_alone_nothing_is_said_to_be_back(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    put("I live in Hangzhou", attribute="home.city")
    page = do(alice, "forget", all=all_mark(alice))
    put("我现在住在成都", attribute="home.city")
    with acting(system_of(cast.alice)):
        until = Memory.objects.get(state="forgotten").undo_until
    assert until is not None and "Forgot 1 memory." in page
    sent = {"until": until.isoformat()}
    page = text_of(alice.post(reverse("bulk-undo"), sent, follow=True))
    assert (
        "Nothing was changed. 1 was left as it is" in page
        and 'class="note danger" role="status"' in page
    )


@pytest.mark.parametrize(
    ("lang", "before", "after"),
    [
        ("en", "There is no undo: they are erased at once", "Their erasure begins."),
        ("zh-hans", "不能撤销：会立即连同来源消息一起清除。", "清除即将开始。"),
    ],
)
def test_without_an_undo_window_none_is_promised(
    alice: Client, cast: Cast, three: list[Memory], lang: str, before: str, after: str
) -> None:
    Subject.objects.filter(id=cast.alice.id).update(undo_minutes=0)
    alice.cookies["django_language"] = lang
    asked = text_of(alice.post(reverse("bulk"), {"act": "forget", "all": all_mark(alice)}))
    assert before in asked and "You can undo" not in asked and "一起撤销" not in asked
    done = do(alice, "forget", all=all_mark(alice))
    assert after in done and "You can undo until" not in done


@pytest.mark.parametrize(
    ("lang", "asks", "begun"),
    [
        ("en", "Erase 7 memories now?", "Erasing has begun."),
        ("zh-hans", "现在清除7条记忆吗？", "已开始清除"),
    ],
)
def test_all_that_was_forgotten_together_is_shown_and_erased_at_once(
    alice: Client, cast: Cast, put: Callable[..., Memory], lang: str, asks: str, begun: str
) -> None:
    """Five of them were listed, the others not even counted, and none could be erased from there."""
    texts = ("cello", "opera", "tennis", "早上喝乌龙茶", "周末去爬山", "pottery", "在苏州上学")
    kept = put("My sister lives in Porto")
    found = [put(f"I told you about {text}") for text in texts]
    alice.cookies["django_language"] = lang
    page = do(alice, "forget", ids=[str(one.id) for one in found])
    assert all(f"I told you about {text}" in page for text in texts) and "<details" in page
    link = re.search(r'href="([^"]*/forgotten/erase/[^"]*)"', page)
    assert link is not None
    asked = text_of(alice.get(link[1]))
    until = re.search(r'name="until" value="([^"]+)"', asked)
    assert asks in asked and until is not None
    answer = text_of(alice.post(reverse("bulk-erase"), {"until": until[1]}, follow=True))
    assert begun in answer and states(cast, kept) == ["active"]
    assert set(states(cast, *found)) <= {"erasing", "erased"}
    assert alice.get(link[1]).status_code == 404
    assert alice.post(reverse("bulk-erase"), {"until": until[1]}).status_code == 404
    assert alice.get(reverse("bulk-erase")).status_code == 400


def test_what_was_forgotten_together_is_erased_by_nobody_else(
    alice: Client, bob: Client, cast: Cast, three: list[Memory]
) -> None:
    page = do(alice, "forget", all=all_mark(alice))
    until = re.search(r'name="until" value="([^"]+)"', page)
    assert until is not None
    assert bob.post(reverse("bulk-erase"), {"until": until[1]}).status_code == 404
    assert set(states(cast, *three)) == {"forgotten"}


def test_what_pausing_would_not_change_is_not_offered_it(alice: Client, cast: Cast) -> None:
    """ "Pause it" stood on agents that had no rights, and on those the operator had stopped."""
    agent = cast.agents["assistant"]
    pausing = reverse("agent-pause", args=[agent.id])
    assert pausing in flat(alice.get(reverse("agents")).content)
    alice.post(reverse("agent-disconnect", args=[agent.id]))
    assert pausing not in flat(alice.get(reverse("agents")).content)
    assert pausing not in flat(alice.get(reverse("agent", args=[agent.id])).content)
    alice.post(reverse("agent-rights", args=[agent.id]), ALL)
    assert pausing in flat(alice.get(reverse("agent", args=[agent.id])).content)
    with acting(operator(cast.acme)):
        type(agent).objects.filter(id=agent.id).update(paused_at=timezone.now())
    alice.cookies["django_language"] = "zh-hans"
    page = flat(alice.get(reverse("agent", args=[agent.id])).content)
    assert pausing not in page and "已被管理员停用" in page
    assert pausing not in flat(alice.get(reverse("agents")).content)


def test_nothing_chosen_is_said_as_an_error(alice: Client) -> None:
    """It stood there in green, with a check."""
    address = brought(alice, text=PASTED)
    page = alice.post(f"{address}take/", {}, follow=True).content.decode()
    page = " ".join(page.split())
    note = page.partition('class="note danger" role="status"')[2].partition("</div>")[0]
    assert "Choose at least one group. Nothing was brought in." in note
