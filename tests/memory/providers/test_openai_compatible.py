"""The embedder behind an OpenAI-compatible endpoint, against a real server."""

import json
import time
from collections.abc import Iterator

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from memory.errors import EmbedderUnavailable
from memory.providers import openai_compatible, server
from memory.providers.embedding import Vectors, get_embedder, reset_embedder, unit
from memory.providers.openai_compatible import EndpointEmbedder, endpoint_id
from tests.memory.providers.endpoint import DIM, Endpoint, Reply, right_answer, running, vector_of

TEXTS = ["我的猫叫豆包", "My dog is called Biscuit", "demo 要讲 dashboard"]
KEY = "sk-not-for-logs"


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(server, "PAUSE", 0.01)
    with running() as found:
        yield found


@pytest.fixture
def embedder(endpoint: Endpoint) -> EndpointEmbedder:
    return EndpointEmbedder(
        base_url=endpoint.base_url, model="bge-m3", dim=DIM, api_key=KEY, timeout=0.5
    )


def unit_vector_of(text: str) -> Vectors:
    one: Vectors = unit(np.array([vector_of(text)]))[0]
    return one


def test_vectors_come_in_the_texts_order_and_of_length_one(
    embedder: EndpointEmbedder, endpoint: Endpoint
) -> None:
    vectors = embedder.passage(TEXTS)
    assert vectors.shape == (3, DIM)
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([unit_vector_of(text) for text in TEXTS]), abs=1e-6)
    (asked,) = endpoint.requests
    assert asked["path"] == "/v1/embeddings"
    assert asked["key"] == f"Bearer {KEY}"
    assert asked["model"] == "bge-m3"
    assert asked["input"] == TEXTS


def test_no_texts_ask_nothing(embedder: EndpointEmbedder, endpoint: Endpoint) -> None:
    assert embedder.query([]).shape == (0, DIM)
    assert not endpoint.requests


def test_blank_and_broken_texts_are_sent_as_the_protocol_allows(
    embedder: EndpointEmbedder, endpoint: Endpoint
) -> None:
    embedder.query(["", " \n", "a\0猫", "\ud800", "长" * 50_000])
    sent = endpoint.requests[0]["input"]
    assert sent[:4] == [".", ".", "a 猫", "?"]
    assert len(sent[4]) == openai_compatible.MAX_CHARS


def test_many_texts_go_in_batches(embedder: EndpointEmbedder, endpoint: Endpoint) -> None:
    texts = [f"第{n}条 note {n}" for n in range(openai_compatible.BATCH + 1)]
    assert embedder.query(texts)[-1] == pytest.approx(unit_vector_of(texts[-1]), abs=1e-6)
    assert [len(asked["input"]) for asked in endpoint.requests] == [openai_compatible.BATCH, 1]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(
    embedder: EndpointEmbedder, endpoint: Endpoint, status: int
) -> None:
    endpoint.replies = [Reply(status=status, body=b"busy"), Reply(status=status, body=b"busy")]
    assert embedder.query(["猫"])[0] == pytest.approx(unit_vector_of("猫"), abs=1e-6)
    assert len(endpoint.requests) == 3


