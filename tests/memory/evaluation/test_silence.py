"""A recall knows when to say nothing, and still answers what can be answered."""

import json
from pathlib import Path

import pytest

from memory.evaluation.handmade import NEGATIVES_FILE
from tests.memory.evaluation.stories import lines, measure, rows_of_every_table

ALL = [json.loads(line) for line in NEGATIVES_FILE.read_text("utf-8").splitlines()]


def test_the_set_is_large_and_of_each_kind() -> None:
    assert len(ALL) >= 100 and len({one["text"] for one in ALL}) == len(ALL)
    for kind in ("absent", "small_talk", "task"):
        for lang in ("zh", "en"):
            assert sum((one["kind"], one["lang"]) == (kind, lang) for one in ALL) >= 15


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.deep), 3])
def test_nothing_is_said_where_nothing_is_known(every: int, tmp_path: Path) -> None:
    """The negatives, and the questions that have an answer, with the real embedder."""
    some = ALL[::every]
    before = rows_of_every_table()
    found = measure("silence", lines(tmp_path / "negatives.jsonl", *some))
    assert rows_of_every_table() == before
    default, inject = found["default"]["overall"], found["inject"]["overall"]
    assert default["n"] == inject["n"] == len(some) + 24
    assert default["nothing_relevant"] >= 0.80 and default["answered"] >= 0.90
    assert inject["nothing_relevant"] >= 0.95 and inject["answered"] >= 0.85


@pytest.mark.django_db
def test_a_person_of_one_s_own(tmp_path: Path, hash_embedder: None) -> None:
    rows = [
        {"kind": "memory", "text": "I play the oboe 双簧管 on Fridays."},
        {"kind": "answerable", "text": "oboe 双簧管"},
        {"kind": "answerable", "text": "kayak 皮划艇"},
        {"kind": "task", "text": "bubble sort 冒泡排序"},
    ]
    found = measure("silence", lines(tmp_path / "own.jsonl", *rows))["default"]
    assert found["overall"] == {"n": 1, "nothing_relevant": 1.0, "answered": 0.5}
    assert found["failed"] == {"not_silent": [], "not_answered": ["kayak 皮划艇"]}
