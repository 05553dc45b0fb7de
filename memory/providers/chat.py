"""A language model behind any server that speaks OpenAI's ``POST /chat/completions``.

It is asked for JSON of a given shape at temperature 0. What it answers is checked against the shape
and by the asker; a faulty answer is sent back once with its faults, and then counts as no answer.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from jsonschema import Draft202012Validator

from memory.policy import MODEL
from memory.providers.server import ModelServer, ServerFailure

# What some models put around the JSON they were asked for.
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(?P<inside>.*)\n\s*```\s*\Z", re.DOTALL)
# A server that does not know the strict form of the question says so with one of these.
_NOT_UNDERSTOOD = (400, 415, 422, 501)
_MOST_FAULTS = 10


class ModelUnavailable(Exception):
    """The model cannot be asked now. ``retry_after``: the seconds its server asked for."""

    def __init__(self, said: str, *, retry_after: float = 0.0) -> None:
        super().__init__(said)
        self.retry_after = retry_after


class ModelGarbled(Exception):
    """The model answered twice, and never in the form that was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a model is asked.

    ``schema`` is the JSON Schema of the answer, ``name`` what it is called. ``faults`` says what is
    wrong with an answer of the right shape, in words for the model.
    """

    name: str
    instructions: str
    content: str
    schema: Mapping[str, Any]
    faults: Callable[[Any], Sequence[str]]


class ChatModel:
    """One model of one server."""

    def __init__(self, *, base_url: str, model: str, api_key: str = "") -> None:
        self.name = model
        self._strict = True  # until the server says that it does not know this form
        self._server = ModelServer(
            base_url=base_url, api_key=api_key, timeout=MODEL.timeout, what="The model's server"
        )

    def ask(self, question: Question) -> Any:
        """Return the model's answer: JSON of the question's schema, repaired once if need be.

        An answer in which only the asker finds faults is returned after the repair: it knows what
        to leave out.

        Raises:
            ModelUnavailable: without an answer.
            ModelGarbled: if the second answer is not of the schema either.
            OutOfTime: if nobody waits for the answer any more.
        """
        messages = [
            {"role": "system", "content": question.instructions},
            {"role": "user", "content": question.content},
        ]
        said = self._complete(question, messages)
        answer, misshapen = _read(said, question.schema)
        wrong = misshapen or list(question.faults(answer))
        if not wrong:
            return answer
        complaint = "Mend your answer and send the whole of it again. " + " ".join(wrong)
        messages += [
            {"role": "assistant", "content": said or "(nothing)"},
            {"role": "user", "content": complaint},
        ]
        answer, misshapen = _read(self._complete(question, messages), question.schema)
        if misshapen:
            raise ModelGarbled("The model's answer has not the form it was asked for.")
        return answer

    def _complete(self, question: Question, messages: Sequence[Mapping[str, str]]) -> str:
        """Return the words of one completion."""
        try:
            try:
                answer = self._post(question, messages)
            except ServerFailure as failure:
                if not self._strict or failure.status not in _NOT_UNDERSTOOD:
                    raise
                self._strict = False
                answer = self._post(question, messages)
        except ServerFailure as failure:
            raise ModelUnavailable(str(failure), retry_after=failure.retry_after) from failure
        return _words(answer)

    def _post(self, question: Question, messages: Sequence[Mapping[str, str]]) -> Any:
        body: dict[str, Any] = {"model": self.name, "temperature": 0, "messages": list(messages)}
        schema = {"name": question.name, "strict": True, "schema": dict(question.schema)}
        if self._strict:
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        else:
            shape = f"Answer with one JSON object of this JSON Schema: {json.dumps(schema)}"
            first = {"role": "system", "content": f"{question.instructions}\n\n{shape}"}
            body |= {"messages": [first, *messages[1:]], "response_format": {"type": "json_object"}}
        return self._server.post("chat/completions", body)


def build(*, model: str = "") -> ChatModel:
    """The model of the settings ``LLM_*``; ``model`` names another one of the same server.

    Raises:
        ImproperlyConfigured: without address and name.
    """
    name = model or settings.LLM_MODEL
    if not settings.LLM_BASE_URL or not name:
        raise ImproperlyConfigured("A language model needs LLM_BASE_URL and LLM_MODEL.")
    try:
        return ChatModel(base_url=settings.LLM_BASE_URL, model=name, api_key=settings.LLM_API_KEY)
    except httpx.InvalidURL as error:
        raise ImproperlyConfigured(f"LLM_BASE_URL: {error}") from error


def _words(answer: Any) -> str:
    """The words in an answer; nothing for one of another form or cut short, so that it is repaired."""
    try:
        choice = answer["choices"][0]
        said = choice["message"]["content"]
    except (KeyError, IndexError, TypeError):
        return ""
    return said if isinstance(said, str) and choice.get("finish_reason") != "length" else ""


def _read(said: str, schema: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """The JSON in what was said, and what is wrong with its shape."""
    said = _THOUGHT.sub("", said)
    fenced = _FENCE.match(said)
    try:
        answer = json.loads(fenced["inside"] if fenced else said)
    except (ValueError, RecursionError):
        return None, ["It was not one complete JSON object and nothing else."]
    found = Draft202012Validator(schema).iter_errors(answer)
    return answer, [f"{one.json_path}: {one.validator}." for one, _ in zip(found, range(_MOST_FAULTS), strict=False)]  # fmt: skip
