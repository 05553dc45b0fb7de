"""The example: the same for the same seed, of the size that was asked for, and in both languages."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.errors import InvalidInput
from memory.evaluation.example.example import Example, write
from memory.evaluation.whole.reading import read
from memory.write.checksums import luhn


def test_a_fifth_of_a_thousand_sessions_is_worth_writing(tmp_path: Path) -> None:
    file = tmp_path / "example.jsonl"
    write(file, sessions=1000, seed=7)
    data = read(file)
    sessions, questions = data.sessions, data.questions
    assert len(sessions) == 1000 and sum(bool(one.write) for one in sessions) == 200
    golds = [gold for one in sessions for gold in one.write]
    assert sum(bool(gold.same_as) for gold in golds) >= 30
    assert sum(bool(gold.replaces) for gold in golds) >= 20
    levels = [one.level for said in sessions for one in said.sensitive]
    assert min(levels.count(level) for level in (30, 40, 50)) >= 10
    assert sum(bool(one.old) for one in questions) >= 10
    assert sum(not one.evidence for one in questions) >= 30
    assert len(data.tasks) >= 60 and any(need.before for one in data.tasks for need in one.needs)
    assert all(need.now not in one.text for one in data.tasks for need in one.needs)
    assert {said.person[0] for said in sessions} == {"north", "south"}
    for said in sessions:
        for gold in said.write:
            assert gold.holds in said.turns[gold.turn][1]
    texts = [text for said in sessions for _, text in said.turns]
    assert sum(any("\u4e00" <= char <= "\u9fff" for char in text) for text in texts) > 2000
    assert not any("{" in text and "|" in text for text in texts)


def test_the_seed_decides_everything() -> None:
    def drawn(seed: int) -> list[object]:
        return list(Example(sessions=60, seed=seed).lines())

    assert drawn(7) == drawn(7) != drawn(8)


def test_cards_have_the_right_check_digit() -> None:
    lines = Example(sessions=400, seed=1).lines()
    found = [
        one["text"] for line in lines for one in line.get("sensitive", ()) if one["level"] == 50
    ]
    cards = [one.replace(" ", "") for one in found if one[:1] == "4"]
    assert len(cards) > 5 and all(luhn(one) for one in cards)


def test_the_command_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "made.jsonl"
    call_command("evaluate", "generate", "--sessions", "20", "--seed", "3", "--out", str(file))
    assert len(read(file).sessions) == 20
    with pytest.raises(CommandError, match="--out"):
        call_command("evaluate", "generate")
    with pytest.raises(InvalidInput, match="10 to 10000"):
        write(file, sessions=9, seed=3)
