"""The filters of the list of memories: from a form's values to columns, and back to an address."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from dashboard import words
from dashboard.words import Words
from memory.choices import State

STATES = (State.ACTIVE, State.PENDING, State.PAUSED, State.DISPUTED, State.ARCHIVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One option of one filter."""

    value: str
    words: Words


CHOICES: Mapping[str, list[Choice]] = {
    "state": [Choice(value=state, words=words.STATES[state].words) for state in STATES],
    "kind": [Choice(value=kind, words=said) for kind, said in words.KINDS.items()],
    "level": [Choice(value=str(n), words=said) for n, said in words.LEVEL_WORDS.items()],
    "basis": [Choice(value=name, words=one[0]) for name, one in words.BASIS_FILTERS.items()],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What was chosen; an unknown value counts as none."""

    chosen: Mapping[str, str]

    @property
    def columns(self) -> dict[str, Any]:
        """Return the filters as columns of a memory."""
        named = {"state": "state", "kind": "kind", "level": "sensitivity"}
        found: dict[str, Any] = {
            column: self.chosen[name] for name, column in named.items() if name in self.chosen
        }
        if "basis" in self.chosen:
            found["origin__in"] = words.BASIS_FILTERS[self.chosen["basis"]][1]
        return found

    @property
    def query(self) -> str:
        """Return the filters as the query of an address: codes, never what was searched for."""
        return urlencode(self.chosen)

    @property
    def said(self) -> list[Words]:
        """Return what was chosen, in words."""
        return [
            choice.words
            for name, choices in CHOICES.items()
            for choice in choices
            if self.chosen.get(name) == choice.value
        ]

    @property
    def fields(self) -> list[tuple[str, list[Choice], str]]:
        """Return each filter with its options and what was chosen."""
        return [(name, choices, self.chosen.get(name, "")) for name, choices in CHOICES.items()]


def read(values: Mapping[str, str]) -> Filters:
    """Return the filters in a form's or an address' values."""
    chosen = {
        name: values.get(name, "")
        for name, choices in CHOICES.items()
        if any(choice.value == values.get(name) for choice in choices)
    }
    return Filters(chosen=chosen)
