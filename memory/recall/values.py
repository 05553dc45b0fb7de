"""The values the recall's steps hand over."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.access import OpenedMemory
from memory.choices import RecallStatus, Role
from memory.providers.tokens import count_tokens
from memory.recall.score import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn of the conversation that a question came out of."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """What is asked. ``as_of`` moves valid time, ``known_at`` system time; None means now.

    ``task`` says what the answer is for, ``turns`` (oldest first) what was said before the question.
    """

    text: str
    task: str = ""
    turns: Sequence[Said] = ()
    include_history: bool = False
    policy: str = "default"
    top_k: int | None = None
    max_tokens: int | None = None
    include_profile: bool = True
    as_of: datetime | None = None
    known_at: datetime | None = None
    purpose: str = ""
    session_id: uuid.UUID | None = None
    filters: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledItem:
    """One memory in an answer. ``why`` names what let it through: meaning, words, time, or profile.

    ``past``: this wording no longer holds. ``contested``: another memory that waits disagrees.
    ``timely``: it lies in a time the question names.
    """

    opened: OpenedMemory
    score: Score | None
    why: Sequence[str]
    past: bool = False
    contested: bool = False
    timely: bool = False
    cosine: float | None = None
    bm25: float = 0.0
    evidence: Collection[uuid.UUID] = ()

    @property
    def tokens(self) -> int:
        """What its text costs as it is handed over: with the day that its words mean."""
        return count_tokens(self.opened.dated)


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
