"""What a tenant may set otherwise in a recall recipe of its own, and how far."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from memory.errors import InvalidInput
from memory.policy.recalling import RECALL, RecallPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """From the least to the most that a number may be; ``whole``: no fractions."""

    least: float
    most: float
    whole: bool = False


# The profile is never cut so far that safety facts have no room in it.
ADJUSTABLE = MappingProxyType(
    {
        "gate": Range(least=0.15, most=0.9),
        "top_k": Range(least=1, most=50, whole=True),
        "max_tokens": Range(least=1, most=128_000, whole=True),
        "profile_items": Range(least=5, most=50, whole=True),
        "profile_tokens": Range(least=200, most=4000, whole=True),
        "links": Range(least=0, most=5, whole=True),
        "relevance": Range(least=0, most=1),
        "recency": Range(least=0, most=1),
        "importance": Range(least=0, most=1),
        "confidence": Range(least=0, most=1),
    }
)
WEIGHTS = ("relevance", "recency", "importance", "confidence")
BASES = ("default", "inject")
RECIPES = 20  # of one tenant


def adjusted(base: str, name: str, numbers: Mapping[str, float]) -> RecallPolicy:
    """Return the recipe ``base`` under another name, with other numbers. Pure.

    Raises:
        InvalidInput: for a base or number that is not on the list, one out of its range, or weights
            that do not add up to 1.
    """
    if base not in BASES:
        raise InvalidInput(f"A recipe starts from one of {', '.join(BASES)}.")
    for one, value in numbers.items():
        allowed = ADJUSTABLE.get(one)
        if allowed is None:
            raise InvalidInput(f"{one} is none of {', '.join(ADJUSTABLE)}.")
        if not allowed.least <= value <= allowed.most or (allowed.whole and value != int(value)):
            kind = "a whole number" if allowed.whole else "a number"
            raise InvalidInput(
                f"{one} must be {kind} from {allowed.least:g} to {allowed.most:.15g}."
            )
    changes: dict[str, Any] = {
        one: int(n) if ADJUSTABLE[one].whole else float(n) for one, n in numbers.items()
    }
    made = replace(RECALL[base], name=name, **changes)
    total = sum(getattr(made, weight) for weight in WEIGHTS)
    if abs(total - 1) > 0.001:  # noqa: PLR2004 - what rounding leaves
        raise InvalidInput(f"{', '.join(WEIGHTS)} must add up to 1; they are {total:g}.")
    return made
