"""What changed between two wordings: by word where words are spaced, by character in Han."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

TOKEN = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff]"
    r"|[^\W\u3400-\u9fff]+(?:['’\-][^\W\u3400-\u9fff]+)*"
    r"|\s+|.",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stayed (``=``), went (``-``) or came (``+``)."""

    op: str
    text: str


def diff(before: str, after: str) -> Sequence[Piece]:
    """Return the pieces that lead from one wording to the next, in reading order."""
    old, new = TOKEN.findall(before), TOKEN.findall(after)
    pieces: list[Piece] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for op, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if op == "equal":
            pieces.append(Piece("=", "".join(old[old_from:old_to])))
            continue
        if old_to > old_from:
            pieces.append(Piece("-", "".join(old[old_from:old_to])))
        if new_to > new_from:
            pieces.append(Piece("+", "".join(new[new_from:new_to])))
    return pieces
