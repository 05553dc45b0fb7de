"""Filters: what may be asked, joined by AND, OR and NOT; everything else is refused by name."""

import contextlib
import uuid
from typing import Any

import pytest
from django.db.models import Q
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidInput
from memory.recall.filters import FIELDS, condition
from tests.cast import Api, Cast
from tests.memory.wire import day, propose, recall, texts


@pytest.fixture
def api(cast: Cast) -> Api:
    """Alice's agent, which has kept four memories."""
    agent = Api(cast.keys["assistant"])
    propose(
        agent, "Tea 茶 oolong", tags=["drink", "饮料"], metadata={"shop": "North"}, importance=0.9
    )
    propose(agent, "Tea 茶 green", tags=["drink"], metadata={"shop": "South"}, sensitivity=20)
    propose(agent, "Tea 茶 harvest", kind="episodic", occurred=day(3), tags=["trip"])
    propose(agent, "Tea 茶 brewing steps", attribute="craft.tea", confidence=0.3)
    return agent


WHAT = {
    "Tea 茶 oolong": "O",
    "Tea 茶 green": "G",
    "Tea 茶 harvest": "H",
    "Tea 茶 brewing steps": "B",
}


@pytest.mark.parametrize(("filters", "expected"), [
    ({}, "BGHO"),
    ({"kind": "episodic"}, "H"),
    ({"kind": ["semantic", "episodic"]}, "BGHO"),
    ({"kind": {"ne": "episodic"}}, "BGO"),
    ({"attribute": "craft.tea"}, "B"),
    ({"tags": "饮料"}, "O"),
    ({"tags": ["饮料", "trip"]}, "HO"),
    ({"AND": [{"tags": "drink"}, {"tags": "饮料"}]}, "O"),
    ({"metadata": {"shop": "North"}}, "O"),
    ({"metadata": {"shop": ["North", "South"]}}, "GO"),
    ({"metadata": {"place": "North"}}, ""),
    ({"NOT": {"metadata": {"shop": "North"}}}, "BGH"),
    ({"NOT": [{"tags": "drink"}, {"kind": "episodic"}]}, "B"),
    ({"OR": [{"kind": "episodic"}, {"attribute": "craft.tea"}]}, "BH"),
    ({"OR": [{"kind": "episodic"}, {"tags": "drink"}], "NOT": {"tags": "饮料"}}, "GH"),
    ({"sensitivity": {"gte": 20}}, "G"),
    ({"sensitivity": 10}, "BHO"),
    ({"importance": {"gt": 0.8}}, "O"),
    ({"confidence": {"lte": 0.3}}, "B"),
    ({"occurred": {"gte": day(2), "lt": day(4)}}, "H"),
    ({"NOT": {"occurred": {"gte": day(2)}}}, "BGO"),
    ({"created_at": {"lt": day(0)}}, ""),
    ({"origin": "agent", "trust": {"lt": 30}}, "BGHO"),
    ({"session_id": str(uuid.UUID(int=7))}, ""),
])  # fmt: skip
def test_each_condition_keeps_what_it_says(
    api: Api, filters: dict[str, Any], expected: str
) -> None:
    found = texts(recall(api, "tea 茶", filters=filters, top_k=50)["memories"])
    assert "".join(sorted(WHAT[text] for text in found)) == expected


FAULTS: list[tuple[Any, str]] = [
    ({"colour": "red"}, "filters.colour is unknown"),
    ({"state": "erased"}, "filters.state is unknown"),
    ({"kind__in": ["semantic"]}, "kind__in is unknown"),
    ({"memory__subject_id": "7"}, "memory__subject_id is unknown"),
    ({"kind": "poem 诗"}, "filters.kind must be one of semantic"),
    ({"kind": True}, "filters.kind must be one of"),
    ({"kind": {"gte": "semantic"}}, "filters.kind.gte is unknown"),
    ({"kind": {}}, "filters.kind is empty"),
    ({"sensitivity": "20"}, "filters.sensitivity must be one of 10"),
    ({"importance": 7}, "filters.importance must be a number from 0 to 1"),
    ({"occurred": {"gte": "yesterday 昨天"}}, "filters.occurred must be a time"),
    ({"occurred": {"gte": "2026-03-02T09:00:00"}}, "offset"),
    ({"agent_id": "alice"}, "filters.agent_id must be an id"),
    ({"tags": 7}, "filters.tags must be text"),
    ({"metadata": "North"}, "filters.metadata must be an object"),
    ({"metadata": {}}, "filters.metadata must be an object"),
    ({"AND": {"kind": "semantic"}}, "filters.AND must be a list"),
    ({"OR": []}, "filters.OR must be a list"),
    ({"OR": ["kind"]}, "filters.OR[0] must be an object"),
    ({"NOT": {"NOT": {"NOT": {"NOT": {"NOT": {"kind": "semantic"}}}}}}, "deeper than 5"),
    ({"OR": [{"kind": "semantic"}] * 51}, "more than 50 conditions"),
    ({"kind": ["semantic"] * 51}, "more than 50 values"),
    (["kind"], "filters must be an object"),
]


@pytest.mark.parametrize(("filters", "said"), FAULTS)
def test_what_is_not_understood_is_refused_by_name(filters: Any, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        condition(filters, lambda purpose, text: 0)
    assert said in refused.value.detail


names = st.sampled_from([*FIELDS, "tags", "metadata", "AND", "OR", "NOT", "x"]) | st.text(
    max_size=8
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 60) | st.text(max_size=12) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


@given(filters=values)
def test_no_filter_is_anything_but_a_condition_or_a_clear_refusal(filters: Any) -> None:
    with contextlib.suppress(InvalidInput):  # anything else is a fault of ours
        assert isinstance(condition(filters, lambda purpose, text: 0), Q)
