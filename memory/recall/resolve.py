"""Resolving what passed: the present before the past, the time that is asked about, what says the same."""

import uuid
from collections.abc import Collection, Sequence

from memory.choices import Kind, Subtype
from memory.recall.question import Question
from memory.recall.values import RecalledItem
from memory.text.guard import same_facts

HOLDS = frozenset(
    (Subtype.PREFERENCE, Subtype.INSTRUCTION, Subtype.CONSTRAINT, Subtype.RELATION, Subtype.GOAL)
)
Held = tuple[RecalledItem, str]


def resolve(
    items: Sequence[RecalledItem], *, question: Question, retired: Collection[uuid.UUID] = ()
) -> tuple[list[RecalledItem], list[Held]]:
    """Return ``items`` best first with what the present makes superfluous left out, and what was.

    ``retired`` are the wordings that a later memory made past, unless the past is asked for.
    """
    ordered = sorted(items, key=_order)
    over = [(item, "superseded") for item in ordered if item.opened.version.id in retired]
    ordered = [item for item in ordered if item.opened.version.id not in retired]
    kept, outside = _in_time(ordered, question)
    return kept, [*over, *outside]


def apart(items: Sequence[RecalledItem], others: Sequence[RecalledItem]) -> list[RecalledItem]:
    """Return ``items`` best first without what one of ``others``, or one before it, says already."""
    kept: list[RecalledItem] = []
    for item in sorted(items, key=_order):
        if not any(same(item, one) for one in (*others, *kept)):
            kept.append(item)
    return kept


def _order(item: RecalledItem) -> tuple[bool, float, str, int]:
    total = item.score.total if item.score else 0.0
    return item.past, -total, str(item.opened.memory.id), -item.opened.version.number


def _in_time(
    items: list[RecalledItem], question: Question
) -> tuple[list[RecalledItem], list[Held]]:
    """If something answers from the time that is asked about, nothing from another time does."""
    if not question.back or not any(item.timely for item in items):
        return items, []
    kept = [item for item in items if item.timely or _holds(item)]
    return kept, [(item, "outside_time") for item in items if not (item.timely or _holds(item))]


def _holds(item: RecalledItem) -> bool:
    """Whether it is a state of things that lasts, and no report of one day."""
    memory = item.opened.memory
    return memory.kind != Kind.EPISODIC and (
        bool(memory.attribute) or memory.subtype in HOLDS or memory.kind == Kind.PROCEDURAL
    )


def same(one: RecalledItem, other: RecalledItem) -> bool:
    """Whether two items say the same: one wording twice, one value, or the same in other words."""
    if one.past != other.past:
        return False
    mine, theirs = one.opened.memory, other.opened.memory
    if mine.id == theirs.id:
        return not one.past or one.opened.text == other.opened.text
    if mine.kind != theirs.kind or mine.occurred != theirs.occurred:
        return False
    if _about(one) != _about(other):
        return False
    if mine.attribute and (mine.attribute, mine.value) == (theirs.attribute, theirs.value):
        return mine.value is not None and mine.slot == theirs.slot
    return same_facts(one.opened.text, other.opened.text)


def _about(item: RecalledItem) -> tuple[str, str]:
    details = item.opened.details
    return str(details.get("about", "")), str(details.get("condition", ""))
