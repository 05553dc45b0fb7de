"""Rerankers behind an endpoint, against a real server, in both dialects."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from memory.errors import RerankerUnavailable
from memory.providers import server
from memory.providers.reranking import EndpointReranker, get_reranker
from tests.memory.providers.endpoint import Endpoint, Reply, running

TEXTS = ["猫", "A kayak on the lake 皮划艇", "a cello"]
KEY = "sk-not-for-logs"


def longest_first(body: dict[str, Any]) -> bytes:
    """Score texts by their length, best first, in the dialect that was asked in."""
    name = "score" if "texts" in body else "relevance_score"
    texts = body.get("texts") or body["documents"]
    rows = [{"index": i, name: float(len(text))} for i, text in enumerate(texts)]
    rows.sort(key=lambda row: -row[name])
    return json.dumps(rows if "texts" in body else {"results": rows}).encode()


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(server, "PAUSE", 0.01)
    with running() as found:
        found.answer = longest_first
        yield found


def reranker(endpoint: Endpoint, texts_are: str = "documents") -> EndpointReranker:
    return EndpointReranker(
        base_url=endpoint.base_url, model="m", texts_are=texts_are, api_key=KEY, timeout=0.5
    )


@pytest.mark.parametrize("texts_are", ["documents", "texts"])
def test_scores_come_in_the_texts_order(endpoint: Endpoint, texts_are: str) -> None:
    scores = reranker(endpoint, texts_are).scores("船 boats?", TEXTS)
    assert scores == [float(len(text)) for text in TEXTS]
    (asked,) = endpoint.requests
    assert (asked["path"], asked["key"]) == ("/v1/rerank", f"Bearer {KEY}")
    assert (asked["query"], asked[texts_are], asked["model"]) == ("船 boats?", TEXTS, "m")


def test_no_texts_ask_nothing(endpoint: Endpoint) -> None:
    assert reranker(endpoint).scores("船", []) == []
    assert not endpoint.requests


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no json",
        b"null",
        b"[]",
        b'{"results": []}',
        b'{"results": [{"index": 0, "relevance_score": 1}]}',
        b'{"results": [{"index": 0}, {"index": 1}, {"index": 2}]}',
        b'[{"index": 0, "score": NaN}, {"index": 1, "score": 1}, {"index": 2, "score": 1}]',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 1}, {"index": 7, "score": 1}]',
        b'[{"index": 0, "score": "x"}, {"index": 1, "score": 1}, {"index": 2, "score": 1}]',
    ],
)
def test_an_answer_of_another_form_counts_as_none(endpoint: Endpoint, body: bytes) -> None:
    endpoint.replies = [Reply(body=body)]
    with pytest.raises(RerankerUnavailable) as raised:
        reranker(endpoint).scores("船", TEXTS)
    assert "kayak" not in str(raised.value) and KEY not in str(raised.value)


def test_a_busy_server_is_asked_again_and_a_slow_one_is_not(endpoint: Endpoint) -> None:
    endpoint.replies = [Reply(status=503, body=b"")]
    assert reranker(endpoint).scores("船", TEXTS)
    assert len(endpoint.requests) == 2
    endpoint.replies = [Reply(delay=2.0)]
    begun = time.monotonic()
    with pytest.raises(RerankerUnavailable):
        reranker(endpoint).scores("船", TEXTS)
    assert time.monotonic() - begun < 1.5


def test_settings_name_it_or_none(settings: Settings) -> None:
    assert get_reranker() is None
    settings.RERANKER = "nonesuch"
    with pytest.raises(ImproperlyConfigured, match="cohere-compatible, tei"):
        get_reranker()
    settings.RERANKER = "tei"
    with pytest.raises(ImproperlyConfigured, match="RERANKER_BASE_URL"):
        get_reranker()
    settings.RERANKER_BASE_URL = "http://localhost:1"
    assert get_reranker() is not None
    settings.RERANKER = "cohere-compatible"
    with pytest.raises(ImproperlyConfigured, match="RERANKER_MODEL"):
        get_reranker()
