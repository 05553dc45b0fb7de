"""Slow and repeated statements are told to the log, by their shape alone."""

from typing import Any

import pytest
import structlog
from django.db import connection
from django.test import Client, RequestFactory

from memory import measuring
from memory.api.metrics import MeasuringMiddleware
from memory.measuring import queries
from memory.policy import MEASURE
from tests.cast import Api, Cast
from tests.memory.wire import propose

pytestmark = pytest.mark.django_db
SECRET = "quokka 金丝雀"


def told(view: Any, method: str = "GET") -> list[Any]:
    with structlog.testing.capture_logs() as logs:
        MeasuringMiddleware(view)(RequestFactory().generic(method, "/"))
    return [one for one in logs if one["event"].endswith("_query")]


def test_a_slow_statement_is_told_without_what_it_carried(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    def slow(_: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_sleep(.02), '{SECRET}''s', %s", [SECRET])
        return client.get("/health/live")

    assert told(slow) == []
    monkeypatch.setattr(queries, "MEASURE", MEASURE.__class__(slow_query=0.01))
    (line,) = told(slow)
    assert line["statement"] == "SELECT pg_sleep(.02), '…', %s" and line["seconds"] >= 0.02
    assert line["log_level"] == "warning" and "quokka" not in str(line)


def test_what_reads_and_asks_once_a_row_is_told(client: Client) -> None:
    def once_a_row(_: Any) -> Any:
        with connection.cursor() as cursor:
            for number in range(MEASURE.same_query + 1):
                cursor.execute("SELECT %s", [number])
        return client.get("/health/live")

    (line,) = told(once_a_row)
    assert (line["event"], line["times"], line["statement"]) == ("repeated_query", 31, "SELECT %s")
    assert told(once_a_row, "POST") == []


def test_lists_of_the_api_ask_no_more_for_more_rows(cast: Cast) -> None:
    api, person = Api(cast.keys["assistant"]), Api(cast.keys["alice"])
    for number in range(4):
        propose(person, f"Likes tea {number} 喜欢茶{number}")

    def asked() -> dict[str, int]:
        counted = {}
        for path in ("memories", "sessions", "decisions", "deletions", "procedures"):
            with measuring.watched() as statements:
                assert api("GET", f"{path}?user_id=alice").status_code == 200, path
            counted[path] = sum(statements.values())
        return counted

    few = asked()
    for number in range(4, 12):
        propose(person, f"Likes tea {number} 喜欢茶{number}")
        api("POST", "sessions", {"user_id": "alice", "session_id": f"chat 聊天 {number}"})
    assert asked() == few
