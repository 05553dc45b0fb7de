"""What a recall answers when a part of the service cannot."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test.utils import CaptureQueriesContext

from memory import policy
from memory.errors import EmbedderUnavailable
from memory.index import asked, search
from memory.recall import pipeline, recipes
from memory.recall.values import RecallQuery
from tests.cast import Api, Cast, principal_of, remember
from tests.memory.wire import problem, propose, recall, texts


def test_without_the_embedder_words_still_find_and_the_answer_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(api, "Keeps invoice INV-77 发票")
    propose(api, "Owns a kayak 皮划艇")

    def away() -> Any:
        raise EmbedderUnavailable

    monkeypatch.setattr(asked, "get_embedder", away)
    answer = recall(api, "INV-77")
    assert (answer["status"], answer["degraded"]) == ("degraded", ["meaning"])
    assert texts(answer["memories"]) == ["Keeps invoice INV-77 发票"]
    assert recall(api, "What is a prime number? 质数")["status"] == "degraded"


def test_a_slow_database_is_given_up_with_a_clear_503(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(api, "Owns a kayak 皮划艇")
    hurried = replace(policy.RECALL["default"], patience=0.05)
    monkeypatch.setattr(recipes, "RECALL", MappingProxyType({"default": hurried}))
    monkeypatch.setattr(search, "SQL", "SELECT pg_sleep(5)")
    answer = api("POST", "recall", {"user_id": "alice", "query": "kayak 皮划艇"})
    found = problem(answer, 503, "database_slow")
    assert answer["Retry-After"] == "2"
    assert "kayak" not in found["detail"] and "SELECT" not in found["detail"]


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_database_that_is_away_is_a_clear_503(
    api: Api, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def away(*_: object) -> Any:
        raise error("host 10.0.0.7 refused")

    monkeypatch.setattr("memory.api.recalls.recall_layers", away)
    answer = api("POST", "recall", {"user_id": "alice", "query": "kayak 皮划艇"})
    assert "10.0.0.7" not in problem(answer, 503, "database_unavailable")["detail"]


@pytest.mark.django_db(transaction=True)
def test_a_recall_takes_at_most_eight_queries(cast: Cast) -> None:
    principal = principal_of(cast.keys["assistant"], "alice")

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            found = pipeline.recall(principal, RecallQuery(text="kayak 皮划艇", top_k=50))
        assert found.items and found.profile
        sql = [one["sql"] for one in captured]
        return len([one for one in sql if one not in ("BEGIN", "COMMIT")])

    remember(principal, "我对花生过敏。", attribute="diet.allergy")
    for number in range(40):
        remember(principal, f"Kayak 皮划艇 number {number}")
        if number == 0:
            few = queries()
    assert queries() == few <= 8
