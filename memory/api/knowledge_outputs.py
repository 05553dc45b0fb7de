"""How documents and passages look on the wire."""

from typing import Any

from memory.api import outputs
from memory.choices import Layer
from memory.context.layers import LayeredAnswer
from memory.knowledge.documents import Slice
from memory.knowledge.opening import OpenedDocument
from memory.knowledge.values import FoundPassage, KnowledgeAnswer
from memory.sessions import OpenedMessage


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


def layered(found: LayeredAnswer) -> dict[str, Any]:
    """Return the answer of all layers, each apart, its items marked with the layer."""
    memories = outputs.answer(found.memories) if found.memories else NOTHING
    marked = {
        name: [item | {"layer": Layer.LONG_TERM} for item in memories[name]]
        for name in ("memories", "profile")
    }
    return (
        memories
        | marked
        | {
            "status": found.status,
            "layers": list(found.layers),
            "working": [turn(one) | {"layer": Layer.WORKING} for one in found.working],
            "knowledge": [passage(one) | {"layer": Layer.KNOWLEDGE} for one in found.passages],
            "degraded": list(found.degraded),
        }
    )


NOTHING: dict[str, Any] = {
    "memories": [], "profile": [], "held_back": {}, "policy": None, "recall_id": None,
}  # fmt: skip


def turn(one: OpenedMessage) -> dict[str, Any]:
    """Return a turn of the running session."""
    row = one.message
    return {
        "event_id": row.event_id,
        "role": row.role,
        "name": one.name or None,
        "text": one.text,
        "at": row.at,
    }
