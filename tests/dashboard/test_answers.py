"""Answers to what waits: named by their question, given on the memory's page, taken back another way."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.acting import acting
from accounts.models import Subject
from memory.models import Memory, ReviewItem
from tests.cast import Cast, system_of
from tests.dashboard.test_reviews import GUESS, asking, decide, guess, item, text_of

__all__ = ["asking", "guess", "item"]


@pytest.mark.parametrize(
    ("kind", "lang", "does", "badge"),
    [
        ("merge", "en", "They stay apart, each as it was.", "Left apart"),
        ("merge", "zh-hans", "未合并，各条记忆保持原样。", "未合并"),
        ("stale", "en", "It is not learnt again", "Not any more"),
        ("forget", "zh-hans", "之后会被清除", "已忘掉"),
        ("wrong", "en", "It is not learnt again", "Not true"),
    ],
)
def test_an_answer_is_named_by_its_question(
    alice: Client, item: ReviewItem, cast: Cast, kind: str, lang: str, does: str, badge: str
) -> None:
    """ "Leave them apart" said "it will be erased", and stood as "Not true" among today's decisions."""
    with acting(system_of(cast.alice)):
        ReviewItem.objects.filter(id=item.id).update(kind=kind)
    alice.cookies["django_language"] = lang
    text = decide(alice, item, "reject")
    assert does in text and badge in text.partition('id="decided"')[2]
    again = decide(alice, item, "keep").partition('id="decided"')[0]
    assert f"{badge}. Nothing was changed" in again or f"{badge}。这次没有改动" in again


def test_no_undo_is_offered_that_the_undo_window_does_not_give(
    alice: Client, item: ReviewItem, cast: Cast
) -> None:
    Subject.objects.filter(id=cast.alice.id).update(undo_minutes=0)
    text = decide(alice, item, "reject")
    assert "Decided today" in text and GUESS in text
    assert reverse("review-undo", args=[item.id]) not in text and "undo until" not in text
    assert "Not true. Nothing was changed now." in decide(alice, item, "undo")


@pytest.mark.parametrize(
    ("lang", "keep", "no", "says"),
    [
        ("en", "Keep", "Not true", "is not used until you keep it, unless it says “In use”"),
        ("zh-hans", "保留", "不属实", "在你保留之前不会被使用；标明“使用中”的除外"),
    ],
)
def test_the_page_of_what_waits_asks_too(
    alice: Client, item: ReviewItem, guess: Memory, lang: str, keep: str, no: str, says: str
) -> None:
    alice.cookies["django_language"] = lang
    assert says in text_of(alice)
    page = reverse("memory", args=[guess.id])
    text = text_of(alice, page)
    for what, words in (("keep", keep), ("reject", no)):
        form = text.partition(f'action="{reverse(f"review-{what}", args=[item.id])}"')[2]
        assert words in form.partition("</form>")[0]
    decide(alice, item, "keep")
    assert reverse("review-keep", args=[item.id]) not in text_of(alice, page)


@pytest.mark.parametrize("how", ["memory-undo", "bulk-undo"])
def test_undone_as_a_forgetting_it_waits_again(
    alice: Client, item: ReviewItem, guess: Memory, how: str
) -> None:
    """Its page said "It waits for you", and the queue went on saying "Not true"."""
    decide(alice, item, "reject")
    if how == "bulk-undo":
        with acting(system_of(Subject.objects.get(id=guess.subject_id))):
            guess.refresh_from_db()
        assert guess.undo_until is not None
        alice.post(reverse(how), {"until": guess.undo_until.isoformat()})
    else:
        alice.post(reverse(how, args=[guess.id]))
    text = text_of(alice)
    assert "1 waits" in text and GUESS in text and "Decided today" not in text
    assert "Kept." in decide(alice, item, "keep")
