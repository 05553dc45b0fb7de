"""Long sessions, compacted again and again: within budget, nothing marked is lost, nothing invented."""

import re
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from memory.choices import Role
from memory.context.fit import lay_out
from memory.context.values import Desk, Laid, Part, Turn
from memory.providers.tokens import count_tokens
from memory.sessions.compaction import Summarised, capped, merged
from memory.sessions.points import read
from memory.write.candidate import Candidate
from memory.write.candidate import Turn as Said
from memory.write.rules import extract
from tests.data.long_sessions import Line, LongSession, sessions

AT = datetime(2026, 11, 3, 9, tzinfo=UTC)
BUDGET = 600
GOES = 15  # at least six of them have to compact
OURS = re.compile(r" → |^- |(?:助手|工具|Assistant|Tool)[：:] ?|（[-0-9]+说）| \(said [-0-9]+\)"
                  r"|（后来改了）| \(changed later\)")  # fmt: skip


@dataclass(slots=True)
class Course:
    """What became of one session: the last context, the compactions, and what was said in all."""

    laid: Laid
    compactions: int = 0
    said: list[Turn] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.laid.pieces)

    @property
    def summary(self) -> str:
        return next((p.text for p in self.laid.pieces if p.part == Part.SUMMARY), "")


def turn(line: Line) -> Turn:
    return Turn(event_id=uuid.uuid4(), role=line.role, text=line.text, at=AT)


def exchanges(turns: Sequence[Turn]) -> list[list[Turn]]:
    groups: list[list[Turn]] = []
    for one in turns:
        if not groups or (one.role == Role.USER and groups[-1][-1].role != Role.USER):
            groups.append([])
        groups[-1].append(one)
    return groups


def course(session: LongSession) -> Course:
    """Live through a session: a context after each part, its summary carried on."""
    said = [turn(line) for line in session.lines]
    summary, size = Summarised(), -(-len(said) // GOES)
    found = Course(laid=lay_out(Desk(), budget=1))
    for end in range(size, len(said) + size, size):
        found.said = said[:end]
        untold = [one for one in found.said if one.event_id not in summary.event_ids]
        desk = Desk(
            language="en" if session.language == "en" else "zh",
            system="Be brief. 简短些。",
            summary=summary,
            exchanges=exchanges(untold),
            order=[one.event_id for one in found.said],
        )
        found.laid = lay_out(desk, budget=BUDGET)
        assert sum(count_tokens(piece.text) for piece in found.laid.pieces) <= BUDGET
        if found.laid.folded is not None:
            summary = found.laid.folded
            found.compactions += 1
    return found


def lost(session: LongSession, found: Course) -> list[tuple[str, str]]:
    """Marked facts that are neither in the context nor proposed to long-term memory."""
    missing = [
        (line, mark) for line in session.lines for mark in line.marks if mark not in found.text
    ]
    return [(line.text, mark) for line, mark in missing if not remembered(line, mark)]


def remembered(line: Line, mark: str) -> bool:
    told = extract(Said(role=line.role, text=line.text, at=AT), None, at=AT)
    return any(isinstance(one, Candidate) and mark in one.text for one in told)


def invented(found: Course) -> list[str]:
    """Stretches of the summary that nobody said."""
    source = " ".join(" ".join(one.text.split()) for one in found.said)
    lines = found.summary.splitlines()[2:-1]
    return [piece for line in lines for piece in OURS.split(line) if piece and piece not in source]


def shown_as_replaced(session: LongSession, found: Course) -> bool:
    old = [line for line in found.summary.splitlines() if session.old in line]
    marked = all(
        session.new in line or "后来改了" in line or "changed later" in line for line in old
    )
    return session.new in found.text and marked


def measure(count: int) -> None:
    marks = missing = in_context = 0
    fewest = 99
    for session in sessions(count):
        found = course(session)
        fewest = min(fewest, found.compactions)
        assert invented(found) == []
        assert shown_as_replaced(session, found), (session.number, found.summary)
        gone = lost(session, found)
        marks += len(session.marks)
        in_context += sum(mark in found.text for mark in session.marks)
        missing += len(gone)
        for one in gone:
            print("lost", session.number, one)
    print(f"{count} sessions, {marks} facts: {in_context} in context, {missing} lost")
    assert missing <= marks // 100 and fewest >= 6, fewest


def test_no_marked_fact_is_lost_in_six_compactions_sample() -> None:
    measure(6)


@pytest.mark.deep
def test_no_marked_fact_is_lost_in_six_compactions() -> None:
    assert sum(len(session.marks) for session in sessions()) >= 400
    measure(48)


@pytest.mark.deep
def test_five_hundred_turns_are_compacted_within_a_second() -> None:
    session = next(one for one in sessions() if len(one.lines) == 500)
    said = [
        Said(role=line.role, text=line.text, at=AT, event_id=uuid.uuid4()) for line in session.lines
    ]
    began = time.process_time()
    capped(merged(read(said).points, order=[one.event_id for one in said if one.event_id]))
    assert time.process_time() - began < 1.0
