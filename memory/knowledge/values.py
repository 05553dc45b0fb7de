"""What is asked of knowledge, and what is answered."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.choices import RecallStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeQuery:
    """What is asked. ``documents`` narrows the search to these; None means all of the tenant's."""

    text: str
    top_k: int | None = None
    max_tokens: int | None = None
    documents: Sequence[uuid.UUID] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPassage:
    """A passage with its citation: document, headings, page, and span in the document's text.

    ``relevance`` alone ranks, 0 to 1. ``why`` names what let it through: meaning, words.
    """

    id: uuid.UUID
    document_id: uuid.UUID
    title: str
    section: Sequence[str]
    page: int | None
    start: int
    end: int
    revision: int
    text: str
    relevance: float
    cosine: float | None
    bm25: float
    why: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeAnswer:
    """The answer: found, nothing relevant, or degraded (which part could not search)."""

    status: RecallStatus
    passages: Sequence[FoundPassage]
    degraded: Sequence[str]
    held_back: Mapping[str, int]
