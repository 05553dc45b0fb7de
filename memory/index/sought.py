"""A question as an index is searched for it: its vector and its keyed terms, and what could not search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db.models import QuerySet

from memory.index.asked import Asked, asked
from memory.index.serving import has_others
from memory.index.terms import digests, is_rare_shape, terms


class Found(Protocol):
    """One hit of a search, which says of the search whether vectors of another model lie there."""

    @property
    def others(self) -> bool:
        """Whether they do."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """``rare`` are those of the ``digests`` whose term looks like a name, id or number."""

    asked: Asked
    vectors: QuerySet[Any]
    digests: dict[int, int]
    rare: frozenset[int]

    @classmethod
    def of(cls, key: bytes, vectors: QuerySet[Any], *, words: str, meaning: str) -> "Sought":
        """Return a question to ``vectors``; ``key`` makes the digests of the terms beside them."""
        counted = terms(words)
        rare = digests({term: 1 for term in counted if is_rare_shape(term)}, key)
        return cls(
            asked=asked(meaning, vectors),
            vectors=vectors,
            digests=digests(counted, key),
            rare=frozenset(rare),
        )

    def degraded(self, hits: Sequence[Found]) -> Sequence[str]:
        """Return what could not be searched; ``hits`` are what was found."""
        others = hits[0].others if hits else has_others(self.vectors, self.asked.model)
        return self.asked.degraded_by(others=others)
