"""What came before the last exchange: word for word while there is room, else the summary. Pure.

As long as everything fits nothing is summarised, however many turns there are. Then the newest
exchanges stay, up to the policy's number and fewer if need be, and the points of all older turns stand
in the summary. What is older than that number goes into the session's summary for good.
"""

import uuid
from collections.abc import Sequence
from itertools import chain

from memory.choices import Role
from memory.context.purse import Purse
from memory.context.render import ARROW, fenced, one_line, point_text, summary_lines, turn_piece
from memory.context.values import Desk, Part, Piece, Turn, Why
from memory.context.words import Words
from memory.policy import CONTEXT
from memory.providers.tokens import count_tokens
from memory.sessions.compaction import Kept, Summarised, capped, fitted, merged
from memory.sessions.points import Point, read
from memory.write.candidate import Turn as Said


def place_older(purse: Purse, desk: Desk, unplaced: Sequence[Turn]) -> Summarised | None:
    """Place older exchanges and the summary; return the session's summary if turns went into it.

    ``unplaced`` are turns of the last exchange that found no room.
    """
    older = desk.exchanges[:-1]
    whole = _pieces(purse, older)
    if not unplaced and not desk.summary.event_ids and purse.fits(*whole):
        _before_the_last(purse, whole)
        return None
    lost = {turn.event_id for turn in unplaced}
    last = {turn.event_id for turn in chain(*desk.exchanges[-1:])} - lost
    points = [point for point in _points(desk) if point.event_id not in last]
    kept, start = _chosen(purse, desk, points)
    if kept.points:
        purse.place(_block(kept.points, desk, purse.words))
    _before_the_last(purse, _pieces(purse, older[start:]))
    gone = [turn.event_id for turn in (*chain(*older[:start]), *unplaced)]
    _report(purse, desk, kept, gone)
    return _folded(desk, points) if start else None


def _pieces(purse: Purse, exchanges: Sequence[Sequence[Turn]]) -> list[Piece]:
    return [turn_piece(turn, purse.words) for turns in exchanges for turn in turns]


def _before_the_last(purse: Purse, pieces: Sequence[Piece]) -> None:
    last = purse.take_back(Part.RECENT)
    purse.place(*pieces, *last)


def _points(desk: Desk) -> list[Point]:
    """The points of the stored summary and of all turns on the desk.

    The last exchange and the new message are among them, because they may take back or replace what
    was said before.
    """
    turns = [_said(turn) for turn in chain(*desk.exchanges)]
    if turns and desk.query:
        turns.append(Said(role=Role.USER, text=desk.query, at=turns[-1].at))
    told = read(turns)
    before = [point for point in desk.summary.points if point.event_id not in told.closed]
    return merged([*before, *told.points], order=desk.order)


def _said(turn: Turn) -> Said:
    return Said(
        role=turn.role, text=turn.text, at=turn.at, name=turn.name or None, event_id=turn.event_id
    )


def _chosen(purse: Purse, desk: Desk, points: Sequence[Point]) -> tuple[Kept, int]:
    """What the summary holds, and from which exchange on all is shown word for word.

    As many exchanges stay as leave the summary its room; the last resort is a summary alone, cut.
    """
    older = desk.exchanges[:-1]
    recent = max(len(older) - (CONTEXT.exchanges - 1), 0)
    for start in sorted({0, *range(recent, len(older) + 1)}):
        shown = {turn.event_id for turn in chain(*older[start:])}
        kept = capped([point for point in points if point.event_id not in shown])
        block = [_block(kept.points, desk, purse.words)] if kept.points else []
        if purse.fits(*block, *_pieces(purse, older[start:])):
            return kept, start
    room = purse.left - purse.cost(_fenced([], purse.words))
    short = fitted(kept.points, cost=lambda one: _needs(one, purse.words), room=room)
    return Kept(points=short.points, dropped=[*kept.dropped, *short.dropped]), len(older)


def _block(points: Sequence[Point], desk: Desk, words: Words) -> Piece:
    """The summary: a model's words for the stored points while all of them stand, and the rest."""
    stored, by = desk.summary, {point.place: point.by for point in points}
    if not stored.prose or any(by.get(one.place, one.place) != one.by for one in stored.points):
        return _fenced(summary_lines(points, words), words)
    told = {point.place for point in stored.points}
    more = [point for point in points if point.place not in told]
    return _fenced([one_line(stored.prose), *summary_lines(more, words)], words)


def _fenced(lines: Sequence[str], words: Words) -> Piece:
    text = fenced(words.summary, Part.SUMMARY.value, "\n".join(lines))
    return Piece(part=Part.SUMMARY, role=Role.SYSTEM, text=text)


def _needs(point: Point, words: Words) -> int:
    """The most tokens that a point adds to a summary."""
    return count_tokens(f"- {point_text(point, words)}{ARROW}{words.replaced}")


def _report(purse: Purse, desk: Desk, kept: Kept, gone: Sequence[uuid.UUID]) -> None:
    """Say of every turn that is not shown what became of it."""
    told = {point.event_id for point in kept.points}
    lost = {point.event_id for point in kept.dropped} | desk.summary.dropped
    events = [one for one in desk.order if one in desk.summary.event_ids] + list(gone)
    purse.leave(Part.RECENT, Why.SUMMARISED, [one for one in events if one in told])
    purse.leave(Part.RECENT, Why.OVER_SUMMARY, [one for one in events if one in lost - told])
    rest = [one for one in events if one not in told | lost]
    purse.leave(Part.RECENT, Why.NO_FACTS, rest)


def _folded(desk: Desk, points: Sequence[Point]) -> Summarised | None:
    """The session's summary with the exchanges that are older than those that may stay."""
    going = {turn.event_id for turn in chain(*desk.exchanges[: -CONTEXT.exchanges])}
    if not going:
        return None
    events = desk.summary.event_ids | going
    kept = capped([point for point in points if point.event_id in events])
    told = {point.event_id for point in kept.points}
    lost = {point.event_id for point in kept.dropped} | desk.summary.dropped
    return Summarised(
        points=kept.points,
        event_ids=events,
        dropped=frozenset(lost - told),
        version=desk.summary.version,
    )
