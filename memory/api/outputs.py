"""How objects look on the wire."""

import uuid
from collections.abc import Sequence
from typing import Any

from memory.access import OpenedMemory
from memory.aggregation.days import Day
from memory.recall.explain import Explanation
from memory.recall.history import Quote, Source, Wording
from memory.recall.links import Linked
from memory.recall.score import Score
from memory.recall.table import Line
from memory.recall.values import RecallAnswer, RecalledItem
from memory.reviews.listing import OpenReview
from memory.write.proposal import Decided


def memory(opened: OpenedMemory) -> dict[str, Any]:
    """Return a memory with its current wording."""
    row, version, details = opened.memory, opened.version, opened.details
    return {
        "id": row.id,
        "text": opened.text,
        "kind": row.kind,
        "subtype": row.subtype,
        "attribute": row.attribute or None,
        "value": details.get("value"),
        "about": details.get("about"),
        "state": row.state,
        "sensitivity": row.sensitivity,
        "origin": row.origin,
        "trust": row.trust,
        "confidence": row.confidence,
        "importance": row.importance,
        "pinned": row.pinned,
        "visibility": row.visibility,
        "tags": details.get("tags", []),
        "metadata": details.get("metadata", {}),
        "version": row.version,
        "language": version.language,
        "occurred": row.occurred,
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "last_confirmed_at": row.last_confirmed_at,
        "erase_at": row.erase_at,
        "agent_id": row.agent_id,
        "session_id": row.session_id,
    }


def source(one: Source) -> dict[str, Any]:
    """Return a memory that another was worked out from."""
    return {"memory": memory(one.opened), "event_ids": one.event_ids}


def day(one: Day) -> dict[str, Any]:
    """Return what happened on one day, with how it ended."""
    return {
        "date": one.date,
        "succeeded": one.count("success"),
        "failed": one.count("failure"),
        "episodes": [
            {"memory": memory(it.opened), "outcome": it.outcome or None, "event_ids": it.event_ids}
            for it in one.happened
        ],
    }


def decided(one: Decided) -> dict[str, Any]:
    """Return a decision: codes and ids, no text."""
    return {
        "id": one.memory.id if one.memory else None,
        "state": one.memory.state if one.memory else None,
        "version": one.memory.version if one.memory else None,
        "outcome": one.outcome,
        "decision": one.id,
        "reasons": list(one.reasons),
    }


def recalled(item: RecalledItem) -> dict[str, Any]:
    """Return one item of an answer: data, with where it came from and how far to believe it."""
    body = memory(item.opened)
    names = (
        "id", "text", "kind", "subtype", "attribute", "about", "occurred", "valid_from", "valid_to",
        "confidence", "trust", "origin", "version", "created_at", "last_confirmed_at",
    )  # fmt: skip
    shown = {name: body[name] for name in names} | {
        "text": item.opened.dated,
        "version": item.opened.version.number,
    }
    if item.score is not None:
        shown["score"] = round(item.score.total, 4)
        shown["score_breakdown"] = _parts(item.score) | _closeness(item)
    return shown | {
        "why": list(item.why),
        "past": item.past,
        "contested": item.contested,
        "evidence": list(item.evidence),
    }


def _parts(score: Score) -> dict[str, float]:
    names = ("relevance", "recency", "importance", "confidence")
    return {name: round(getattr(score, name), 4) for name in names}


def _closeness(one: RecalledItem | Line) -> dict[str, float | None]:
    cosine = None if one.cosine is None else round(one.cosine, 4)
    return {"cosine": cosine, "bm25": round(one.bm25, 4)}


def explanation(found: Explanation) -> dict[str, Any]:
    """Return the whole table of a recall."""
    question = found.weighed.question if found.weighed else None
    return {
        "status": found.status,
        "allowed": found.weighed is not None,
        "policy": found.policy.name,
        "gate": found.weighed.gate if found.weighed else found.policy.gate,
        "times": [
            {"begin": one.begin, "end": one.end} for one in (question.times if question else ())
        ],
        "degraded": list(found.weighed.degraded) if found.weighed else [],
        "candidates": [explained(line) for line in found.lines],
        "memory": explained(found.about) if found.about else None,
    }


