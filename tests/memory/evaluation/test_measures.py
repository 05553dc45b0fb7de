"""Gate, redaction and merging, measured on lines of our own."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.evaluation import metrics
from memory.evaluation.handmade.sets import PAIRS
from tests.memory.evaluation.stories import lines, measure, rows_of_every_table

TURNS = [
    {"text": "以后报告都用表格给我。", "worth": True, "kind": "instruction"},
    {"text": "I'm allergic to walnuts.", "worth": True, "kind": "fact"},
    {"text": "好的，谢谢！", "worth": False, "kind": "small talk"},
    {"text": "What time is it in Lima?", "worth": False, "kind": "question"},
    {"text": "我的密码是 Tulpe!99a", "worth": False, "kind": "secret"},
    {"text": "别记这句。", "prev": "我打算换工作。", "prev_role": "user", "worth": False},
]
MARKED = [
    {"text": "请打 13900001234 找我", "spans": [{"start": 3, "end": 14, "type": "PHONE"}]},
    {"text": "Mail ana@example.org", "spans": [{"start": 5, "end": 20, "type": "EMAIL_ADDRESS"}]},
    {
        "text": "Ana has diabetes.",
        "spans": [
            {"start": 0, "end": 3, "type": "PERSON"},
            {"start": 8, "end": 16, "type": "HEALTH"},
        ],
    },
    {
        "text": "Pay with 4111 1111 1111 1111 today",
        "spans": [{"start": 9, "end": 28, "type": "CREDIT_CARD"}],
    },
    {"text": "我们周五去爬山。", "spans": []},
    {"text": "Reach me at leo@example.org", "spans": []},
]


def test_verdicts_are_counted_as_in_the_books() -> None:
    """1,000 turns, 200 worth writing, 240 written, 180 of them rightly."""
    pairs = [(True, True)] * 180 + [(True, False)] * 20 + [(False, True)] * 60
    found = metrics.verdicts(pairs + [(False, False)] * 740)
    assert (found["n"], found["recall"], found["precision"]) == (1000, 0.9, 0.75)
    assert found["accuracy"] == 0.92 and found["f1"] == pytest.approx(0.8182)
    assert set(metrics.verdicts([]).values()) == {0}


def test_the_gate_is_measured_without_a_database(tmp_path: Path) -> None:
    found = measure("gate", lines(tmp_path / "turns.jsonl", *TURNS))
    assert found["overall"] == {
        "n": 6, "precision": 1.0, "recall": 1.0, "f1": 1.0, "accuracy": 1.0,
    }  # fmt: skip
    assert found["kinds"]["instruction"] == {"semantic/instruction": 1}
    assert found["kinds"]["small talk"] == {"nothing": 1}
    assert {"small_talk", "question", "secret", "do_not_remember"} <= set(found["reasons"])


def test_redaction_is_measured_by_type(tmp_path: Path) -> None:
    found = measure("pii", lines(tmp_path / "marked.jsonl", *MARKED))
    assert found["overall"] == {
        "n": 4, "recall": 1.0, "precision": 1.0, "clean": 2, "clean_flagged": 0.5,
    }  # fmt: skip
    assert set(found["by_type"]) == {"PHONE", "EMAIL_ADDRESS", "HEALTH", "CREDIT_CARD"}
    assert found["not_counted"] == {"PERSON": 1}


def test_what_is_not_seen_lowers_recall(tmp_path: Path) -> None:
    spans = [{"start": 0, "end": 6, "type": "EMAIL"}, {"start": 7, "end": 14, "type": "HEALTH"}]
    found = measure(
        "pii", lines(tmp_path / "one.jsonl", {"text": "nobody nothing", "spans": spans})
    )
    assert found["overall"]["recall"] == 0.0 and found["overall"]["precision"] is None


@pytest.mark.django_db(transaction=True)
def test_what_contradicts_is_never_merged(tmp_path: Path) -> None:
    """The hand-made pairs, with the real embedder; nothing of them stays."""
    rows = [
        {"kind": kind, "a": a, "b": b}
        for kind, a, b in [*PAIRS[1:4], PAIRS[13], *PAIRS[19:24], PAIRS[33]]
    ]
    before = rows_of_every_table()
    found = measure("dedupe", lines(tmp_path / "pairs.jsonl", *rows))
    assert rows_of_every_table() == before
    for part in ("overall", "read"):
        assert found[part]["n"] == 10 and found[part]["precision"] in (0.0, 1.0)
    for part in ("by_kind", "read_by_kind"):
        assert found[part]["contra"] == {"n": 5, "merged": 0}
        assert found[part]["rel"]["merged"] == 0 and found[part]["xdup"] == {"n": 1, "merged": 1}
    assert found["read"]["recall"] > 0


@pytest.mark.django_db
def test_the_same_words_are_merged(tmp_path: Path, hash_embedder: None) -> None:
    row = {"kind": "dup", "a": "我在学吹尺八。", "b": "我在学吹尺八"}
    found = measure("dedupe", lines(tmp_path / "pair.jsonl", row))
    assert found["overall"]["recall"] == found["read"]["recall"] == 1.0


@pytest.mark.parametrize("what", ["gate", "pii", "dedupe"])
def test_a_line_that_is_not_understood_is_named(tmp_path: Path, what: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("\n" + '{"else": 1}')
    with pytest.raises(CommandError, match=r"bad\.jsonl, line 2: .* missing"):
        measure(what, path)
    path.write_text("{")
    with pytest.raises(CommandError, match=r"bad\.jsonl, line 1"):
        measure(what, path)


def test_without_json_rows_are_printed(tmp_path: Path) -> None:
    out = StringIO()
    path = lines(tmp_path / "turns.jsonl", *TURNS)
    call_command("evaluate", "gate", "--data", str(path), stdout=out, stderr=StringIO())
    assert "overall" in out.getvalue() and "precision 1.0" in out.getvalue()
