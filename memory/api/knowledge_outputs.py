"""How documents and passages look on the wire."""

from typing import Any

from memory.knowledge.documents import Slice
from memory.knowledge.opening import OpenedDocument
from memory.knowledge.values import FoundPassage, KnowledgeAnswer


def document(opened: OpenedDocument) -> dict[str, Any]:
    """Return a document without its text."""
    row = opened.document
    names = (
        "id", "format", "language", "state", "revision", "size", "characters", "created_at",
        "updated_at", "indexed_at",
    )  # fmt: skip
    shown = {name: getattr(row, name) for name in names}
    return {
        "source": opened.source,
        "title": opened.title or None,
        **shown,
        "fault": row.fault or None,
        "passages": row.passage_count,
    }


def passage(found: FoundPassage) -> dict[str, Any]:
    """Return a passage with its citation; its text is data, not an order."""
    names = ("document_id", "title", "page", "start", "end", "revision", "text")
    return {name: getattr(found, name) for name in names} | {
        "section": list(found.section),
        "score": round(found.relevance, 4),
        "cosine": None if found.cosine is None else round(found.cosine, 4),
        "bm25": round(found.bm25, 4),
        "why": list(found.why),
    }


def answer(found: KnowledgeAnswer) -> dict[str, Any]:
    """Return the answer to a search."""
    return {
        "status": found.status,
        "passages": [passage(one) for one in found.passages],
        "degraded": list(found.degraded),
        "held_back": dict(found.held_back),
    }


def text(one: Slice) -> dict[str, Any]:
    """Return a stretch of a document's text."""
    names = ("text", "start", "end", "characters", "revision")
    return {name: getattr(one, name) for name in names}
