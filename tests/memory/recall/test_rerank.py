"""The optional reranker in a recall: it orders what passed, and fails open."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from memory.choices import Sensitivity
from memory.errors import RerankerUnavailable
from memory.providers import server
from memory.recall import rerank
from tests.cast import Api, Cast, principal_of, remember
from tests.memory.knowledge.shelf import look, put
from tests.memory.providers.endpoint import Endpoint, Reply, running
from tests.memory.providers.test_reranking import longest_first
from tests.memory.wire import propose, recall, texts

SHORT = "Owns a kayak 皮划艇"
LONG = "Sold the second kayak 皮划艇 to a neighbour in the spring of last year"
OTHER = "Plays the cello 大提琴 in a string quartet every Thursday evening at home"


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A reranker for which the longest text answers best."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(server, "PAUSE", 0.01)
    with running() as found:
        found.answer = longest_first
        with override_settings(RERANKER="tei", RERANKER_BASE_URL=found.base_url):
            yield found


def test_it_is_off_unless_it_is_set(api: Api) -> None:
    propose(api, SHORT)
    propose(api, LONG)
    answer = recall(api, "kayak 皮划艇")
    assert (answer["degraded"], texts(answer["memories"])) == ([], [SHORT, LONG])


def test_it_orders_what_passed_and_lets_nothing_in(api: Api, endpoint: Endpoint) -> None:
    for text in (SHORT, LONG, OTHER):
        propose(api, text)
    answer = recall(api, "kayak 皮划艇")
    assert (answer["status"], answer["degraded"]) == ("found", [])
    assert texts(answer["memories"]) == [LONG, SHORT]
    (asked,) = endpoint.requests
    assert asked["query"] == "kayak 皮划艇" and sorted(asked["texts"]) == sorted([SHORT, LONG])
    nothing = recall(api, "prime numbers 质数")
    assert (nothing["status"], len(endpoint.requests)) == ("nothing_relevant", 1)


def test_if_it_is_away_the_order_stays_and_the_answer_says_so(api: Api, endpoint: Endpoint) -> None:
    propose(api, SHORT)
    propose(api, LONG)
    endpoint.replies = [Reply(status=400, body=b"{}")]
    answer = recall(api, "kayak 皮划艇")
    assert (answer["status"], answer["degraded"]) == ("degraded", ["reranker"])
    assert texts(answer["memories"]) == [SHORT, LONG]


def test_sensitive_words_are_not_sent(api: Api, cast: Cast, endpoint: Endpoint) -> None:
    whole = principal_of(cast.keys["alice"], "alice")
    remember(whole, "Fell out of the kayak 皮划艇 and broke a rib", sensitivity=Sensitivity.SPECIAL)
    for text in (SHORT, LONG):
        propose(api, text)
    found = texts(recall(Api(cast.keys["alice"]), "kayak 皮划艇")["memories"])
    assert len(found) == 3
    (asked,) = endpoint.requests
    assert sorted(asked["texts"]) == sorted([SHORT, LONG])


def test_passages_are_ordered_too(cast: Cast, endpoint: Endpoint) -> None:
    put(cast.acme, "a.md", SHORT)
    put(cast.acme, "b.md", LONG)
    found = look(cast.acme, "kayak 皮划艇")
    assert [one.text.strip() for one in found.passages] == [LONG, SHORT]
    endpoint.replies = [Reply(status=400, body=b"{}")]
    without = look(cast.acme, "kayak 皮划艇")
    assert [one.text.strip() for one in without.passages] == [SHORT, LONG]
    assert list(without.degraded) == ["reranker"]


class Fixed:
    """Gives the scores it was made with."""

    def __init__(self, given: list[float] | None) -> None:
        self.given = given

    def scores(self, question: str, texts: list[str]) -> list[float]:
        if self.given is None:
            raise RerankerUnavailable
        return self.given[: len(texts)]


@given(
    st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.floats(-9, 9)), min_size=1, max_size=12)
)
def test_relevances_are_only_dealt_out_anew(rows: list[tuple[bool, float, float]]) -> None:
    given_texts = ["text 文" if shown else None for shown, _, _ in rows]
    nears = [near for _, near, _ in rows]
    scores = [score for shown, _, score in rows if shown]
    with patch.object(rerank, "get_reranker", lambda: Fixed(scores)):
        found, undone = rerank.dealt("问", given_texts, nears)
    assert undone == () and sorted(found) == sorted(nears)
    assert all(a == b for a, b, text in zip(found, nears, given_texts, strict=True) if text is None)
    seen = [near for near, text in zip(found, given_texts, strict=True) if text is not None]
    for one, near in zip(scores, seen, strict=True):
        assert all(near >= other for score, other in zip(scores, seen, strict=True) if score < one)


def test_a_fault_changes_nothing() -> None:
    with patch.object(rerank, "get_reranker", lambda: Fixed(None)):
        assert rerank.dealt("问", ["a", "b"], [0.2, 0.9]) == ([0.2, 0.9], ("reranker",))
