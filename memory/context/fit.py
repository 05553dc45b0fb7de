"""Fitting a desk into a budget. Pure: the same desk and budget give the same context.

Room is given in this order, whatever the order of the parts in the prompt:

1. system text and the new message, whole, or nothing at all;
2. the profile, and the line that asks to follow the person's preferences;
3. the last exchange, its tool results cut if it does not fit otherwise;
4. recalled memories, best first;
5. the task's state, part by part;
6. passages of documents, best first;
7. older exchanges and the summary, see ``older``.
"""

from collections.abc import Callable, Mapping, Sequence

from memory.choices import Role
from memory.context import older, talk
from memory.context.purse import Purse
from memory.context.render import cited_line, fenced, known_line, task_lines
from memory.context.values import Cited, Desk, Known, Laid, Part, Piece, Style, Why
from memory.context.words import words
from memory.errors import TooLarge
from memory.sessions.compaction import Summarised


def lay_out(desk: Desk, *, budget: int, style: Style = Style.MESSAGES) -> Laid:
    """Return the context that fits ``budget`` tokens of our counter.

    Raises:
        TooLarge: if system text and new message alone do not fit; they are never cut.
    """
    purse = Purse(words=words(desk.language), style=style, left=budget)
    _mandatory(purse, desk)
    kept = _known(purse, Part.PROFILE, desk.profile)
    _reminder(purse, [*kept, *desk.memory])
    unplaced = talk.place_last(purse, desk.exchanges[-1] if desk.exchanges else ())
    kept += _known(purse, Part.MEMORY, desk.memory)
    if not any(known.binding for known in kept):
        purse.take_back(Part.REMINDER)
    _task(purse, desk.task)
    cited = _cited(purse, desk.knowledge)
    folded = older.place_older(purse, desk, unplaced)
    return _laid(purse, desk, cited, folded)


def _mandatory(purse: Purse, desk: Desk) -> None:
    texts = ((Part.SYSTEM, Role.SYSTEM, desk.system), (Part.QUERY, Role.USER, desk.query))
    pieces = [Piece(part=part, role=role, text=text) for part, role, text in texts if text]
    if (needed := purse.cost(*pieces)) > purse.left:
        raise TooLarge(
            f"System text and new message need {needed} tokens, the budget is {purse.left}; "
            "they are never cut."
        )
    purse.place(*pieces)


def _known(purse: Purse, part: Part, items: Sequence[Known]) -> list[Known]:
    """Place as many memories as fit, in their order, and return them."""
    label = purse.words.on_topic if Part.PROFILE in purse.placed else purse.words.known
    lines = [known_line(item, purse.words) for item in items]
    kept = _lines(purse, part, lines, lambda body: fenced(label, part.value, body))
    out = [item.memory_id for number, item in enumerate(items) if number not in kept]
    purse.leave(part, Why.OVER_BUDGET, out)
    return [items[number] for number in kept]


def _lines(
    purse: Purse, part: Part, lines: Sequence[str], build: Callable[[str], str]
) -> list[int]:
    """Place one block of the lines that fit, and return which they are."""
    kept: list[int] = []
    block: Piece | None = None
    for number in range(len(lines)):
        body = "\n".join(lines[n] for n in (*kept, number))
        longer = Piece(part=part, role=Role.SYSTEM, text=build(body))
        if purse.fits(longer):
            kept, block = [*kept, number], longer
    if block is not None:
        purse.place(block)
    return kept


def _reminder(purse: Purse, shown: Sequence[Known]) -> None:
    line = Piece(part=Part.REMINDER, role=Role.SYSTEM, text=purse.words.reminder)
    if any(known.binding for known in shown) and purse.fits(line):
        purse.place(line)


def _task(purse: Purse, task: Mapping[str, object] | None) -> None:
    lines = task_lines(task, purse.words) if task else {}
    label = purse.words.task
    kept = _lines(
        purse,
        Part.TASK,
        list(lines.values()),
        lambda body: fenced(label, Part.TASK.value, body),
    )
    out = [name for number, name in enumerate(lines) if number not in kept]
    purse.leave(Part.TASK, Why.OVER_BUDGET, out)


def _cited(purse: Purse, passages: Sequence[Cited]) -> list[Cited]:
    """Place as many passages as fit, numbered from 1 without gaps, and return them."""
    lines = [cited_line(n, one, purse.words) for n, one in enumerate(passages, start=1)]
    label, tag, placed = purse.words.cited, Part.KNOWLEDGE, 0
    for number in range(len(lines), 0, -1):
        body = fenced(label, tag.value, "\n".join(lines[:number]))
        block = Piece(part=tag, role=Role.SYSTEM, text=body)
        if purse.fits(block):
            purse.place(block)
            placed = number
            break
    out = dict.fromkeys(one.document_id for one in passages[placed:])
    purse.leave(tag, Why.OVER_BUDGET, list(out))
    return list(passages[:placed])


def _laid(purse: Purse, desk: Desk, cited: Sequence[Cited], folded: Summarised | None) -> Laid:
    pieces = [piece for part in Part for piece in purse.placed.get(part, [])]
    tokens = {part: purse.cost(*purse.placed.get(part, [])) for part in Part}
    left_out = [*desk.left_out, *purse.out]
    return Laid(pieces=pieces, tokens=tokens, left_out=left_out, cited=cited, folded=folded)
