"""A memory's past: compared, brought back, one wording erased; its source erased or not learnt from."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from accounts.models import AuditEvent
from accounts.principal import Principal
from memory.errors import Forbidden, NotFound
from memory.models import Erasure, Event, Memory, Suppression, Version
from memory.sessions.sources import erase_source, source_reach, unlearn_source, wording_reach
from memory.write.correct import bring_back
from tests.cast import Api, Cast, system_of
from tests.dashboard.conftest import recalled
from tests.memory.wire import listed, tell

FIRST, SECOND = "I keep my bicycle in the red shed", "我的自行车放在蓝色棚子里"


@pytest.fixture
def corrected(alice: Client, put: Callable[..., Memory]) -> Memory:
    """A memory in its second wording."""
    memory = put(FIRST)
    alice.post(reverse("memory-edit", args=[memory.id]), {"text": SECOND, "version": "1"})
    return memory


def text_of(client: Client, name: str, *args: object, query: str = "") -> str:
    answer = client.get(reverse(name, args=args) + query)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def said_as_an_error(page: bytes) -> bool:
    return re.search(r'class="note danger"\s+role="status"', page.decode()) is not None


def test_two_wordings_are_compared(alice: Client, corrected: Memory) -> None:
    shown = text_of(alice, "memory-compare", corrected.id, query="?a=2&b=1")
    assert "Version 2 → version 1" in shown
    assert SECOND in shown.replace("</del>", "").replace("<del>", "") or "removed:" in shown
    assert "Version 1 → version 2" in text_of(alice, "memory-compare", corrected.id)
    assert "Version 1 → version 2" in text_of(
        alice, "memory-compare", corrected.id, query="?a=x&b=99"
    )


def test_an_old_wording_comes_back_as_a_new_version(
    alice: Client, corrected: Memory, agent: Principal
) -> None:
    address = reverse("wording-restore", args=[corrected.id, 1])
    answer = alice.post(address, {"version": "2"}, follow=True)
    shown = html.unescape(answer.content.decode())
    assert "Saved as version 3, with the words of version 1." in shown
    assert "with the words of version 1" in shown and FIRST in shown
    assert any(FIRST in one for one in recalled(agent, "Where is my bicycle?"))
    stale = alice.post(address, {"version": "2"}, follow=True)
    assert "It was changed meanwhile." in stale.content.decode()
    assert said_as_an_error(stale.content), "a refusal is not shown as done"
    alice.cookies["django_language"] = "zh-hans"
    stale = alice.post(address, {"version": "2"}, follow=True)
    assert said_as_an_error(stale.content)
    assert alice.post(reverse("wording-restore", args=[corrected.id, 9])).status_code == 404


def test_one_wording_is_erased_and_the_page_says_what_is_lost(
    alice: Client, corrected: Memory, cast: Cast
) -> None:
    shown = text_of(alice, "wording-erase", corrected.id, 1)
    assert "Erase version 1 now?" in shown and FIRST in shown
    assert "A memory that says:" in shown and SECOND in shown
    answer = alice.post(reverse("wording-erase", args=[corrected.id, 1]))
    erasure = Erasure.objects.get()
    assert answer["Location"] == reverse("erasure", args=[erasure.id])
    assert erasure.scope == "wording"
    (left,) = listed(Api(cast.keys["alice"]))
    assert left["text"] == SECOND and left["id"] != str(corrected.id)


def test_the_only_wording_is_the_memory(alice: Client, put: Callable[..., Memory]) -> None:
    memory = put(FIRST)
    assert "The whole memory" in text_of(alice, "wording-erase", memory.id, 1)
    assert alice.get(reverse("wording-erase", args=[memory.id, 2])).status_code == 404


@pytest.mark.parametrize(
    "said", ["我住在苏州。我喜欢喝龙井。", "I live in Oslo. I like green tea."]
)
def test_the_source_goes_with_all_that_came_from_it_alone(
    alice: Client, cast: Cast, said: str
) -> None:
    tell(Api(cast.keys["assistant"]), said)
    found = listed(Api(cast.keys["alice"]))
    assert len(found) == 2
    one = found[0]["id"]
    assert reverse("memory-source", args=[one]) in text_of(alice, "memory", one)
    shown = text_of(alice, "memory-source", one)
    assert "2 memories that rest on nothing else" in shown
    assert all(item["text"] in shown for item in found)
    answer = alice.post(reverse("memory-source", args=[one]))
    assert answer.status_code == 302 and Erasure.objects.get().scope == "messages"
    assert listed(Api(cast.keys["alice"])) == []


def test_what_it_was_learnt_from_is_not_learnt_from_again(alice: Client, cast: Cast) -> None:
    assistant, person = Api(cast.keys["assistant"]), Api(cast.keys["alice"])
    tell(assistant, "我住在苏州。")
    (memory,) = listed(person)
    alice.post(reverse("source-unlearn", args=[memory["id"]]))
    with acting(system_of(cast.alice)):
        assert Event.objects.count() == 1 and Version.objects.count() == 1
        kept = Suppression.objects.get()
    assert AuditEvent.objects.filter(code="source.suppressed", result_count=1).exists()
    assert listed(person) == [memory]
    page = text_of(alice, "memory", memory["id"])
    assert "Nothing more is learnt from this source." in page
    assert "Don't learn from this source" not in page, "pressed again it would do nothing"
    settings = text_of(alice, "settings")
    assert "what one message said" in settings
    assert alice.post(reverse("learn-again", args=[kept.id])).status_code == 302
    assert "what one message said" not in text_of(alice, "settings")
    assert "Don't learn from this source" in text_of(alice, "memory", memory["id"])


def test_without_a_message_there_is_no_source_to_erase(
    alice: Client, put: Callable[..., Memory]
) -> None:
    memory = put(FIRST)
    assert reverse("memory-source", args=[memory.id]) not in text_of(alice, "memory", memory.id)
    for send in (alice.get, alice.post):
        assert send(reverse("memory-source", args=[memory.id])).status_code == 404


def test_it_is_nobody_elses(bob: Client, corrected: Memory, agent: Principal) -> None:
    for id_ in (corrected.id, uuid.uuid4()):
        for name, *more in (
            ("memory-compare",),
            ("wording-erase", 1),
            ("memory-source",),
        ):
            assert bob.get(reverse(name, args=[id_, *more])).status_code == 404
        for name, *more in (
            ("wording-restore", 1),
            ("wording-erase", 1),
            ("memory-source",),
            ("source-unlearn",),
        ):
            assert bob.post(reverse(name, args=[id_, *more]), {"version": "2"}).status_code == 404
    for service in (source_reach, erase_source, unlearn_source):
        with pytest.raises(Forbidden):
            service(agent, corrected.id)
    with pytest.raises(Forbidden):
        wording_reach(agent, corrected.id, 1)
    with pytest.raises(Forbidden):
        bring_back(agent, corrected.id, 1, if_version=2)
    with pytest.raises((Forbidden, NotFound)):
        bring_back(agent, uuid.uuid4(), 1, if_version=2)
    assert not Erasure.objects.exists()
