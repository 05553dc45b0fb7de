"""One thing that a person may tell of themselves."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A theme in its wordings: ``{v}`` is one of ``values``, ``{a|b}`` one of several.

    ``kind`` is what it should be written as, ``level`` how closely it should at least be held.
    ``again`` says the same in other words, ``change`` that it is otherwise now; without, neither is told.
    """

    name: str
    kind: str
    values: Sequence[str]
    says: Sequence[str]
    asks: Sequence[str]
    again: Sequence[str] = ()
    change: Sequence[str] = ()
    level: int = 0
