"""What waits: unused until kept; kept, edited, refused, put off, taken back."""

from __future__ import annotations

import html
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from accounts.principal import Principal
from memory.choices import Origin
from memory.models import Memory, ReviewItem
from tests.cast import ALICE, Cast, principal_of, remember, system_of
from tests.crowd import _memories, _reviews
from tests.dashboard.conftest import PART, recalled

GUESS = "I enjoy long train rides through the mountains"
QUESTION = "Which long train rides do I enjoy?"


@pytest.fixture
def asking(cast: Cast) -> Principal:
    """Alice's assistant, while she wants to be asked first."""
    Subject.objects.filter(id=cast.alice.id).update(learning="ask_first")
    return principal_of(cast.keys["assistant"], ALICE)


@pytest.fixture
def guess(asking: Principal) -> Memory:
    memory = remember(asking, GUESS, origin=Origin.AGENT)
    assert memory.state == "pending"
    return memory


@pytest.fixture
def item(guess: Memory, cast: Cast) -> ReviewItem:
    with acting(system_of(cast.alice)):
        return ReviewItem.objects.get(memory=guess)


def text_of(client: Client, address: str = "") -> str:
    answer = client.get(address or reverse("reviews"))
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def decide(client: Client, item: ReviewItem, what: str, **data: str) -> str:
    address = reverse(f"review-{what}", args=[item.id])
    answer = client.post(address, data, follow=True)
    assert answer.status_code == 200
    return html.unescape(re.sub(r"\s+", " ", answer.content.decode()))


def test_it_waits_with_its_reasons(alice: Client, item: ReviewItem, asking: Principal) -> None:
    text = text_of(alice)
    assert GUESS in text and "1 waits" in text and "An agent worked this out" in text
    assert "lapses on" in text and GUESS not in recalled(asking, QUESTION)


def test_keeping_gives_it_to_agents_and_undo_takes_it_back(
    alice: Client, item: ReviewItem, asking: Principal
) -> None:
    text = decide(alice, item, "keep")
    assert "Kept. Agents you allow can use it now. Nothing else waits for you." in text
    assert "Decided today" in text and GUESS in recalled(asking, QUESTION)
    text = decide(alice, item, "undo")
    assert "waits for you again" in text and "1 is left." in text
    assert GUESS not in recalled(asking, QUESTION)


def test_not_true_is_not_learnt_again(alice: Client, item: ReviewItem, asking: Principal) -> None:
    assert "It is not learnt again" in decide(alice, item, "reject")
    with pytest.raises(AssertionError, match="SUPPRESSED"):
        remember(asking, GUESS, origin=Origin.AGENT)
    assert "waits for you again" in decide(alice, item, "undo")
    assert GUESS in text_of(alice)


def test_later_puts_it_off(alice: Client, item: ReviewItem) -> None:
    assert "Put off until tomorrow." in decide(alice, item, "later")
    assert GUESS not in text_of(alice) and "Nothing waiting." in text_of(alice)


def test_it_is_kept_in_the_persons_words(
    alice: Client, item: ReviewItem, asking: Principal
) -> None:
    address = reverse("review-edit", args=[item.id])
    assert GUESS in text_of(alice, address)
    empty = alice.post(address, {"text": " "})
    assert empty.status_code == 422 and "Write what agents should" in empty.content.decode()
    mine = "I enjoy long train rides along the coast"
    assert "Kept in your words." in decide(alice, item, "edit", text=mine)
    found = recalled(asking, QUESTION)
    assert mine in found and GUESS not in found


def test_deciding_twice_says_what_was_decided(alice: Client, item: ReviewItem) -> None:
    decide(alice, item, "keep")
    text = decide(alice, item, "reject")
    assert re.search(r"You decided this today [^:]+:[^:]+: Kept. Nothing was changed now.", text)


def test_a_sensitive_one_is_shown_when_asked(alice: Client, asking: Principal, cast: Cast) -> None:
    cleared = asking.using(clearance=40)
    memory = remember(cleared, "I was diagnosed with asthma", origin=Origin.AGENT)
    with acting(system_of(cast.alice)):
        item = ReviewItem.objects.get(memory=memory)
    assert "asthma" not in text_of(alice)
    assert "asthma" in text_of(alice, reverse("reviews") + f"?show={item.id}")


def test_a_challenger_shows_what_it_would_change(
    alice: Client, asking: Principal, cast: Cast
) -> None:
    remember(asking, "I live in Hangzhou", attribute="home.city")
    rival = remember(asking, "I live in Shanghai", attribute="home.city", origin=Origin.AGENT)
    with acting(system_of(cast.alice)):
        item = ReviewItem.objects.get(memory=rival)
    text = text_of(alice)
    assert "it changes what is remembered now" in text
    assert "Hangzhou</del>" in text and "Shanghai</ins>" in text
    assert "Kept." in decide(alice, item, "keep")
    found = recalled(asking, "Where do I live?")
    assert "I live in Shanghai" in found and "I live in Hangzhou" not in found


def test_another_persons_is_not_there(bob: Client, item: ReviewItem) -> None:
    for id_ in (item.id, uuid.uuid4()):
        for what in ("keep", "edit", "reject", "later", "undo"):
            answer = bob.post(reverse(f"review-{what}", args=[id_]), {"text": "x"})
            assert answer.status_code == 404, what
    assert GUESS not in text_of(bob)


