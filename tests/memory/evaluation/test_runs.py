"""Evaluations are kept as numbers, and a number that falls is caught."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory.evaluation import runs
from memory.evaluation.whole import baseline
from memory.evaluation.whole.baseline import Baseline, drops
from memory.models import EvaluationRun
from tests.memory.evaluation.stories import lines
from tests.memory.evaluation.test_whole import ASKED, LIVES, MOVED, OBOE, UNKNOWN

BASELINE = Path(__file__).parents[2] / "data" / "evaluation_baseline.json"
# One thing each, so that the test's embedder of words finds it.
KITES = OBOE | {"session": "k", "turns": [{"role": "user", "text": "I love flying kites."}], "sensitive": []} | {
    "write": [{"id": "g5", "turn": 0, "holds": "kites"}]
}  # fmt: skip
FLYING = {"ask": "do I love kites", "person": "ann", "evidence": ["g5"], "now": "kites"}


def evaluate(*arguments: str) -> str:
    out = StringIO()
    call_command("evaluate", *arguments, "--json", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_numbers_of_a_seeded_example_have_not_fallen() -> None:
    """The gate against regressions, on a small example with the real embedder."""
    assert "✓" in evaluate("check", "--baseline", str(BASELINE))


@pytest.mark.django_db
def test_a_broken_threshold_is_caught(tmp_path: Path, hash_embedder: None) -> None:
    file = str(lines(tmp_path / "own.jsonl", KITES, FLYING, UNKNOWN))
    was = str(tmp_path / "baseline.json")
    evaluate("check", "--data", file, "--baseline", was, "--write-baseline")
    assert "✓" in evaluate("check", "--data", file, "--baseline", was)
    out = StringIO()
    broken = ["--data", file, "--baseline", was, "--set", "gate=0.9", "--json"]
    with pytest.raises(SystemExit) as stopped:
        call_command("evaluate", "check", *broken, stdout=out)
    assert stopped.value.code == 1
    assert "✗ recall.hit@1: 0, was 1" in out.getvalue()
    assert "✗ write.recall" not in out.getvalue()
    other = lines(tmp_path / "other.jsonl", KITES)
    with pytest.raises(CommandError, match="other data"):
        evaluate("check", "--data", str(other), "--baseline", was)


def test_what_counts_as_a_drop() -> None:
    was = Baseline(
        numbers={"write.precision": 0.9, "stale.rate": 0.1, "leakage.foreign": 0}, digest=""
    )

    def named(margin: float = 0.02, **now: Any) -> list[str]:
        parts = {"write": {"precision": 0.9}, "stale": {"rate": 0.1}, "leakage": {"foreign": 0}}
        return [one.name for one in drops(parts | now, was, margin=margin)]

    assert named() == []
    assert named(write={"precision": 0.88}) == []
    assert named(write={"precision": 0.87}) == ["write.precision"]
    assert named(write={"precision": 1.0}, stale={"rate": 0.13}) == ["stale.rate"]
    assert named(leakage={"foreign": 1}, margin=0.5) == ["leakage.foreign"]
    assert named(write={}) == ["write.precision"], "what is gone is lost"


def test_what_must_be_low_is_not_perfect_because_it_is_gone() -> None:
    """A regression: a number that was gone counted as 0, and 0 of nothing as the best there is."""
    kept = {"stale.rate": 0.1, "stale.n": 9, "leakage.foreign": 0, "leakage.n": 20}
    kept |= {"erasure.residue": 0, "erasure.people": 5, "write.false_write_rate": 0.1}
    was = Baseline(numbers=kept | {"write.sessions": 30}, digest="")
    assert {one.name for one in drops({}, was, margin=0.5)} == set(was.numbers)
    assert str(drops({}, was, margin=0)[-1]) == "erasure.people: gone, was 5"
    none = {
        "write": {"false_write_rate": 0, "sessions": 0},
        "stale": {"rate": 0, "n": 0},
        "leakage": {"foreign": 0, "n": 0},
        "erasure": {"residue": 0, "people": 0},
    }
    worse = [one.name for one in drops(none, was, margin=0.5)]
    assert worse == ["write.sessions", "stale.n", "leakage.n", "erasure.people"]


def test_what_is_no_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is no baseline"):
        evaluate("check", "--baseline", str(lines(tmp_path / "b.json", {"numbers": 3})))
    with pytest.raises(CommandError, match="--baseline"):
        evaluate("check")


@pytest.mark.django_db
def test_numbers_are_kept_and_no_words(tmp_path: Path, hash_embedder: None) -> None:
    file = lines(tmp_path / "own.jsonl", LIVES, MOVED, OBOE, ASKED)
    evaluate("all", "--data", str(file), "--save", "before-the-change", "--set", "top_k=3")
    pairs = lines(
        tmp_path / "pairs.jsonl", {"kind": "私人 words", "a": "我住在北京", "b": "我住在上海"}
    )
    evaluate("dedupe", "--data", str(pairs), "--save")
    whole, merging = EvaluationRun.objects.order_by("at")
    assert (whole.what, whole.name, whole.data) == ("all", "before-the-change", "file")
    assert whole.digest == runs.digest_of(file)
    assert whole.recipe == {"base": "default", "numbers": {"top_k": 3.0}}
    assert whole.numbers["write.sessions"] == 3 and whole.numbers["leakage.foreign"] == 0
    assert whole.state == "succeeded" and whole.seconds is not None and whole.version
    assert merging.numbers["overall.n"] == 1
    for row in (whole, merging):
        kept = json.dumps([row.numbers, row.recipe, row.name, row.data], ensure_ascii=False)
        assert not any(word in kept for word in ("北京", "cashews", "私人", "own.jsonl"))
    with pytest.raises(CommandError, match="A name is"):
        evaluate("all", "--data", str(file), "--save", "Two words")


def test_a_baseline_reads_as_it_was_written(tmp_path: Path) -> None:
    was = Baseline(numbers={"write.recall": 0.9}, digest="d", sessions=20, seed=7)
    baseline.write(tmp_path / "b.json", was)
    assert baseline.read(tmp_path / "b.json") == was
