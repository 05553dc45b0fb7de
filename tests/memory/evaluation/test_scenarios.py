"""Stories about memory: what passes, what fails and how it is said, and that nothing stays."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.memory.evaluation.stories import (
    count,
    failure,
    passes,
    play,
    recall,
    rows_of_every_table,
    say,
    story,
    then,
    user,
    write,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hash_embedder")]
KETTLE = write("k", "The copper kettle stands in the pantry.", at="2026-02-01T08:00:00Z")
TEA = write("t", "茶罐放在书架最上层。", tags=["茶"], meta={"room": 3}, importance=0.9)


def test_what_is_written_is_found_and_read(tmp_path: Path) -> None:
    expect = [
        {"check": "status", "in": ["2xx"]},
        {"check": "result_top", "all": ["kettle"], "none": ["茶"]},
        {"check": "result_lacks", "any": ["茶罐"]},
        {"check": "result_size", "eq_items": 1, "max_tokens": 50, "unique": "id"},
        {"check": "state_all", "target": "[kt]", "in": ["active"]},
        {"check": "field", "target": "t", "path": "meta.room", "eq": "3"},
        {"check": "field", "match": "茶罐", "path": "nothing|tags", "eq": ["茶"]},
        {"check": "field", "target": "k", "path": "created_at", "same_instant": "2026-02-01T09:00:00+01:00"},
        {"check": "no_active", "any": ["teapot"]},
        {"check": "no_5xx"},
        then({"op": "list"}, {"check": "results_together_have", "all": ["kettle", "茶罐"]}),
        then(recall("哪里都没有的东西"), {"check": "result_empty"}),
    ]  # fmt: skip
    passes(tmp_path, story("A", setup=[KETTLE, TEA], action=recall("copper kettle"), expect=expect))


def test_corrections_conflicts_and_history(tmp_path: Path) -> None:
    correct = {"op": "correct", "target": "k", "text": "The copper kettle stands in the attic."}
    expect = [
        {"check": "status", "in": [200]},
        {"check": "state", "target": "k", "in": ["superseded"]},
        {"check": "some_active", "all": ["attic"]},
        then(
            correct | {"if_version": "{k.version}", "text": "The copper kettle is gone."},
            {"check": "status", "in": [409, 412]},
            {"check": "error_mentions", "any": ["version"]},
        ),
        then({"op": "history", "match": "attic"}, {"check": "output_has", "all": ["pantry", "2026-02"]}),
        then(recall("copper kettle"), {"check": "result_lacks", "any": ["pantry"], "unless_flagged": True}),
    ]  # fmt: skip
    passes(tmp_path, story("B", setup=[KETTLE], action=correct, expect=expect))


def test_conversations_decisions_and_days(tmp_path: Path) -> None:
    setup = [
        say("我在学吹尺八。", at="2026-03-10T09:00:00Z"),
        {"op": "say", "messages": [user("Yesterday I finished the oak bench.", at="2026-03-11T09:00:00+00:00")]},
        {"op": "import_chat", "session": "old", "received_at": "2026-05-01T00:00:00Z",
         "messages": [user("好的，谢谢！", at="2024-01-01T10:00:00+08:00")]},
    ]  # fmt: skip
    expect = [
        count("尺八", 1),
        {"check": "event_date", "match": "bench", "eq": "2026-03-10"},
        {"check": "gate", "match": "谢谢", "in": ["reject"]},
        {"check": "gate", "match": "尺八", "in": ["accept"]},
        {"check": "audit_has", "event": "gate_reject"},
        {"check": "stored_messages", "session": "old", "eq": 1},
    ]
    passes(tmp_path, story("C", setup=setup, action={"op": "settle"}, expect=expect))


def test_members_of_a_group_are_told_apart(tmp_path: Path) -> None:
    spoken = [
        user("我对猫毛过敏。", speaker="u_lan", name="岚"),
        user("My favourite colour is teal.", speaker="u_bo", name="Bo"),
    ]
    expect = [
        count("过敏", 1, **{"as": {"user": "u_lan"}}),
        count("过敏", 0, **{"as": {"user": "u_bo"}}),
        count("teal", 1, **{"as": {"user": "u_bo"}}),
    ]
    action = {"op": "say", "session": "group", "messages": spoken}
    passes(tmp_path, story("D", action=action, expect=expect))


def test_erasure_leaves_no_trace_and_is_logged(tmp_path: Path) -> None:
    words = {"of": ["zymurgil", "吹尺八"], "in": ["rows", "vectors", "history", "raw_messages", "queue", "logs", "export"]}  # fmt: skip
    setup = [
        say("I take zymurgil every evening.", **{"as": {"user": "u_a"}}),
        write("w", "我在学吹尺八。", **{"as": {"user": "u_a"}}),
        write("other", "Gate opens at nine.", **{"as": {"user": "u_b"}}),
    ]
    erase = {"op": "delete", "target": "all_of_user", "mode": "erase", "as": {"user": "u_a"}}
    expect = [
        {"check": "settle"},
        {"check": "status", "in": ["2xx"]},
        {"check": "zero_traces", **words},
        {"check": "state", "target": "w", "in": ["deleted"]},
        {"check": "audit_has", "event": "erase", "user": "u_a"},
        {"check": "every_missing_has_audit"},
        then({"op": "list", "as": {"user": "u_a"}}, {"check": "result_size", "eq_items": 0}),
        then({"op": "list", "as": {"user": "u_b"}}, {"check": "result_size", "eq_items": 1}),
    ]
    passes(tmp_path, story("E", setup=setup, action=erase, expect=expect))


def test_traces_that_are_there_are_seen(tmp_path: Path) -> None:
    check = {"check": "zero_traces", "of": ["kettle"], "in": ["rows"]}
    seen = failure(tmp_path, story("F", setup=[KETTLE], action={"op": "list"}, expect=[check]))
    assert seen == ("zero_traces", "['opened: kettle']")


def test_a_failed_check_says_what_was_seen(tmp_path: Path) -> None:
    row = story("G", setup=[KETTLE], action={"op": "list"}, expect=[count("kettle", 2)])
    assert failure(tmp_path, row) == ("active_count", "1 active: ['The copper kettle stands in the pantry.']")  # fmt: skip


def test_what_is_not_offered_is_skipped_and_said(tmp_path: Path) -> None:
    judge = {"check": "judge", "ask": "Is it nice?"}
    passing, failing = count("kettle", 1), count("kettle", 2)
    found = play(
        tmp_path,
        story("H1", setup=[KETTLE], action={"op": "list"}, expect=[judge, passing]),
        story("H2", setup=[KETTLE], action={"op": "list"}, expect=[judge, failing]),
        story("H3", action={"op": "fault", "what": "moonlight", "on": True}, expect=[]),
        story("H4", action={"op": "list"}, expect=[judge | {"optional": True}]),
    )
    assert found["overall"] == {"passed": 1, "failed": 1, "skipped": 2}
    assert [one["id"] for one in found["skipped"]] == ["H1", "H3"]
    assert "judge" in found["skipped"][0]["reason"] and "moonlight" in found["skipped"][1]["reason"]
    assert [one["id"] for one in found["failed"]] == ["H2"]
    assert found["notes"] == [{"id": "H4", "note": f"left out: {found['skipped'][0]['reason']}"}]


@pytest.mark.parametrize(
    ("row", "check", "got"),
    [
        (story("I", action={"op": "dance"}, expect=[]), "format", "dance"),
        (story("J", action={"op": "list"}, expect=[{"check": "smell"}]), "format", "smell"),
        (story("K", action={"op": "correct", "find": "x", "text": "y"}, expect=[]), "step", "x"),
        (story("L", action={"op": "recall"}, expect=[]), "run", "KeyError"),
    ],
)
def test_a_story_that_cannot_be_played_fails(tmp_path: Path, row: dict[str, object], check: str, got: str) -> None:  # fmt: skip
    seen = failure(tmp_path, row)
    assert seen[0] == check and got in seen[1]


def test_only_one_story_is_played(tmp_path: Path) -> None:
    rows = [story(name, action={"op": "list"}, expect=[]) for name in ("M", "N")]
    assert play(tmp_path, *rows, options=("--only", "N"))["passed"] == ["N"]
    with pytest.raises(CommandError, match="No story is called O"):
        play(tmp_path, *rows, options=("--only", "O"))


@pytest.mark.django_db(transaction=True)
def test_nothing_stays(tmp_path: Path) -> None:
    before = rows_of_every_table()
    passes(tmp_path, story("P", setup=[KETTLE, say("我在学吹尺八。")], action={"op": "list"}, expect=[count("", 2)]))  # fmt: skip
    assert rows_of_every_table() == before
