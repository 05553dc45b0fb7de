"""Matching as the format means it: Python patterns, searched in a text, whatever the case."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def found(pattern: str, text: str) -> bool:
    """Whether the pattern is found in the text."""
    return bool(re.search(pattern, text, re.IGNORECASE))


def text_of(item: Mapping[str, Any]) -> str:
    """Return an item's words; a wording that is not shown has none."""
    return str(item.get("text") or "")


def matching(items: Iterable[Mapping[str, Any]], pattern: str | None) -> list[Mapping[str, Any]]:
    """Return the items whose words match; all without a pattern."""
    return [one for one in items if pattern is None or found(pattern, text_of(one))]


def fits(text: str, check: Mapping[str, Any]) -> bool:
    """Whether ``text`` matches all of ``all``, one of ``any`` if given, and none of ``none``."""
    every = all(found(one, text) for one in check.get("all", ()))
    some = not check.get("any") or any(found(one, text) for one in check["any"])
    return every and some and not any(found(one, text) for one in check.get("none", ()))


def number(value: int, check: Mapping[str, Any], *, suffix: str = "") -> bool:
    """Whether a count is ``eq`` and within ``min`` and ``max``, as far as they are given."""
    exact = check.get(f"eq{suffix}", check.get("eq"))
    least, most = check.get(f"min{suffix}", check.get("min")), check.get(f"max{suffix}")
    most = check.get("max") if most is None else most
    return (
        (exact is None or value == exact)
        and (least is None or value >= least)
        and (most is None or value <= most)
    )


def status_in(status: int, allowed: Sequence[object]) -> bool:
    """Whether a status is one of ``allowed``; "2xx" stands for its class, "409|412" for either."""
    for one in allowed:
        for name in str(one).split("|"):
            if name == str(status) or name.lower() == f"{status // 100}xx":
                return True
    return False
