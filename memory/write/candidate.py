"""The values that travel through the write path: a turn, what it proposes, what it refuses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.choices import Kind, Reason, Role, Sensitivity, Subtype


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, already cleaned and redacted: quotes count in exactly this text.

    ``at`` is when it was said, in the person's zone. ``other``: somebody else in a group spoke in the
    user's role.
    """

    role: Role
    text: str
    at: datetime
    name: str | None = None
    event_id: UUID | None = None
    other: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A stretch of one session: ``turns`` to read, and those ``before`` them to understand them by."""

    before: Sequence[Turn]
    turns: Sequence[Turn]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A proposed memory: the statement in its source language and the words it rests on.

    ``recognised``: the classifier saw it, no rule did. ``vector``: of exactly ``text``, if it is known.
    """

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
    sensitivity: Sensitivity | None = None
    recognised: bool = False
    vector: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A stretch of a turn that is not remembered, and why. Holds no text, so it may be recorded."""

    reason: Reason
    event_id: UUID | None
    quote_start: int
    quote_end: int


type Found = Candidate | Refused