def explained(line: Line) -> dict[str, Any]:
    """Return one line of the table."""
    score = line.score
    return {
        "id": line.memory_id,
        "text": line.opened.text if line.opened else None,
        "version": line.version,
        "state": line.state,
        "fate": line.fate,
        "why": list(line.why),
        "past": line.past,
        "score": round(score.total, 4) if score else None,
        "score_breakdown": (_parts(score) if score else {}) | _closeness(line),
    }


def answer(found: RecallAnswer) -> dict[str, Any]:
    """Return the answer to a recall."""
    return {
        "status": found.status,
        "memories": [recalled(item) for item in found.items],
        "profile": [recalled(item) for item in found.profile],
        "degraded": list(found.degraded),
        "held_back": dict(found.held_back),
        "policy": found.policy,
        "recall_id": found.recall_id,
    }


def job_state(row: Any) -> dict[str, Any]:
    """Return how far a job is, as the answer to the write that left it."""
    return {"id": row.id, "state": row.state}


def appended(
    event_ids: Sequence[uuid.UUID], job: Any, decisions: Sequence[Any] | None
) -> dict[str, Any]:
    """Return what became of a batch of messages."""
    body: dict[str, Any] = {"events": list(event_ids)}
    if job is not None:
        body["job"] = job_state(job)
    if decisions is not None:
        body["decisions"] = [decision(one) for one in decisions]
    return body


def state(row: Any) -> dict[str, Any]:
    """Return where a memory stands after a move."""
    return {
        "id": row.id,
        "state": row.state,
        "version": row.version,
        "undo_until": row.undo_until,
    }


def link(one: Linked) -> dict[str, Any]:
    """Return a link as one of its ends sees it."""
    return {
        "id": one.id,
        "kind": one.kind,
        "outgoing": one.outgoing,
        "memory_id": one.memory_id,
        "created_at": one.created_at,
    }


def wording(one: Wording) -> dict[str, Any]:
    """Return one version of a memory."""
    row = one.version
    return {
        "version": row.number,
        "text": one.text,
        "current": row.superseded_at is None,
        "reason": row.reason,
        "origin": row.origin,
        "trust": row.trust,
        "author": row.author_kind,
        "author_id": row.author_id,
        "valid_from": row.valid_from,
        "valid_to": row.valid_to,
        "recorded_at": row.recorded_at,
        "superseded_at": row.superseded_at,
    }


def quote(one: Quote) -> dict[str, Any]:
    """Return one piece of evidence."""
    row = one.evidence
    return {
        "event_id": row.event_id,
        "quote": one.text,
        "role": row.role or None,
        "said_at": row.said_at,
        "version": row.version_number,
    }


def decision(row: Any) -> dict[str, Any]:
    """Return one decision of the gate: codes and ids."""
    return {
        "decision": row.id,
        "outcome": row.outcome,
        "reasons": row.reasons,
        "id": row.memory_id,
        "event_id": row.event_id,
        "kind": row.kind or None,
        "subtype": row.subtype or None,
        "sensitivity": row.sensitivity,
        "agent_id": row.agent_id,
        "at": row.created_at,
    }


def audit_event(row: Any) -> dict[str, Any]:
    """Return one line of the log: codes, ids and counts."""
    names = (
        "code", "at", "actor_kind", "actor_id", "actor_label", "object_kind", "object_id",
        "version_before", "version_after", "fields", "sensitivity", "purpose", "reason",
        "decision", "result_count", "request_id",
    )  # fmt: skip
    return {name: getattr(row, name) for name in names}


def review(one: OpenReview) -> dict[str, Any]:
    """Return one question that waits for the person."""
    return {
        "id": one.item.id,
        "kind": one.item.kind,
        "created_at": one.item.created_at,
        "lapses_at": one.item.lapses_at,
        "memory": memory(one.opened),
        "current": memory(one.current) if one.current else None,
        "parts": [memory(part) for part in one.parts],
    }


def suppression(row: Any) -> dict[str, Any]:
    """Return one suppression: what it matches by, since when."""
    return {"id": row.id, "basis": row.basis, "created_at": row.created_at}


def interest(row: Any) -> dict[str, Any]:
    """Return one topic that the person keeps asking about."""
    return {name: getattr(row, name) for name in ("topic", "count", "first_at", "last_at")}
