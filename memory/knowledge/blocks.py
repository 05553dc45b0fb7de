"""What a reader makes of a file: its text as kept, and the blocks that tile it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memory.text.normalise import visible
from memory.write.redact import without_secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of a text: characters ``start`` to ``end``, those after the last one not counted.

    A heading has a ``level`` of 1 or more and a ``title``. ``page`` counts from 1 where the file has
    pages.
    """

    start: int
    end: int
    level: int = 0
    title: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as it is kept and the blocks that tile it in order; ``title`` is its own, if it has one."""

    text: str
    blocks: Sequence[Block]
    title: str = ""


def kept(text: str) -> str:
    """Return a text as it is kept: nothing in it that no reader sees, and no secret."""
    parts = visible(text).split("\n\n")
    return "\n\n".join(without_secrets(part) for part in parts)


@dataclass(slots=True)
class Writer:
    """Puts a text together block by block."""

    pieces: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, *, level: int = 0, page: int | None = None, end: str = "\n\n") -> None:
        """Add one block as it is kept; ``end`` parts it from the next. A blank one adds nothing."""
        text = kept(text).strip("\n")
        if not text.strip():
            return
        title = " ".join(text.split()) if level else ""
        self.pieces.append(text + end)
        start, self.length = self.length, self.length + len(text) + len(end)
        self.blocks.append(Block(start=start, end=self.length, level=level, title=title, page=page))

    def reading(self, title: str = "") -> Reading:
        """Return what was written."""
        return Reading(text="".join(self.pieces), blocks=self.blocks, title=title)
