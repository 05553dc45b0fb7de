"""Measuring retrieval: the arithmetic, and the command on a small set of our own."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from memory.evaluation import metrics
from tests.conftest import owner_connection
from tests.data.sets import CONVERSATIONS

ids = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=10)
wanted_ids = st.sets(st.sampled_from("abcdefghij"), min_size=1)
cuts = st.integers(1, 12)


# --- the arithmetic ------------------------------------------------------------------------------


@given(ranked=ids, wanted=wanted_ids, k=cuts)
def test_every_number_is_between_0_and_1(ranked: list[str], wanted: set[str], k: int) -> None:
    for measure in (metrics.recall_at, metrics.hit_at, metrics.ndcg_at):
        assert 0 <= measure(ranked, wanted, k) <= 1 + 1e-9


@given(ranked=ids, wanted=wanted_ids, k=cuts)
def test_looking_further_never_finds_less(ranked: list[str], wanted: set[str], k: int) -> None:
    assert metrics.recall_at(ranked, wanted, k + 1) >= metrics.recall_at(ranked, wanted, k)
    assert metrics.hit_at(ranked, wanted, k + 1) >= metrics.hit_at(ranked, wanted, k)


@given(ranked=ids, wanted=wanted_ids, k=cuts)
def test_a_hit_is_a_recall_above_nothing(ranked: list[str], wanted: set[str], k: int) -> None:
    assert (metrics.hit_at(ranked, wanted, k) == 1) == (metrics.recall_at(ranked, wanted, k) > 0)
    assert (metrics.ndcg_at(ranked, wanted, k) > 0) == (metrics.hit_at(ranked, wanted, k) == 1)


@given(wanted=wanted_ids, k=cuts)
def test_the_best_order_is_1(wanted: set[str], k: int) -> None:
    ranked = [*sorted(wanted), *sorted(set("abcdefghij") - wanted)]
    assert metrics.ndcg_at(ranked, wanted, k) == pytest.approx(1)


@given(ranked=st.lists(st.sampled_from("abcdefghij"), unique=True, min_size=2), data=st.data())
def test_moving_a_wanted_one_up_never_lowers_the_gain(ranked: list[str], data: Any) -> None:
    at = data.draw(st.integers(1, len(ranked) - 1))
    wanted = {ranked[at], *data.draw(wanted_ids)}
    better = [ranked[at], *ranked[:at], *ranked[at + 1 :]]
    assert metrics.ndcg_at(better, wanted, 10) >= metrics.ndcg_at(ranked, wanted, 10) - 1e-9


def test_numbers_worked_out_by_hand() -> None:
    ranked, wanted = ["x", "a", "y", "b"], {"a", "b", "c"}
    assert metrics.recall_at(ranked, wanted, 3) == pytest.approx(1 / 3)
    assert metrics.recall_at(ranked, wanted, 4) == pytest.approx(2 / 3)
    # gains 1/log2(3) + 1/log2(5), ideal 1 + 1/log2(3) + 1/log2(4)
    assert metrics.ndcg_at(ranked, wanted, 10) == pytest.approx(1.0616 / 2.1309, abs=1e-3)


@given(values=st.lists(st.floats(0, 1e6), min_size=1), share=st.floats(0.01, 1))
def test_a_percentile_is_one_of_the_values(values: list[float], share: float) -> None:
    found = metrics.percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-6


@pytest.mark.parametrize(("share", "expected"), [(0.5, 3.0), (0.95, 5.0), (0.2, 1.0), (1.0, 5.0)])
def test_percentiles_are_by_nearest_rank(share: float, expected: float) -> None:
    assert metrics.percentile([5, 3, 1, 4, 2], share) == expected


def test_nothing_measured_is_0() -> None:
    assert metrics.mean([]) == metrics.percentile([], 0.5) == 0


# --- the command ---------------------------------------------------------------------------------

SPOKEN = [
    ("我在学吹尺八，每周二去上课。", "user"),
    ("好的，祝你学得愉快。", "assistant"),
    ("My sister Nina keeps bees on the roof.", "user"),
    ("The invoice number is INV-2031-77.", "Omar"),
    ("我们周末常去西山徒步。", "user"),
    ("The kettle broke, so I bought a copper one.", "user"),
]
ASKED = [
    ("尺八课是星期几？", ["1"], "zh", "Which day is the shakuhachi lesson?"),
    ("Who keeps bees?", ["3"], "en", "谁养蜂？"),
    ("INV-2031-77", ["4"], "en", None),
    ("周末去哪里徒步？", ["5"], "zh", None),
]


def conversation(name: str, **more: Any) -> dict[str, Any]:
    items = [
        {"id": str(at), "session": 1, "time": "2031-03-01", "speaker": speaker, "text": text}
        for at, (text, speaker) in enumerate(SPOKEN, start=1)
    ]
    queries = [
        {"id": f"q{at}", "text": text, "evidence_ids": wanted, "category": category}
        | ({"text_other": other} if other else {})
        | more
        for at, (text, wanted, category, other) in enumerate(ASKED, start=1)
    ]
    return {"set": "own", "conversation_id": name, "lang": "zh", "items": items, "queries": queries}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two conversations of six lines."""
    path = tmp_path / "own.jsonl"
    lines = [json.dumps(conversation(name), ensure_ascii=False) for name in ("甲", "乙")]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def measure(path: Path, *options: str) -> dict[str, Any]:
    out = StringIO()
    call_command("evaluate", "retrieval", "--data", str(path), "--json", *options, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def rows_of_every_table() -> dict[str, int]:
    with owner_connection() as owner:
        names = connection.introspection.table_names()
        return {
            name: owner.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for name in names
            if name not in {"django_migrations", "django_content_type", "auth_permission"}
        }


@pytest.mark.django_db(transaction=True)
def test_the_numbers_have_the_documented_shape_and_nothing_stays_stored(data: Path) -> None:
    before = rows_of_every_table()
    found = measure(data)
    assert rows_of_every_table() == before
    assert set(found) == {"overall", "by_category", "gated"}
    names = {"n", "recall@5", "recall@10", "hit@10", "session_recall@10", "ndcg@10"}
    names |= {"p50_ms", "p95_ms", "policy"}
    assert set(found["overall"]) == names
    assert set(found["by_category"]) == {"zh", "en"}
    assert all(set(row) == names for row in found["by_category"].values())
    assert found["overall"]["n"] == 8 and found["by_category"]["zh"]["n"] == 4
    assert found["overall"]["recall@5"] == 1.0  # five of six lines: the embedder must only not fail
    assert 0 < found["overall"]["p50_ms"] <= found["overall"]["p95_ms"]
    assert set(found["gated"]) == {"answered", "nothing_relevant", "policy"}
    assert found["gated"]["answered"] + found["gated"]["nothing_relevant"] == pytest.approx(1)


@pytest.mark.django_db
def test_questions_in_the_other_language_are_found(data: Path) -> None:
    found = measure(data, "--field", "text_other")
    assert found["overall"]["n"] == 4  # only those that have one
    assert found["overall"]["recall@5"] >= 0.5


@pytest.mark.django_db
def test_asof_looks_at_the_first_items_only(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(conversation("甲", asof=3)), encoding="utf-8")
    found = measure(path)
    assert found["overall"]["recall@10"] == 0.5  # two of four answers stand in the first three
    assert found["overall"]["n"] == 4


@pytest.mark.django_db
def test_the_policy_is_the_one_asked_for(data: Path) -> None:
    strict = measure(data, "--policy", "inject")
    assert strict["overall"]["policy"] == strict["gated"]["policy"] == "inject"
    assert strict["gated"]["answered"] <= measure(data)["gated"]["answered"]


@pytest.mark.django_db
def test_without_json_it_prints_a_table(data: Path) -> None:
    out = StringIO()
    call_command("evaluate", "retrieval", "--data", str(data), stdout=out, stderr=StringIO())
    assert "recall@10" in out.getvalue() and "overall" in out.getvalue()


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match=r"nowhere\.jsonl"):
        measure(Path("nowhere.jsonl"))


@pytest.mark.django_db
def test_a_real_conversation_is_found_as_well_as_measured(tmp_path: Path) -> None:
    if not CONVERSATIONS.is_file():
        pytest.skip(f"{CONVERSATIONS} is not on this machine")
    with CONVERSATIONS.open(encoding="utf-8") as lines:
        first = json.loads(next(lines))
    items = first["items"][:40]
    kept = {item["id"] for item in items}
    asked = [query for query in first["queries"] if set(query["evidence_ids"]) <= kept]
    path = tmp_path / "first.jsonl"
    path.write_text(json.dumps(first | {"items": items, "queries": asked}), encoding="utf-8")
    found = measure(path)
    assert found["overall"]["n"] >= 3
    assert found["overall"]["recall@10"] >= 0.75
