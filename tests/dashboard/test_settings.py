"""Settings: each saved by itself, each says its effect, each holds at once."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from accounts import preferences
from accounts.acting import acting
from accounts.models import AuditEvent, Subject
from accounts.principal import Principal
from memory.choices.topics import Topic
from memory.models import Interest, Memory
from tests.cast import ALICE, Cast, principal_of, system_of


def save(client: Client, part: str, **data: str) -> str:
    answer = client.post(reverse(f"settings-{part}"), data, follow=True)
    assert answer.status_code == 200
    return flat(answer.content)


def flat(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", content.decode()))


def test_the_mode_holds_for_every_agent(alice: Client, cast: Cast) -> None:
    text = save(alice, "mode", mode="off", until="")
    assert "Saved. From now on: No agent can read or write anything." in text
    assert not principal_of(cast.keys["assistant"], ALICE).may_use
    text = save(alice, "mode", mode="use_only", until="hour")
    assert "This ends today" in text or "This ends " in text
    assistant = principal_of(cast.keys["assistant"], ALICE)
    assert assistant.may_use and not assistant.may_learn
    subject = Subject.objects.get(id=cast.alice.id)
    assert subject.memory_mode_until is not None
    assert "agents use what is here and keep nothing new · until" in flat(alice.get("/").content)
    save(alice, "mode", mode="normal", until="tomorrow")
    assert principal_of(cast.keys["assistant"], ALICE).may_learn
    assert Subject.objects.get(id=cast.alice.id).memory_mode_until is None


def test_learning_and_window_are_kept(alice: Client, cast: Cast) -> None:
    assert "Every guess of an agent waits" in save(alice, "learning", learning="ask_first")
    assert principal_of(cast.keys["assistant"], ALICE).learning == "ask_first"
    assert "It holds for what you forget from now on" in save(alice, "undo", minutes="1440")
    subject = Subject.objects.get(id=cast.alice.id)
    assert subject.undo_minutes == 1440
    lines = AuditEvent.objects.filter(code="subject.preferences_changed").order_by("id")
    assert [line.fields for line in lines] == [
        ["learning"],
        ["undo_minutes"],
    ]


@pytest.mark.parametrize(
    ("part", "data"),
    [
        ("mode", {"mode": "x"}),
        ("mode", {"mode": "off", "until": "x"}),
        ("learning", {"learning": "x"}),
        ("undo", {"minutes": "x"}),
        ("undo", {"minutes": "10081"}),
        ("undo", {"minutes": "-1"}),
        ("lists", {"sensitive": "x"}),
    ],
    ids=str,
)
def test_what_no_form_sends_changes_nothing(
    alice: Client, cast: Cast, part: str, data: dict[str, str]
) -> None:
    alice.get(reverse("settings"))  # the visit itself is noted
    before = Subject.objects.filter(id=cast.alice.id).values().get()
    answer = alice.post(reverse(f"settings-{part}"), data)
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert Subject.objects.filter(id=cast.alice.id).values().get() == before


def test_something_may_be_learnt_again(
    alice: Client, bob: Client, put: Callable[..., Memory], cast: Cast
) -> None:
    memory = put("I keep my bicycle in the red shed")
    address = reverse("memory-forget", args=[memory.id])
    alice.post(address, {"when": "undo", "never_again": "1"})
    text = alice.get(reverse("settings")).content.decode()
    assert "the same words" in text and "bicycle" not in text
    found = re.findall(r"/settings/again/([0-9a-f-]{36})/", text)
    assert bob.post(reverse("learn-again", args=[found[0]])).status_code == 404
    answer = alice.post(reverse("learn-again", args=[found[0]]), follow=True)
    assert "Saved. Agents may learn it again." in answer.content.decode()
    assert found[0] not in answer.content.decode()


def test_what_is_asked_about_is_shown_erased_and_switched_off(alice: Client, cast: Cast) -> None:
    with acting(system_of(cast.alice)):
        mine = {"tenant_id": cast.acme.id, "subject_id": cast.alice.id}
        Interest.objects.create(**mine, topic=Topic.FOOD, count=4)
        Interest.objects.create(**mine, topic=Topic.WORK, count=2)
    text = alice.get(reverse("settings")).content.decode()
    assert "Food and drink" in text and "4 messages" in text and "2 messages" not in text
    text = save(alice, "interests", do="erase")
    assert "Erased. Counting starts anew." in text and "Food and drink" not in text
    assert "Nothing is counted any more" in save(alice, "interests", do="off")
    assert not Subject.objects.get(id=cast.alice.id).interests
    assert "are counted from now on" in save(alice, "interests", do="on")
    assert alice.post(reverse("settings-interests"), {"do": "x"}).status_code == 422


def test_only_the_person_changes_them(agent: Principal) -> None:
    with pytest.raises(PermissionDenied):
        preferences.set_learning(agent, "ordinary")


def test_lists_withhold_sensitive_texts_unless_the_person_wants_them(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    memory = put("我有糖尿病", sensitivity=40)
    places = ("memories", "overview")
    assert not any("糖尿病" in flat(alice.get(reverse(one)).content) for one in places)
    assert "It holds for your lists" in save(alice, "lists", sensitive="show")
    assert all("糖尿病" in flat(alice.get(reverse(one)).content) for one in places)
    assert "Sensitive" in flat(alice.get(reverse("memories")).content), "the badge stays"
    save(alice, "lists", sensitive="hide")
    assert "糖尿病" not in flat(alice.get(reverse("memories")).content)
    assert "糖尿病" in flat(alice.get(reverse("memory", args=[memory.id])).content)
