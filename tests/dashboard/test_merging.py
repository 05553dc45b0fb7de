"""Another device: the person is asked in numbers, says yes or no, and can end the link."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Subject, SubjectMerge
from tests.cast import Api, Cast
from tests.dashboard.conftest import sign_in
from tests.memory.identity.test_merging import ask, device, met
from tests.memory.wire import listed, tell

__all__ = ["device"]
SAID = "I live in Suzhou."


@pytest.fixture
def api(cast: Cast) -> Api:
    return Api(cast.keys["assistant"])


@pytest.fixture
def merge(api: Api, device: Subject) -> str:
    met(api, SAID)
    return str(ask(api, device))


@pytest.mark.parametrize(
    ("lang", "title", "count"),
    [("en", "Is this you too?", "1 memory"), ("zh-hans", "这也是你吗？", "1条记忆")],
)
def test_the_question_is_asked_in_numbers(
    cast: Cast, merge: str, lang: str, title: str, count: str
) -> None:
    alice = sign_in(cast.alice, email="a@example.com", lang=lang)
    assert reverse("merge", args=[merge]) in alice.get("/agents/").content.decode()
    text = alice.get(reverse("merge", args=[merge])).content.decode()
    assert title in text and count in text and "assistant" in text
    assert "Suzhou" not in text


def test_yes_makes_it_theirs_and_the_link_can_be_ended(alice: Client, api: Api, merge: str) -> None:
    answer = alice.post(reverse("merge", args=[merge]), {"answer": "yes"}, follow=True)
    text = answer.content.decode()
    assert "It is yours now." in text and SAID in text
    assert "A device that became yours" in alice.get("/agents/").content.decode()
    text = alice.post(reverse("merge-unlink", args=[merge]), follow=True).content.decode()
    assert "The link is ended." in text and "A device that became yours" not in text
    assert len(listed(api)) == 1
    assert alice.get(reverse("merge", args=[merge])).status_code == 404


def test_what_differs_leads_to_what_waits(alice: Client, api: Api, merge: str) -> None:
    tell(api, "我住在杭州。")
    answer = alice.post(reverse("merge", args=[merge]), {"answer": "yes"}, follow=True)
    assert "please decide" in answer.content.decode() and SAID in answer.content.decode()


def test_no_moves_nothing(alice: Client, api: Api, merge: str) -> None:
    answer = alice.post(reverse("merge", args=[merge]), {"answer": "no"}, follow=True)
    assert "Nothing was moved." in answer.content.decode()
    assert listed(api) == [] and SubjectMerge.objects.get().state == "refused"


def test_another_persons_question_is_not_there(bob: Client, merge: str) -> None:
    address = reverse("merge", args=[merge])
    assert bob.get(address).status_code == 404
    assert bob.post(address, {"answer": "yes"}).status_code == 404
    assert bob.post(reverse("merge-unlink", args=[merge])).status_code == 404
