"""Could a task be done with what is handed over? Counted with memory and without; no model answers.

A task names what must be known to do it. It can be done if the context of a new session in which it is
asked holds all of it as it is now, and nothing of it as it was, and nobody else's. Whether a model would
do it well is another question, which an experiment among an agent's own sessions answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memory.context.build import Context
from memory.context.values import Part
from memory.evaluation.proportions import Share
from memory.evaluation.whole.reading import Need, Task

BUDGET = 2000  # tokens of a task's context
RECALLED = (Part.PROFILE, Part.MEMORY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What one context lacked of what was needed, what it held as it was before, and what else was wrong."""

    missing: Sequence[str]
    stale: Sequence[str]
    foreign: int
    too_long: bool

    @property
    def is_enough(self) -> bool:
        """Whether the task can be done with it."""
        return not (self.missing or self.stale or self.foreign or self.too_long)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One task: what was handed over with memory, and without."""

    task: Task
    on: Handed
    off: Handed


def handed(task: Task, context: Context, *, foreign: int) -> Handed:
    """Return what a context means for a task; the task's own words are no knowledge."""
    laid = context.laid
    known = [one for one in laid.pieces if one.part != Part.QUERY]
    whole = "\n".join(one.text for one in known).casefold()
    recalled = (one.text.casefold() for one in known if one.part in RECALLED)
    lines = [line for text in recalled for line in text.splitlines()]
    return Handed(
        missing=[one.now for one in task.needs if one.now.casefold() not in whole],
        stale=[one.now for one in task.needs if any(_is_over(one, line) for line in lines)],
        foreign=foreign,
        too_long=sum(laid.tokens.values()) > BUDGET,
    )


def _is_over(need: Need, line: str) -> bool:
    old = any(one.casefold() in line for one in need.before)
    return old and need.now.casefold() not in line


def numbers(tried: Sequence[Tried]) -> dict[str, Any]:
    """Return how many tasks can be done with memory and without, each share with its 95 % interval."""
    on = [one.on for one in tried]
    return {
        "n": len(tried),
        **_shares("on", on),
        **_shares("off", [one.off for one in tried]),
        "missing": sum(bool(one.missing) for one in on),
        "stale": sum(bool(one.stale) for one in on),
        "foreign": sum(bool(one.foreign) for one in on),
        "too_long": sum(one.too_long for one in on),
    }


def _shares(name: str, handed_over: Sequence[Handed]) -> dict[str, float]:
    share = Share(successes=sum(one.is_enough for one in handed_over), of=len(handed_over))
    low, high = share.interval()
    return {
        f"done_{name}": share.successes,
        f"{name}": round(share.value, 4),
        f"{name}_low": round(low, 4),
        f"{name}_high": round(high, 4),
    }
