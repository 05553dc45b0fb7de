"""What a recall costs the database grows with what the person has, never with its square.

Whoever imports thousands of memories is asked before the database has gathered statistics, or has
gathered them of one table alone: the planner takes the person for one of a single row then, and an
index on the person for as good as one on an id.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from memory.evaluation.bench.crowd import Crowd, crowd
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery
from tests.conftest import owner_connection

ROWS = 400
TABLES = ("memory_memory", "memory_version", "memory_vector", "memory_term")
PLAIN = RecallQuery(text="My sister moved to Lisbon for good")


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


def cost(who: Crowd, query: RecallQuery) -> float:
    """Return the most rows one statement of a recall handled for each memory of the person."""
    with weighed() as rows:
        recall(who.agent, query)
    assert len(rows) == 2
    return max(rows.values()) / ROWS


def gather(*tables: str) -> None:
    """Have the database gather statistics of these tables."""
    with owner_connection() as owner:
        owner.execute(f"ANALYZE {', '.join(tables)}")


@pytest.mark.django_db(transaction=True)
def test_no_statistics_make_a_recall_join_in_squares(hash_embedder: None) -> None:
    asked = (
        PLAIN,
        RecallQuery(text="我妹妹现在住在哪里？", include_history=True),
        RecallQuery(text="Where do I live?"),
        RecallQuery(text="What did I say about my sister in March 2025?"),
        RecallQuery(text="我妹妹搬家了吗", filters={"kind": "semantic"}),
    )
    gather(*TABLES)  # of what there was before
    with crowd(rows=ROWS, people=1, clients=1, progress=False) as (who, *_):
        assert recall(who.agent, PLAIN).items
        assert cost(who, PLAIN) < 40
        gather("memory_version")  # the one table that timed out at 2,000 memories
        assert max(cost(who, query) for query in asked) < 40
        gather("memory_memory")
        assert cost(who, PLAIN) < 40
        gather(*TABLES)
        assert max(cost(who, query) for query in asked) < 40
    with crowd(rows=ROWS, people=1, clients=1, progress=False) as (
        who,
        *_,
    ):  # statistics of the one before
        gather("memory_memory")
        assert max(cost(who, query) for query in asked) < 40
