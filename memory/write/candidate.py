"""The values that travel through the write path: a turn, what it proposes, what it refuses."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.choices import Kind, Reason, Role, Subtype


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, already cleaned and redacted: quotes count in exactly this text."""

    role: Role
    text: str
    at: datetime
    name: str | None = None
    event_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A proposed memory: the statement in its source language and the words it rests on."""

    text: str
    kind: Kind
    subtype: Subtype
    attribute: str | None
    value: str | None
    quote: str
    quote_start: int
    quote_end: int
    event_id: UUID | None
    explicit: bool
    about: str | None
    condition: str | None
    confidence: float
    importance: float
    occurred: datetime | None
    valid_from: datetime | None
    pinned: bool
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A stretch of a turn that is not remembered, and why. Holds no text, so it may be recorded."""

    reason: Reason
    event_id: UUID | None
    quote_start: int
    quote_end: int
