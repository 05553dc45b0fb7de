"""The service against its own OpenAPI document: no 5xx, and answers of the promised shape.

Requests are made up by schemathesis, well-formed and malformed ones, and sent in process with the
key of Alice's agent, Alice's own, or, about documents, a pipeline's. Where a body or path names an object, one of hers stands in
half the time, so that the code behind the door is reached too.
"""

import contextlib
import random
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from memory import sessions
from memory.api.problems import CONTENT_TYPE as PROBLEM
from memory.choices import Role
from tests.architecture.source import ROOT
from tests.cast import Cast, principal_of, remember
from tests.memory.knowledge.shelf import put

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
PATH = ROOT / "docs" / "openapi.yaml"
DOCUMENT = schemathesis.openapi.from_path(str(PATH))
FOUND: list[Any] = list(DOCUMENT.get_all_operations())
OPERATIONS = {one.ok().label: one.ok() for one in FOUND}
COMMON: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}
QUICK = settings(max_examples=5, derandomize=True, phases=[Phase.generate], **COMMON)
CASES = 10_000  # of all operations together, well-formed and malformed
DEEP = settings(max_examples=-(-CASES // (len(OPERATIONS) * len(GenerationMode))), **COMMON)


@pytest.fixture
def one_connection(db: None) -> Iterator[None]:
    """Requests stay in the test's transaction, as those of Django's test client do."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


class World:
    """What there is to reach for, and who asks."""

    def __init__(self, cast: Cast) -> None:
        agent = principal_of(cast.keys["assistant"], "alice")
        self.app = WSGIHandler()
        self.keys = [cast.keys["assistant"], cast.keys["alice"]]
        self.pipeline = cast.keys["pipeline"]
        memory = remember(agent, "Alice prefers window seats 靠窗.")
        session, _ = sessions.open_session(agent, session_id="聊天 1")
        said = sessions.IncomingMessage(role=Role.USER, content="I live in Berlin. 我住柏林。")
        done = sessions.append(agent, session_id=session.id, messages=[said])
        self.ids: dict[str, uuid.UUID] = {
            "memory_id": memory.id,
            "session_id": session.id,
            "event_id": done.event_ids[0],
            "person_id": cast.alice.id,
            "document_id": put(cast.acme, "手册.md", "# 手册\n\n" + "Words 词语. " * 30),
        }

    def aim(self, case: Any) -> str:
        """Let half of the requests mean something of Alice's; return the key that is presented."""
        chance = random.Random(repr((case.path_parameters, case.query, case.body)))
        for name in case.path_parameters or {}:
            if name in self.ids and chance.random() < 0.5:
                case.path_parameters[name] = str(self.ids[name])
        for part in (case.query, case.body):
            if isinstance(part, dict) and "user_id" in part and chance.random() < 0.7:
                part["user_id"] = "alice"
        if isinstance(case.headers, dict) and "If-Match" in case.headers and chance.random() < 0.7:
            case.headers["If-Match"] = '"1"'
        return chance.choice([self.pipeline] if "/knowledge" in case.path else self.keys)


@pytest.fixture
def world(one_connection: None, cast: Cast) -> World:
    return World(cast)


def examine(operation: Any, world: World, mode: GenerationMode, how: settings) -> None:
    """Send made-up requests to one operation and look at each answer."""

    @how
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        key = world.aim(case)
        response = case.call(headers={"Authorization": f"Bearer {key}"}, app=world.app)
        case.validate_response(response, checks=CHECKS)
        if response.status_code >= 400:
            (kind,) = response.headers["content-type"]
            assert kind == PROBLEM or response.status_code == 422, kind

    with contextlib.suppress(Unsatisfiable):  # nothing about this operation can be malformed
        run()


@pytest.mark.parametrize("label", list(OPERATIONS))
def test_the_operation_keeps_its_word(world: World, label: str) -> None:
    for mode in GenerationMode:
        examine(OPERATIONS[label], world, mode, QUICK)


@pytest.mark.deep
@pytest.mark.parametrize("label", list(OPERATIONS))
def test_the_operation_keeps_its_word_at_length(world: World, label: str) -> None:
    for mode in GenerationMode:
        examine(OPERATIONS[label], world, mode, DEEP)
