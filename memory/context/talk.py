"""Giving the last exchange its room, before anything that is only known. Pure."""

import uuid
from collections.abc import Sequence

from memory.choices import Role
from memory.context.purse import Purse
from memory.context.render import turn_piece
from memory.context.trim import shortened
from memory.context.values import Part, Piece, Turn, Why
from memory.policy import CONTEXT

type Told = tuple[uuid.UUID, Piece]


def place_last(purse: Purse, turns: Sequence[Turn]) -> list[Turn]:
    """Place the last exchange whole; else with its tool results cut; else its newest turns.

    Return what found no room.
    """
    pieces = [(turn.event_id, turn_piece(turn, purse.words)) for turn in turns]
    spoken = [turn_piece(turn, purse.words) for turn in turns if turn.role != Role.TOOL]
    if purse.fits(*(piece for _, piece in pieces)):
        taken = pieces
    elif purse.fits(*spoken):
        taken = _with_cut_tools(purse, turns, spoken)
    else:
        taken = _newest(purse, pieces)
    purse.place(*(piece for _, piece in taken))
    kept = {event_id for event_id, _ in taken}
    return [turn for turn in turns if turn.event_id not in kept]


def _with_cut_tools(purse: Purse, turns: Sequence[Turn], spoken: Sequence[Piece]) -> list[Told]:
    """Cut tool results to equal shares of a part of what the speech leaves."""
    tools = sum(turn.role == Role.TOOL for turn in turns)
    share = int((purse.left - purse.cost(*spoken)) * CONTEXT.cut_share) // tools
    taken: list[Told] = []
    cut: list[uuid.UUID] = []
    for turn in turns:
        piece: Piece | None = turn_piece(turn, purse.words)
        if turn.role == Role.TOOL and piece is not None and purse.cost(piece) > share:
            piece = shortened(turn, share, words=purse.words, cost=purse.cost)
            cut += [turn.event_id] if piece is not None else []
        if piece is not None:
            taken.append((turn.event_id, piece))
    purse.leave(Part.RECENT, Why.CUT, cut)
    return taken


def _newest(purse: Purse, pieces: Sequence[Told]) -> list[Told]:
    """Return the newest turns that fit, without gaps."""
    start = len(pieces)
    while start and purse.fits(*(piece for _, piece in pieces[start - 1 :])):
        start -= 1
    return list(pieces[start:])
