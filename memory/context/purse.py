"""The tokens still to spend, and what they were spent on. Pure."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from memory.context.render import sent
from memory.context.values import LeftOut, Part, Piece, Style, Why
from memory.context.words import Words
from memory.providers.tokens import count_tokens


@dataclass(slots=True, kw_only=True)
class Purse:
    """``left`` never falls below zero: whoever places a piece has seen that it fits.

    A whole counts no more than the sum of its parts, since pieces are joined by white space.
    """

    words: Words
    style: Style
    left: int
    placed: dict[Part, list[Piece]] = field(default_factory=dict)
    out: list[LeftOut] = field(default_factory=list)

    def cost(self, *pieces: Piece) -> int:
        """Return how many tokens the pieces need as they are sent."""
        return sum(count_tokens(sent(piece, self.style, self.words)) for piece in pieces)

    def fits(self, *pieces: Piece) -> bool:
        """Whether there is room for the pieces."""
        return self.cost(*pieces) <= self.left

    def place(self, *pieces: Piece) -> None:
        """Give the pieces their place, after those of their part."""
        for piece in pieces:
            self.placed.setdefault(piece.part, []).append(piece)
        self.left -= self.cost(*pieces)

    def take_back(self, part: Part) -> list[Piece]:
        """Take what a part has back out, and return it."""
        pieces = self.placed.pop(part, [])
        self.left += self.cost(*pieces)
        return pieces

    def leave(
        self, part: Part, why: Why, ids: Sequence[uuid.UUID] | Sequence[str] | None = None
    ) -> None:
        """Note what is left out; an empty list is nothing to note."""
        if ids is None or ids:
            self.out.append(LeftOut(part=part, why=why, ids=ids or ()))
