"""How sessions, contexts, boards and originals look on the wire."""

from typing import Any

from memory.context.build import Context
from memory.context.values import Cited, Laid, LeftOut, Part
from memory.sessions import OpenedMessage
from memory.sessions.boards import Board
from memory.sessions.originals import Original

# What the ids of something left out name.
NAMED = {
    Part.PROFILE: "memories",
    Part.MEMORY: "memories",
    Part.KNOWLEDGE: "documents",
    Part.TASK: "fields",
}


def session(row: Any) -> dict[str, Any]:
    """Return a session without its messages; ``messages`` counts what it has received."""
    return {
        "id": row.id,
        "session_id": row.external_id,
        "agent_id": row.agent_id,
        "opened_at": row.opened_at,
        "last_active_at": row.last_active_at,
        "closed_at": row.closed_at,
        "messages": row.next_sequence - 1,
    }


def message(one: OpenedMessage) -> dict[str, Any]:
    """Return a message with its words."""
    row = one.message
    return {
        "event_id": row.event_id,
        "sequence": row.sequence,
        "role": row.role,
        "content": one.text,
        "name": one.name or None,
        "at": row.at,
        "late": one.late,
        "low_information": row.low_information,
        "tokens": row.tokens,
        "redacted": row.event.redacted,
    }


def compacted(laid: Laid) -> dict[str, Any]:
    """Return the summary as a context shows it, tokens of each part, and what became of the turns."""
    told = [piece.text for piece in laid.pieces if piece.part == Part.SUMMARY]
    return {"summary": "".join(told), **_laid(laid)}


def _laid(laid: Laid) -> dict[str, Any]:
    return {
        "tokens": {part.value: count for part, count in laid.tokens.items()},
        "left_out": [_left_out(one) for one in laid.left_out],
    }


def context(found: Context) -> dict[str, Any]:
    """Return a context in its format, tokens of each part, and what was left out."""
    laid, answer = found.laid, found.recalled
    sent: dict[str, Any] = {"system": found.system, "text": found.text}
    if found.messages is not None:
        sent["messages"] = [{"role": role, "content": text} for role, text in found.messages]
    return {name: value for name, value in sent.items() if value is not None} | {
        **_laid(laid),
        "citations": [_citation(n, one) for n, one in enumerate(laid.cited, start=1)],
        "recall": answer
        and {
            "id": answer.recall_id,
            "status": answer.status,
            "degraded": list(answer.degraded),
        },
    }


def _citation(number: int, one: Cited) -> dict[str, Any]:
    names = ("document_id", "title", "page", "start", "end", "revision")
    shown = {name: getattr(one, name) for name in names}
    return {"number": number, **shown, "section": list(one.section)}


def _left_out(one: LeftOut) -> dict[str, Any]:
    body: dict[str, Any] = {"part": one.part.value, "reason": one.why.value}
    return body | ({NAMED.get(one.part, "events"): list(one.ids)} if one.ids else {})


def board(one: Board) -> dict[str, Any]:
    """Return a board with its state."""
    row = one.row
    return {
        "id": row.id,
        "task_id": row.external_id,
        "state": one.state,
        "version": row.version,
        "step": row.step,
        "status": row.status,
        "event_ids": row.event_ids,
        "updated_at": row.updated_at,
        "expires_at": row.expires_at,
    }


def original(one: Original) -> dict[str, Any]:
    """Return an event with its words."""
    row = one.event
    return {
        "id": row.id,
        "type": row.type,
        "role": row.role,
        "content": one.text,
        "name": one.name or None,
        "at": row.occurred_at,
        "received_at": row.received_at,
        "expires_at": row.expires_at,
        "redacted": row.redacted,
        "agent_id": row.agent_id,
        "session_id": row.session_id,
    }
