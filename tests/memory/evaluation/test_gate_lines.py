"""The write gate on lines and sessions of our own: what is worth it is remembered, the rest is not."""

from pathlib import Path

import pytest

from tests.data.gate_sessions import SESSIONS, turns
from tests.memory.evaluation.stories import lines, measure

LINES = Path(__file__).parents[2] / "data" / "gate_lines.jsonl"


def test_explicit_lines_are_told_apart() -> None:
    """Half of them are worth it, half are not; half Chinese, half English."""
    found = measure("gate", LINES)["overall"]
    assert found["n"] >= 400
    assert found["precision"] >= 0.95 and found["recall"] >= 0.95, found


@pytest.mark.parametrize(
    ("sessions", "worth"),
    [(60, 12), pytest.param(SESSIONS, 200, marks=[pytest.mark.deep, pytest.mark.timeout(1200)])],
)
def test_sessions_are_told_apart(tmp_path: Path, sessions: int, worth: int) -> None:
    """1,000 sessions of which 200 are worth writing: no worse than recall .90 and 60 of 800 for nothing."""
    found = measure("gate", lines(tmp_path / "turns.jsonl", *turns(sessions, worth)))["sessions"]
    assert found["n"] == sessions
    assert found["recall"] >= 0.9 and found["precision"] >= 0.75, found
