"""The whole measured at once: what came of sessions, questions and erasures, and nothing of it stays."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from accounts.acting import acting
from memory.choices import Outcome, Role
from memory.context.build import Context
from memory.context.values import Laid, Part, Piece
from memory.errors import InvalidInput
from memory.evaluation.opened import opened_texts
from memory.evaluation.whole.people import Written
from memory.evaluation.whole.reading import Conversation, Gold, Need, Task, read
from memory.evaluation.whole.tally import Tally
from memory.evaluation.whole.tasks import BUDGET, handed
from memory.vault import open_vault
from tests.cast import Api, Cast, system_of
from tests.memory.evaluation.stories import lines, measure, rows_of_every_table
from tests.memory.wire import body_of, propose

SAID = "2026-03-02T09:00:00+08:00"


def session(name: str, *texts: str, person: str = "lin", at: str = SAID, **more: Any) -> Any:
    turns = [{"role": "user", "text": text} for text in texts]
    return {"session": name, "person": person, "at": at, "turns": turns} | more


def gold(name: str, holds: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "turn": 0, "holds": holds, **more}


LIVES = session("a", "我住在北京。", write=[gold("g1", "北京", kind="semantic/fact")])
MOVED = session(
    "b",
    "我搬到上海了。",
    at="2026-05-02T09:00:00+08:00",
    write=[gold("g2", "上海", kind="semantic/fact", replaces="g1")],
)
AGAIN = session(
    "c", "我住在北京。", at="2026-04-02T09:00:00+08:00", write=[gold("g3", "北京", same_as="g1")]
)
SECRET = session(
    "d",
    "My password is Kestrel!4821, thanks.",
    person="ann",
    sensitive=[{"turn": 0, "text": "Kestrel!4821", "level": 50}],
)
OBOE = session(
    "e", "I'm allergic to cashews.", person="ann", write=[gold("g4", "cashews")],
    sensitive=[{"turn": 0, "text": "cashews", "level": 40}],
)  # fmt: skip
ASKED = {
    "ask": "我住在哪个城市？",
    "person": "lin",
    "evidence": ["g2"],
    "now": "上海",
    "old": "北京",
}
UNKNOWN = {"ask": "What car do I drive?", "person": "ann", "evidence": []}


def wrote(text: str) -> Written:
    return Written(
        turn=0,
        outcome=Outcome.ACCEPTED,
        read_as="semantic/fact",
        level=10,
        memory_id=uuid.uuid4(),
        text=text,
    )


def hear(tally: Tally, *holds: str, kept: Sequence[str]) -> None:
    """Let one session be heard: the words that should be written of it, and the texts that were."""
    number = len(tally.told)
    said = Conversation(
        id=f"s{number}",
        person=("", "lin"),
        at=datetime(2026, 3, 2, tzinfo=UTC),
        turns=[(Role.USER, "what was said 说了什么")],
        write=[Gold(id=f"g{number}.{at}", turn=0, holds=words) for at, words in enumerate(holds)],
        sensitive=[],
    )
    tally.hear(said, [wrote(text) for text in kept], ms=1.0)


@pytest.mark.django_db(transaction=True)
def test_everything_is_counted_and_nothing_stays(tmp_path: Path) -> None:
    before = rows_of_every_table()
    file = lines(tmp_path / "six.jsonl", LIVES, MOVED, AGAIN, SECRET, OBOE, ASKED, UNKNOWN)
    found = measure("all", file)
    assert rows_of_every_table() == before
    write = found["write"]
    assert (write["sessions"], write["worth"], write["written"], write["rightly"]) == (5, 4, 4, 4)
    assert (write["precision"], write["recall"], write["false_write_rate"]) == (1, 1, 0)
    assert found["kinds"]["semantic/fact"] == {"semantic/fact": 2}
    assert found["dedupe"] == {"n": 1, "merged": 1, "precision": 1, "recall": 1}
    assert found["sensitive"]["intercepted"] == found["sensitive"]["secrets_intercepted"] == 1
    recalled = found["recall"]
    assert recalled["hit@1"] == recalled["recall@5"] == recalled["ndcg@10"] == 1
    assert recalled["nothing_relevant"] == 1
    assert found["stale"] == {"n": 1, "rate": 0} and found["leakage"] == {"n": 2, "foreign": 0}
    assert found["erasure"] == {"people": 1, "residue": 0}
    assert found["injected"]["tokens_mean"] > 0 and found["latency"]["recall_p95_ms"] > 0


@pytest.mark.django_db
def test_what_goes_wrong_is_counted(tmp_path: Path, hash_embedder: None) -> None:
    """Every measure can fail: what should not be written is, what is told as new is not, and so on."""
    wrong = session("x", "I live in Porto.", person="bo")
    never = session("y", "好的。", write=[gold("g9", "钢琴")])
    question = {"ask": "我学什么乐器？", "person": "lin", "evidence": ["g9"], "now": "钢琴"}
    low = OBOE | {"session": "z", "sensitive": [{"turn": 0, "text": "cashews", "level": 45}]}
    found = measure("all", lines(tmp_path / "bad.jsonl", wrong, never, low, question))
    assert (found["write"]["precision"], found["write"]["recall"]) == (0.5, 0.5)
    assert found["write"]["false_write_rate"] == 1
    assert found["sensitive"]["intercepted"] == 0 and found["recall"]["hit@10"] == 0
    assert set(found["faults"]) >= {"written", "missed", "sensitive"}


def test_the_arithmetic_of_a_thousand_sessions() -> None:
    """1,000 sessions, 200 worth writing, 240 written, 180 rightly: 60 of 800 wrongly written."""
    tally = Tally()
    for number in range(1000):
        worth = number < 200
        hear(tally, *["北京 Beijing"] * worth, kept=["I live in 北京 Beijing"] * (number < 180))
    for said, rows in tally.told[200:260]:
        assert isinstance(rows, list) and not said.write
        rows.append(wrote("small talk 闲聊"))
    write = tally.numbers()["write"]
    assert (write["sessions"], write["worth"]) == (1000, 200)
    assert (write["written"], write["rightly"]) == (240, 180)
    assert (write["precision"], write["recall"]) == (0.75, 0.9)
    assert (write["false_write_rate"], write["share_written"]) == (0.075, 0.24)


def test_a_session_is_rightly_written_with_all_of_it_and_nothing_else() -> None:
    """A regression: any one thing of a session was enough, whatever came beside it."""
    tally = Tally()
    hear(tally, "北京", "tea", kept=["我住在北京。", "I love tea."])
    hear(tally, "北京", "tea", kept=["我住在北京。"])
    hear(tally, "tea", kept=["I love tea.", "It rains 下雨了."])
    write = tally.numbers()["write"]
    assert (write["written"], write["rightly"], write["precision"]) == (3, 1, 0.3333)
    assert (write["item_precision"], write["item_recall"]) == (0.8, 0.8)
    assert len(tally.faults["written"]) == len(tally.faults["missed"]) == 1


@pytest.mark.parametrize(
    "row",
    [
        {"task": "订票", "person": "lin", "needs": []},
        {"task": "订票", "person": "lin", "needs": ["nobody"]},
        {"task": "Book it", "person": "stranger", "needs": ["g2"]},
        LIVES | {"at": "2026-03-02T09:00:00"},
        LIVES | {"turns": []},
        LIVES | {"write": [gold("g1", "北京") | {"turn": 4}]},
        ASKED | {"evidence": ["nobody"]},
        ASKED | {"person": "stranger"},
        {"person": "lin"},
        {"session": "s"},
    ],
    ids=lambda row: json.dumps(row)[:40],
)
def test_a_line_that_is_not_understood_is_named(tmp_path: Path, row: dict[str, Any]) -> None:
    rows = [MOVED | {"write": [gold("g2", "上海")]}, row]
    with pytest.raises(CommandError, match=r"bad\.jsonl"):
        measure("all", lines(tmp_path / "bad.jsonl", *rows))


@pytest.mark.django_db
def test_a_recipe_of_one_s_own_is_measured(tmp_path: Path, hash_embedder: None) -> None:
    file = lines(tmp_path / "two.jsonl", OBOE, UNKNOWN)
    assert measure("all", file, "--set", "gate=0.9", "--set", "top_k=3")["write"]["written"] == 1
    with pytest.raises(CommandError, match="gate must be"):
        measure("all", file, "--set", "gate=1.5")


@pytest.mark.django_db
def test_a_secret_is_looked_for_in_former_wordings_too(cast: Cast) -> None:
    """A regression: only messages and today's wordings were opened, and "nowhere" was said of all."""
    person = Api(cast.keys["alice"])
    made = propose(Api(cast.keys["assistant"]), "我住在波尔图 Porto。")
    current = person("GET", f"memories/{made['id']}")
    body = {"text": "我住在里斯本 Lisbon。"}
    body_of(person("PATCH", f"memories/{made['id']}", body, If_Match=current["ETag"]))
    with acting(system_of(cast.alice)) as principal:
        stored = list(opened_texts(open_vault(principal), cast.alice.id))
    assert {"我住在波尔图 Porto。", "我住在里斯本 Lisbon。"} <= set(stored)


