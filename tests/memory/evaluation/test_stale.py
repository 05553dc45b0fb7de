"""The stale-fact rate is 0: what has changed is recalled as it is now."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from memory.evaluation.handmade import UPDATES_FILE
from memory.evaluation.stale import evaluate
from tests.memory.evaluation.stories import lines, measure, rows_of_every_table

ALL = [json.loads(line) for line in UPDATES_FILE.read_text("utf-8").splitlines()]
MOVED = {
    "id": "moved",
    "told": [
        {"at": "2026-01-05T20:00:00+08:00", "text": "我住在北京。"},
        {"at": "2026-03-05T20:00:00+08:00", "text": "我搬到上海了。"},
    ],
    "ask": "我住在哪个城市？",
    "now": "上海",
    "old": "北京",
}


def test_the_set_is_large_and_varied() -> None:
    assert len(ALL) >= 200
    assert min(sum(one["lang"] == lang for one in ALL) for lang in ("zh", "en")) >= 100
    assert min(sum(one["how"] == how for one in ALL) for how in ("say", "write")) >= 80
    assert len({one["theme"] for one in ALL}) >= 15
    assert len({one["id"] for one in ALL}) == len(ALL)


@pytest.mark.django_db(transaction=True)
def test_nothing_stale_is_handed_over(tmp_path: Path) -> None:
    """An eighth of the set, with the real embedder; nothing of it stays."""
    some = [one for one in ALL if one["person"][-1] == "3" or one["theme"] == "back"]
    before = rows_of_every_table()
    found = measure("stale", lines(tmp_path / "updates.jsonl", *some))
    assert rows_of_every_table() == before
    assert len(some) > 25 and found["stale"] == []
    assert found["overall"]["stale"] == 0
    assert found["overall"]["current"] >= 0.95
    assert found["overall"]["history"] >= 0.9 and found["overall"]["as_of"] >= 0.9


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_nothing_stale_is_handed_over_of_the_whole_set() -> None:
    found = evaluate(UPDATES_FILE, progress=False)
    assert found["stale"] == [] and found["overall"]["current"] >= 0.95


@pytest.mark.django_db
def test_what_is_stale_is_counted(
    tmp_path: Path, hash_embedder: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The measure can fail: what was never told is not current, what is not retired is stale."""
    garden = [{"at": f"2026-0{month}-05T20:00:00Z", "text": text} for month, text in (
        (1, "Remember that the tulips stand by the gate."), (2, "Remember that the roses stand by the gate."),
    )]  # fmt: skip
    row = {
        "id": "garden",
        "told": garden,
        "ask": "what stands by the gate",
        "now": "roses",
        "old": "tulips",
    }
    found = measure("stale", lines(tmp_path / "u.jsonl", MOVED, row))
    assert found["overall"]["n"] == 2 and found["overall"]["stale"] == 0.5
    assert [one["id"] for one in found["stale"]] == ["garden"]


@pytest.mark.parametrize(
    "row", [{"id": "x"}, MOVED | {"told": []}, MOVED | {"how": "shout"}, MOVED | {"now": "("}]
)
def test_a_line_that_is_not_understood_is_named(tmp_path: Path, row: dict[str, object]) -> None:
    with pytest.raises(CommandError, match=r"bad\.jsonl"):
        measure("stale", lines(tmp_path / "bad.jsonl", row))
