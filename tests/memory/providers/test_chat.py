"""A chat model behind a real server: what it is asked, what counts as an answer, what does not."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from memory.evaluation.scripted_model import Reply, ScriptedModel
from memory.policy import MODEL
from memory.providers import chat, deadline
from memory.providers import server as http
from memory.providers.chat import ChatModel, ModelGarbled, ModelUnavailable, Question
from tests.language_model import KEY, language_model

SCHEMA = {
    "type": "object",
    "required": ["city"],
    "additionalProperties": False,
    "properties": {"city": {"type": "string"}},
}
RIGHT = '{"city": "苏州"}'


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with language_model() as running:
        yield running


def question(**changes: Any) -> Question:
    given: dict[str, Any] = {
        "name": "home",
        "instructions": "Where does the person live?",
        "content": "我住在苏州。 My secret is safe.",
        "schema": SCHEMA,
        "faults": lambda _: [],
    }
    return Question(**(given | changes))


def test_it_is_asked_for_a_shape_at_temperature_0(server: ScriptedModel) -> None:
    server.replies = [Reply(said=RIGHT)]
    assert chat.build().ask(question()) == {"city": "苏州"}
    (asked,) = server.requests
    assert (asked["path"], asked["key"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert (asked["model"], asked["temperature"]) == ("small", 0)
    assert asked["response_format"]["json_schema"] == {
        "name": "home",
        "strict": True,
        "schema": SCHEMA,
    }
    assert [one["role"] for one in asked["messages"]] == ["system", "user"]


@pytest.mark.parametrize(
    "said",
    [f"```json\n{RIGHT}\n```", f"```\n{RIGHT}\n```", f"<think>Hm, {{}}?</think>\n{RIGHT}", f" {RIGHT}\n"],
)  # fmt: skip
def test_what_models_put_around_json_is_taken_off(server: ScriptedModel, said: str) -> None:
    server.replies = [Reply(said=said)]
    assert chat.build().ask(question())["city"] == "苏州"


GARBAGE = [
    Reply(said=""),
    Reply(said='Sure {here it is}: {"city": "Graz" '),
    Reply(said="[]"),
    Reply(said='{"city": 3}'),
    Reply(said='{"city": "Graz", "mood": "good"}'),
    Reply(said=RIGHT, finish="length"),
    Reply(body=b'{"choices": []}'),
    Reply(body=b'{"choices": [{"message": {"content": null}}]}'),
    Reply(body=b'"text"'),
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=str)
def test_garbage_is_sent_back_once(server: ScriptedModel, garbage: Reply) -> None:
    server.replies = [garbage, Reply(said=RIGHT)]
    assert chat.build().ask(question())["city"] == "苏州"
    assert [one["role"] for one in server.requests[1]["messages"]][-2:] == ["assistant", "user"]


@pytest.mark.parametrize("garbage", GARBAGE, ids=str)
def test_garbage_twice_is_no_answer(server: ScriptedModel, garbage: Reply) -> None:
    server.replies = [garbage, garbage]
    with pytest.raises(ModelGarbled):
        chat.build().ask(question())
    assert len(server.requests) == 2


def test_the_askers_faults_are_sent_back_once_and_then_left_to_the_asker(
    server: ScriptedModel,
) -> None:
    server.replies = [Reply(said='{"city": "Graz"}'), Reply(said='{"city": "Linz"}')]
    doubts = question(faults=lambda answer: ["Nobody said so."] if answer["city"] != "苏州" else [])
    assert chat.build().ask(doubts)["city"] == "Linz"
    assert "Nobody said so." in server.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_and_then_given_up(server: ScriptedModel, status: int) -> None:
    server.replies = [Reply(status=status), Reply(said=RIGHT)]
    assert chat.build().ask(question())["city"] == "苏州"
    server.replies = [Reply(status=status) for _ in range(9)]
    with pytest.raises(ModelUnavailable, match=str(status)):
        chat.build().ask(question())
    assert len(server.requests) == 2 + http.TRIES


def test_a_longer_retry_after_is_handed_on(
    server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "LONGEST_PAUSE", 0.02)
    server.replies = [Reply(status=429, headers={"Retry-After": "90"}) for _ in range(9)]
    with pytest.raises(ModelUnavailable) as caught:
        chat.build().ask(question())
    assert caught.value.retry_after == 90


@pytest.mark.parametrize("status", [401, 403, 404, 307])
def test_a_refusal_is_not_asked_again(server: ScriptedModel, status: int) -> None:
    server.replies = [Reply(status=status)]
    with pytest.raises(ModelUnavailable, match=str(status)):
        chat.build().ask(question())
    assert len(server.requests) == 1


def test_a_server_that_knows_no_schemas_is_told_in_words(server: ScriptedModel) -> None:
    server.replies = [Reply(status=400), Reply(said=RIGHT), Reply(said=RIGHT)]
    model = chat.build()
    assert [model.ask(question())["city"] for _ in range(2)] == ["苏州", "苏州"]
    forms = [asked["response_format"]["type"] for asked in server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]
    assert '"city"' in server.requests[1]["messages"][0]["content"]


def test_a_slow_server_is_waited_for_once(
    server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MODEL", replace(MODEL, timeout=0.1))
    server.replies = [Reply(said=RIGHT, pause=0.5)]
    with pytest.raises(ModelUnavailable, match="ReadTimeout"):
        chat.build().ask(question())
    assert len(server.requests) == 1


def test_nobody_waits_beyond_the_deadline(server: ScriptedModel) -> None:
    server.replies = [Reply(said=RIGHT, pause=0.5)]
    with pytest.raises(deadline.OutOfTime), deadline.within(0.1), deadline.within(60):
        chat.build().ask(question())
    with pytest.raises(deadline.OutOfTime), deadline.within(0):
        chat.build().ask(question())
    assert len(server.requests) == 1


def test_no_server_and_garbage_for_http_are_said_apart(server: ScriptedModel) -> None:
    with pytest.raises(ModelUnavailable, match="ConnectError"):
        ChatModel(base_url="http://127.0.0.1:9/v1", model="small").ask(question())
    server.replies = [Reply(body=b"<html>\xff")]
    with pytest.raises(ModelUnavailable, match="not understood"):
        chat.build().ask(question())


def test_errors_repeat_neither_text_nor_key(server: ScriptedModel) -> None:
    secret = "我的秘密 my secret"
    for replies in (
        [Reply(status=400, body=secret.encode()), Reply(status=400, body=secret.encode())],
        [Reply(said=secret), Reply(said=json.dumps({"city": 1, "secret": secret}))],
    ):
        server.replies = replies
        with pytest.raises((ModelUnavailable, ModelGarbled)) as caught:
            chat.build().ask(question(content=secret))
        assert not any(word in str(caught.value) for word in ("秘密", "secret", KEY))


@pytest.mark.parametrize(
    ("base_url", "model"), [("", "small"), ("http://127.0.0.1", ""), ("http://x:port", "small")]
)
def test_an_incomplete_address_is_an_operators_mistake(
    settings: Settings, base_url: str, model: str
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = base_url, model
    with pytest.raises(ImproperlyConfigured, match="LLM_BASE_URL"):
        chat.build()
