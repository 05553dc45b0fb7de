"""The values the recall's steps hand over."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.access import OpenedMemory
from memory.choices import RecallStatus
from memory.recall.score import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """What is asked. ``as_of`` moves valid time, ``known_at`` system time; None means now."""

    text: str
    policy: str = "default"
    top_k: int | None = None
    max_tokens: int | None = None
    include_profile: bool = True
    as_of: datetime | None = None
    known_at: datetime | None = None
    purpose: str = ""
    session_id: uuid.UUID | None = None
    filters: Mapping[str, Sequence[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledItem:
    """One memory in an answer. ``why`` names what let it through: meaning, words, or profile."""

    opened: OpenedMemory
    score: Score | None
    why: Sequence[str]
    cosine: float | None = None
    bm25: float = 0.0
    evidence: Sequence[uuid.UUID] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAnswer:
    """The answer: found, nothing relevant, or degraded (which part could not search)."""

    recall_id: uuid.UUID
    status: RecallStatus
    items: Sequence[RecalledItem]
    profile: Sequence[RecalledItem]
    degraded: Sequence[str]
    policy: str
    held_back: Mapping[str, int]
