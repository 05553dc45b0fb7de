"""What a recall costs the database grows with what the person has, never with its square.

Whoever imports thousands of memories into a new database is asked before it has gathered statistics:
the planner takes every person for one of a single row then.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from memory.evaluation.bench.crowd import crowd
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery

ROWS = 500


def touched(node: dict[str, Any]) -> float:
    """Return how many rows a plan handled, those it threw away included."""
    once = sum(node.get(key, 0) for key in node if key.startswith("Rows Removed"))
    here = (node["Actual Rows"] + once) * node["Actual Loops"]
    return float(here) + sum(touched(child) for child in node.get("Plans", []))


@contextmanager
def weighed() -> Iterator[dict[str, float]]:
    """Note how many rows each question of memories and their wordings handled."""
    found: dict[str, float] = {}

    def explain(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
        inner = sql.split(";")[1] if "enable_nestloop" in sql else sql
        if "memory_version" in inner:
            before = sql.split(";", maxsplit=1)[0] if inner is not sql else "SELECT 1"
            with connection.connection.cursor() as cursor:
                cursor.execute(before)
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {inner}", params)
                ((plans,),) = cursor.fetchall()
            plan = plans if isinstance(plans, list) else json.loads(plans)
            found[inner.strip()[:40]] = touched(plan[0]["Plan"])
        return execute(sql, params, *rest)

    with connection.execute_wrapper(explain):
        yield found


@pytest.mark.django_db(transaction=True)
def test_without_statistics_nothing_is_joined_in_squares(hash_embedder: None) -> None:
    with crowd(rows=ROWS, people=1, clients=1, progress=False) as who:
        with weighed() as rows:
            answer = recall(who.agent, RecallQuery(text="My sister moved to Lisbon for good"))
        assert answer.items and len(rows) == 2
        assert max(rows.values()) < 40 * ROWS, rows