def test_retry_after_is_heeded_within_bounds(
    embedder: EndpointEmbedder, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LONGEST_PAUSE", 0.3)
    endpoint.replies = [Reply(status=429, headers={"Retry-After": "3600"})]
    start = time.monotonic()
    embedder.query(["cat"])
    assert 0.3 <= time.monotonic() - start < 5


def test_a_server_that_stays_busy_is_given_up(
    embedder: EndpointEmbedder, endpoint: Endpoint
) -> None:
    endpoint.replies = [Reply(status=500) for _ in range(9)]
    with pytest.raises(EmbedderUnavailable, match="500"):
        embedder.query(["猫"])
    assert len(endpoint.requests) == server.TRIES


@pytest.mark.parametrize("status", [400, 401, 404, 307])
def test_a_refusal_is_not_asked_again(
    embedder: EndpointEmbedder, endpoint: Endpoint, status: int
) -> None:
    endpoint.replies = [Reply(status=status, body=b"no")]
    with pytest.raises(EmbedderUnavailable, match=str(status)):
        embedder.query(["cat"])
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>garbage \xff",
        b"[]",
        b'"text"',
        b"{}",
        b'{"data": null}',
        b'{"data": [{"embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}]}',
        b'{"data": [{"index": 0, "embedding": null}]}',
        right_answer(["one", "two"]),
        right_answer([]),
        json.dumps({"data": [{"index": 0, "embedding": [1.0] * (DIM - 1)}]}).encode(),
        json.dumps({"data": [{"index": 0, "embedding": [0.0] * DIM}]}).encode(),
        json.dumps({"data": [{"index": 0, "embedding": [float("nan")] * DIM}]}).encode(),
    ],
)
def test_an_answer_of_another_form_is_no_answer(
    embedder: EndpointEmbedder, endpoint: Endpoint, body: bytes
) -> None:
    endpoint.replies = [Reply(body=body)]
    with pytest.raises(EmbedderUnavailable):
        embedder.query(["猫"])


def test_a_wrong_dimension_names_the_setting(
    embedder: EndpointEmbedder, endpoint: Endpoint
) -> None:
    endpoint.replies = [Reply(body=b'{"data": [{"index": 0, "embedding": [1, 2]}]}')]
    with pytest.raises(EmbedderUnavailable, match="EMBEDDING_DIM=8"):
        embedder.query(["cat"])


def test_a_slow_server_is_waited_for_once(embedder: EndpointEmbedder, endpoint: Endpoint) -> None:
    endpoint.replies = [Reply(delay=1.0)]
    with pytest.raises(EmbedderUnavailable, match="ReadTimeout"):
        embedder.query(["猫"])
    assert len(endpoint.requests) == 1


def test_no_server_is_told_apart_from_no_result() -> None:
    absent = EndpointEmbedder(base_url="http://127.0.0.1:9/v1", model="bge-m3", dim=DIM)
    with pytest.raises(EmbedderUnavailable, match="ConnectError"):
        absent.query(["cat"])


def test_errors_repeat_neither_text_nor_key(embedder: EndpointEmbedder, endpoint: Endpoint) -> None:
    endpoint.replies = [Reply(status=400, body="我的秘密 my secret".encode())]
    with pytest.raises(EmbedderUnavailable) as caught:
        embedder.query(["我的秘密 my secret"])
    assert not any(word in str(caught.value) for word in ("秘密", "secret", KEY))


def test_id_follows_model_and_dimension() -> None:
    ids = {
        endpoint_id(model=model, dim=dim) for model in ("bge-m3", "qwen3") for dim in (512, 1024)
    }
    assert len(ids) == 4
    assert all(openai_compatible.FIRST_ID <= one <= openai_compatible.LAST_ID for one in ids)


def test_the_settings_build_it(endpoint: Endpoint, settings: Settings) -> None:
    settings.EMBEDDER = "openai-compatible"
    settings.EMBEDDING_BASE_URL = endpoint.base_url
    settings.EMBEDDING_MODEL = "bge-m3"
    settings.EMBEDDING_API_KEY = ""
    settings.EMBEDDING_DIM = DIM
    reset_embedder()
    try:
        embedder = get_embedder()
        assert (embedder.name, embedder.dim, embedder.calibrated) == ("bge-m3", DIM, False)
        assert embedder.query(["猫", "cat"]).shape == (2, DIM)
    finally:
        reset_embedder()
    assert endpoint.requests[0]["key"] is None


@pytest.mark.parametrize(
    ("base_url", "model"), [("", "bge-m3"), ("http://127.0.0.1", ""), ("http://x:port", "bge-m3")]
)
def test_an_incomplete_endpoint_is_an_operators_mistake(
    settings: Settings, base_url: str, model: str
) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = base_url, model
    with pytest.raises(ImproperlyConfigured, match="EMBEDDING_BASE_URL"):
        openai_compatible.build()