# --- tasks ---------------------------------------------------------------------------------------

SEAT = session("f", "我喜欢靠窗的座位。", write=[gold("g6", "靠窗")])
HOME = {
    "task": "帮我写一张回家的车票订单，住哪个城市、喜欢什么座位都要写。",
    "person": "lin",
    "needs": ["g2", "g6"],
}
SNACK = {"task": "Am I allergic to any snack? Order me one.", "person": "ann", "needs": ["g4"]}  # fmt: skip


@pytest.mark.django_db
def test_a_task_is_done_with_memory_and_not_without(tmp_path: Path) -> None:
    told = [LIVES, SEAT, MOVED, OBOE]
    found = measure("all", lines(tmp_path / "tasks.jsonl", *told, HOME, SNACK))["tasks"]
    assert (found["n"], found["done_on"], found["done_off"]) == (2, 2, 0)
    assert (found["on"], found["off"]) == (1, 0)
    assert found["on_low"] < 1 == found["on_high"] and found["off_low"] == 0 < found["off_high"]
    assert found["missing"] == found["stale"] == found["foreign"] == found["too_long"] == 0


@pytest.mark.parametrize(
    ("told", "missing", "stale"),
    [
        (["- 用户住在上海", "- 我喜欢靠窗的座位"], [], []),
        (["- 用户住在上海"], ["靠窗"], []),
        (["- 用户住在北京", "- 我喜欢靠窗的座位"], ["上海"], ["上海"]),
        (["- 我住在上海", "- 我住在北京", "- 靠窗"], [], ["上海"]),
        (["- 我从北京搬到上海了", "- 靠窗"], [], []),
    ],
)
def test_what_a_context_means_for_a_task(
    told: list[str], missing: list[str], stale: list[str]
) -> None:
    needs = [Need(now="上海", before=["北京"]), Need(now="靠窗", before=[])]
    task = Task(text="订票 to 上海，靠窗", person=("", "lin"), needs=needs)
    pieces = [
        Piece(part=Part.MEMORY, role=Role.SYSTEM, text="\n".join(told), is_data=True),
        Piece(part=Part.QUERY, role=Role.USER, text=task.text),
    ]
    laid = Laid(pieces=pieces, tokens={Part.MEMORY: 30}, left_out=())
    found = handed(task, Context(laid=laid), foreign=0)
    assert (found.missing, found.stale) == (missing, stale)
    assert found.is_enough == (not missing and not stale)
    assert not handed(task, Context(laid=laid), foreign=1).is_enough
    long = replace(laid, tokens={Part.MEMORY: BUDGET + 1})
    assert not handed(task, Context(laid=long), foreign=0).is_enough


def test_a_task_that_needs_what_holds_no_more_is_refused(tmp_path: Path) -> None:
    task = {"task": "订一张回家的票 home", "person": "lin", "needs": ["g1"]}
    with pytest.raises(InvalidInput, match="a task needs g1, which holds no more"):
        read(lines(tmp_path / "over.jsonl", LIVES, MOVED, task))
