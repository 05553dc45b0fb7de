"""Cutting a tool's result to size, with a mark where it was cut. Pure."""

from collections.abc import Callable
from dataclasses import replace

from memory.context.render import turn_piece
from memory.context.values import Piece, Turn
from memory.context.words import Words
from memory.policy import CONTEXT


def shortened(
    turn: Turn, limit: int, *, words: Words, cost: Callable[[Piece], int]
) -> Piece | None:
    """Return the turn cut to ``limit`` tokens: its beginning and its end; None if that is too few.

    Both ends stay, because results open with what they are and close with what they come to.
    """
    if limit < CONTEXT.cut_floor:
        return None

    def cut(length: int) -> Piece:
        head = (length + 1) // 2
        tail = length - head
        text = turn.text[:head] + words.cut + (turn.text[-tail:] if tail else "")
        return turn_piece(replace(turn, text=text), words)

    low, high = 0, len(turn.text)
    while low < high:
        middle = (low + high + 1) // 2
        if cost(cut(middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    while low and cost(cut(low)) > limit:  # the count may fall by one where a word is joined
        low -= 1
    return cut(low) if low and cost(cut(low)) <= limit else None