def test_the_number_beside_the_place_counts_what_waits(alice: Client, item: ReviewItem) -> None:
    def beside(address: str) -> str | None:
        found = re.search(r'id="waiting"[^>]*>(\d+)<', alice.get(address).content.decode())
        return found and found[1]

    overview = text_of(alice, "/")
    assert f'<a href="{reverse("reviews")}"> 1 waits for you.' in overview
    assert beside("/") == beside(reverse("memories")) == "1"
    decide(alice, item, "later")
    assert "hidden" in alice.get("/").content.decode().partition('id="waiting"')[2][:20]
    assert "waits for you." not in text_of(alice, "/")


def test_htmx_gets_the_queue_and_the_number_beside_it(alice: Client, item: ReviewItem) -> None:
    kept = alice.post(reverse("review-keep", args=[item.id]), headers=PART).content.decode()
    assert "<html" not in kept and 'id="queue"' in kept and "Decided today" in kept
    assert 'data-say="Kept. Agents you allow can use it now. Nothing else waits for you."' in kept
    assert re.search(r'id="waiting"\s+hx-swap-oob="true"\s+hidden>0<', kept)
    again = alice.post(reverse("review-keep", args=[item.id]), headers=PART).content.decode()
    assert 'data-say="You decided this today' in again


def waiting(asking: Principal, cast: Cast, *texts: str, **proposed: Any) -> list[str]:
    """Let the assistant guess; return the ids of the questions."""
    made = [remember(asking, text, origin=Origin.AGENT, **proposed).id for text in texts]
    with acting(system_of(cast.alice)):
        found = ReviewItem.objects.filter(memory_id__in=made).order_by("created_at")
        return [str(one) for one in found.values_list("id", flat=True)]


def together(client: Client, ids: list[str], answer: str) -> str:
    sent = {"ids": ids, "answer": answer}
    answered = client.post(reverse("review-together"), sent, follow=True)
    return html.unescape(re.sub(r"\s+", " ", answered.content.decode()))


def test_guesses_of_one_agent_are_kept_together(
    alice: Client, asking: Principal, cast: Cast
) -> None:
    ids = waiting(asking, cast, GUESS, "我喜欢在海边散步")
    assert "Keep all 2" in text_of(alice)
    page = together(alice, ids, "keep")
    assert "Kept 2. Agents you allow can use them now." in page and "Decided today" in page
    assert GUESS in recalled(asking, QUESTION)
    decide(alice, ReviewItem(id=uuid.UUID(ids[0])), "undo")
    assert GUESS not in recalled(asking, QUESTION)


def test_guesses_of_one_agent_are_rejected_together(
    alice: Client, asking: Principal, cast: Cast
) -> None:
    ids = waiting(asking, cast, GUESS, "我喜欢在海边散步")
    assert "2 are not learnt again" in together(alice, ids, "reject")
    with pytest.raises(AssertionError, match="SUPPRESSED"):
        remember(asking, GUESS, origin=Origin.AGENT)


def test_what_is_sensitive_or_disagrees_is_answered_by_itself(
    alice: Client, asking: Principal, cast: Cast
) -> None:
    plain = waiting(asking, cast, GUESS)
    special = waiting(asking.using(clearance=40), cast, "I was diagnosed with asthma")
    assert "Keep all" not in text_of(alice)
    assert "Nothing was changed now." in together(alice, [*plain, *special], "keep")
    assert GUESS not in recalled(asking, QUESTION)
    assert "Nothing was changed now." in together(alice, plain, "keep"), "one is no group"
    assert alice.post(reverse("review-together"), {"ids": ["x"]}).status_code == 400


def test_a_group_decided_elsewhere_is_left_alone(
    alice: Client, asking: Principal, cast: Cast
) -> None:
    ids = waiting(asking, cast, GUESS, "我喜欢在海边散步")
    decide(alice, ReviewItem(id=uuid.UUID(ids[0])), "keep")
    assert "One of these was decided meanwhile." in together(alice, ids, "reject")
    assert GUESS in recalled(asking, QUESTION)


def test_of_many_the_oldest_are_shown_and_every_kind_is_named(alice: Client, cast: Cast) -> None:
    """A kind whose first question waits behind fifty others could not be reached."""
    owner = {"tenant_id": cast.alice.tenant_id, "subject_id": cast.alice.id}
    with acting(system_of(cast.alice)):
        waiting = _memories(cast.alice, owner, 59, "pending")
        _reviews(waiting, owner)
        (holder,) = _memories(cast.alice, owner, 1, "active")
        Memory.objects.filter(id=holder).update(single=True, attribute="home", slot=0)
        late = ReviewItem.objects.filter(memory_id=waiting[-1])
        late.update(kind="stale", created_at=timezone.now() + timedelta(hours=1))
    text = text_of(alice)
    assert text.count('class="item one"') == 50 and "9 more come after these." in text
    assert "Still true?" in text and text.count("it changes what is remembered now") == 1
    one = text_of(alice, f"{reverse('reviews')}?kind=stale")
    assert one.count('class="item one"') == 1 and "come after these" not in one
    alice.cookies["django_language"] = "zh-hans"
    assert "之后还有9条。" in text_of(alice)
