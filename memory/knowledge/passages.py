"""Cutting a text into passages by its structure. Pure.

The passages tile the text: every character belongs to exactly one, and putting them one after the
other gives the text again. A passage never crosses a heading or a page, unless it would hold nothing
but a heading. Long sections are cut at the ends of blocks, else of lines and sentences, else of words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.knowledge.blocks import Block, Reading
from memory.policy import KNOWLEDGE
from memory.providers.tokens import count_tokens
from memory.text.normalise import sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One passage: its span in the text, the headings above it, and its page if there are pages."""

    start: int
    end: int
    section: tuple[str, ...] = ()
    page: int | None = None


@dataclass(slots=True, kw_only=True)
class _Run:
    """Blocks one after the other under the same headings, on the same page."""

    section: tuple[str, ...]
    page: int | None
    blocks: list[Block]

    @property
    def is_bare(self) -> bool:
        """Whether it holds nothing but a heading."""
        return all(block.level for block in self.blocks)


def passages(reading: Reading) -> list[Cut]:
    """Return the passages of a text in order."""
    found: list[Cut] = []
    for run in _joined(_runs(reading.blocks)):
        for start, end in _pieces(reading.text, run.blocks):
            cut = Cut(start=start, end=end, section=run.section, page=run.page)
            found.append(cut)
    return _without_blanks(reading.text, found)


def _runs(blocks: Sequence[Block]) -> Iterator[_Run]:
    path: list[tuple[int, str]] = []
    run: _Run | None = None
    for block in blocks:
        if block.level:
            path = [one for one in path if one[0] < block.level] + [(block.level, block.title)]
        if run is None or block.level or block.page != run.page:
            if run is not None:
                yield run
            section = tuple(title for _, title in path if title)
            run = _Run(section=section, page=block.page, blocks=[])
        run.blocks.append(block)
    if run is not None:
        yield run


def _joined(runs: Iterator[_Run]) -> Iterator[_Run]:
    """Put a heading without text of its own before what follows, and the last one behind."""
    before: list[Block] = []
    last: _Run | None = None
    for run in runs:
        if run.is_bare:
            before += run.blocks
            bare = run
            continue
        if last is not None:
            yield last
        last = _Run(section=run.section, page=run.page, blocks=[*before, *run.blocks])
        before = []
    if before and last is not None:
        last.blocks += before
    elif before:
        last = _Run(section=bare.section, page=bare.page, blocks=before)
    if last is not None:
        yield last


def _pieces(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Cut a run into even pieces, none over the limit."""
    atoms = [atom for block in blocks for atom in _atoms(text, block.start, block.end)]
    sizes = [_size(text[start:end]) for start, end in atoms]
    # As many as are needed, all of about one size: no crumb at the end.
    aim = sum(sizes) / max(_fewest(sizes), 1)
    start, filled, before, edge = blocks[0].start, 0.0, 0.0, aim
    for (atom_start, _), size in zip(atoms, sizes, strict=True):
        if filled and (filled + size > 1 or before + size / 2 > edge):
            yield start, atom_start
            start, filled = atom_start, 0.0
            edge = max(edge, before) + aim
        filled += size
        before += size
    yield start, blocks[-1].end


def _fewest(sizes: Sequence[float]) -> int:
    """Return in how many pieces these sizes can be packed in their order."""
    count, filled = 0, 1.0
    for size in sizes:
        full = filled + size > 1
        count, filled = count + full, size if full else filled + size
    return count


def _size(text: str) -> float:
    """Return how much of a passage a text fills; 1 is a whole one."""
    return max(
        count_tokens(text) / KNOWLEDGE.passage_tokens, len(text) / KNOWLEDGE.passage_characters
    )


def _atoms(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a block into stretches that fit: itself, its lines and sentences, or hard cuts."""
    if _size(text[start:end]) <= 1:
        yield start, end
        return
    inside = text[start:end]
    edges = [0, *(one.start for one in sentences(inside)[1:]), len(inside)]
    for left, right in pairwise(edges):
        yield from _hard(text, start + left, start + right)


def _hard(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part what has no sentences, after a space if one is near."""
    longest = KNOWLEDGE.passage_characters
    while end - start > longest or _size(text[start:end]) > 1:
        low, high = 1, min(longest, end - start)
        while low < high:  # the longest beginning that fits
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if _size(text[start : start + middle]) <= 1 else (low, middle - 1)
            )
        space = text.rfind(" ", start + low // 2, start + low) + 1
        cut = space or start + low
        yield start, cut
        start = cut
    yield start, end


def _without_blanks(text: str, cuts: Sequence[Cut]) -> list[Cut]:
    """Give white space to a neighbour."""
    kept: list[Cut] = []
    for cut in cuts:
        if kept and not text[cut.start : cut.end].strip():
            last = kept.pop()
            kept.append(_until(last, cut.end))
        elif len(kept) == 1 and not text[kept[0].start : kept[0].end].strip():
            kept = [Cut(start=kept[0].start, end=cut.end, section=cut.section, page=cut.page)]
        else:
            kept.append(cut)
    return kept


def _until(cut: Cut, end: int) -> Cut:
    return Cut(start=cut.start, end=end, section=cut.section, page=cut.page)
