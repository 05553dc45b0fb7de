"""What of a message is worth keeping once the message itself has no room: its sentences, weighed. Pure.

A sentence is kept as it was said, with its event and the place it stands in, so a number or a name
can be lost but never changed. What the person asked to keep out stays out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from uuid import UUID

from memory.choices import Reason, Role
from memory.policy import SUMMARY
from memory.text.guard import content
from memory.text.names import names
from memory.text.normalise import Span, sentences
from memory.text.numbers import signature
from memory.text.when import find
from memory.write.candidate import Candidate, Found, Refused, Turn
from memory.write.faithful import DENIALS
from memory.write.parts import clauses
from memory.write.rules import extract

# The event a sentence was said in, and where in its text.
type Place = tuple[UUID, int]

# What the person or the house wants left out, whatever it says.
UNSEEN = (
    Reason.DO_NOT_REMEMBER,
    Reason.FORGET_WISH,
    Reason.INSTRUCTION_LIKE,
    Reason.SECRET,
    Reason.JOKE,
    Reason.FICTION,
)
# Said of the moment, or of the talk itself: only the facts in it count.
PASSING = (Reason.SMALL_TALK, Reason.PROCESS, Reason.TRANSIENT, Reason.HYPOTHETICAL)

# A denial in form only.
_POLITE = re.compile("不错|没错|不客气|没事|没问题|没关系|不好意思|(?i:no problem|not bad)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One sentence of a message, word for word.

    ``start`` is its place in the message. ``weight`` says how much its loss would matter. ``day`` is
    the day it was said, if its words count from it ("tomorrow"). ``attribute`` and ``value`` are those
    of the memory it would make. ``by`` is the place of the later sentence that replaced it;
    ``replaces``: it replaced an earlier one.
    """

    event_id: UUID
    start: int
    text: str
    role: Role
    weight: float
    name: str = ""
    day: str = ""
    attribute: str = ""
    value: str = ""
    by: Place | None = None
    replaces: bool = False

    @property
    def place(self) -> Place:
        """Where it was said: one sentence, one place."""
        return self.event_id, self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The points of some turns; ``closed`` are events that the person wants left out."""

    points: Sequence[Point]
    closed: frozenset[UUID]


def read(turns: Sequence[Turn]) -> Read:
    """Return the points of turns that follow each other, in their order."""
    points: list[Point] = []
    closed: set[UUID] = set()
    previous: Turn | None = None
    for turn in turns:
        found = [(piece, extract(piece.turn, previous, at=turn.at)) for piece in _pieces(turn)]
        for one in chain.from_iterable(told for _, told in found):
            if one.event_id != turn.event_id and one.event_id is not None and _unseen(one):
                closed.add(one.event_id)  # "Don't remember that": the turn before is meant
        points += _of_turn(turn, found)
        previous = turn
    return Read(
        points=[point for point in points if point.event_id not in closed],
        closed=frozenset(closed),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A stretch of a turn, as a turn of its own, and where it begins."""

    turn: Turn
    offset: int


def _pieces(turn: Turn) -> Iterator[_Piece]:
    """The whole turn, or both ends of a long one."""
    ends = SUMMARY.read_tool if turn.role == Role.TOOL else SUMMARY.read
    if len(turn.text) <= 2 * ends:
        yield _Piece(turn=turn, offset=0)
        return
    whole = sentences(turn.text)
    head = max((s.end for s in whole if s.end <= ends), default=ends)
    tail = min((s.start for s in whole if s.start >= len(turn.text) - ends), default=0)
    tail = tail or len(turn.text) - ends
    yield _Piece(turn=replace(turn, text=turn.text[:head]), offset=0)
    yield _Piece(turn=replace(turn, text=turn.text[tail:]), offset=tail)


def _of_turn(turn: Turn, found: Sequence[tuple[_Piece, Sequence[Found]]]) -> list[Point]:
    """The points of one turn: the weightiest, in their order."""
    points: dict[str, Point] = {}
    for piece, told in found:
        for span in _lines(piece.turn.text):
            point = _point(turn, piece.offset, span, told)
            if point is not None:
                points.setdefault(point.text, point)
    most = SUMMARY.lines_tool if turn.role == Role.TOOL else SUMMARY.lines
    best = sorted(points.values(), key=lambda one: -one.weight)[:most]
    return sorted(best, key=lambda one: one.start)


def _lines(text: str) -> Iterator[Span]:
    """Sentences; of a very long one its clauses; what has no end is data and no line."""
    for sentence in sentences(text):
        pieces = [sentence] if len(sentence.text) <= SUMMARY.longest else clauses(sentence)
        yield from (piece for piece in pieces if len(piece.text) <= SUMMARY.longest)


def _point(turn: Turn, offset: int, span: Span, told: Sequence[Found]) -> Point | None:
    about = [one for one in told if one.quote_start < span.end and span.start < one.quote_end]
    if turn.event_id is None or any(_unseen(one) for one in about):
        return None
    hit = next((one for one in about if isinstance(one, Candidate)), None)
    reasons = [one.reason for one in about if isinstance(one, Refused)]
    weight = _weight(turn.role, span.text, hit, reasons)
    if weight < SUMMARY.floor:
        return None
    text = " ".join(span.text.split())
    return Point(
        event_id=turn.event_id,
        start=offset + span.start,
        text=text,
        role=turn.role,
        weight=round(weight, 3),
        name=turn.name or "",
        day=turn.at.date().isoformat() if find(text, turn.at) else "",
        attribute=(hit and hit.attribute) or "",
        value=(hit and hit.value) or "",
    )


def _unseen(one: Found) -> bool:
    return isinstance(one, Refused) and one.reason in UNSEEN


def _weight(role: Role, text: str, hit: Candidate | None, reasons: Sequence[Reason]) -> float:
    facts = _facts(text)
    if hit is not None:
        return hit.importance + SUMMARY.remembered * facts
    if Reason.QUESTION in reasons:
        base = SUMMARY.question
    elif any(reason in PASSING for reason in reasons):
        base = 0.0
    else:
        base = {Role.USER: SUMMARY.person, Role.ASSISTANT: SUMMARY.assistant}.get(
            role, SUMMARY.tool
        )
    denies = any(token.name in DENIALS for token in content(_POLITE.sub("", text)))
    each = SUMMARY.fact_tool if role == Role.TOOL else SUMMARY.fact
    return base + each * facts + SUMMARY.denial * denies


def _facts(text: str) -> int:
    marks, clocks = signature(text)
    return min(len(marks) + len(clocks) + len(names(text)), SUMMARY.facts)
