"""The values the write path's steps hand over, from a proposal to what was decided."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.access import OpenedMemory
from memory.choices import (
    Kind,
    Origin,
    Outcome,
    Reason,
    Role,
    Sensitivity,
    Subtype,
    Trust,
    Visibility,
)
from memory.models import Memory
from memory.write.candidate import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Who stands behind a proposal, and where it was said."""

    origin: Origin
    said_at: datetime
    role: Role | None = None
    event_id: uuid.UUID | None = None
    session_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A memory somebody proposes. What is None is worked out by the classifier.

    ``sensitivity`` may raise the level, never lower it. ``quote`` is verbatim from the event. ``steps``
    are a procedure's, or those of a task; ``outcome`` and ``cause`` an episode's. ``recognised`` and
    ``vector`` are those of a `memory.write.candidate.Candidate`.
    """

    text: str
    source: Source
    kind: Kind | None = None
    subtype: Subtype | None = None
    attribute: str = ""
    value: str = ""
    about: str = ""
    condition: str = ""
    confidence: float | None = None
    importance: float | None = None
    sensitivity: Sensitivity | None = None
    occurred: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    pinned: bool = False
    explicit: bool = False
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    outcome: str = ""
    cause: str = ""
    visibility: Visibility = Visibility.USER
    # The agent that keeps it to itself. Its memories are compared with that agent's own alone, so that
    # nothing of them shows in what is for all, nor the other way round.
    circle: str = ""
    quote: str = ""
    quote_start: int = 0
    quote_end: int = 0
    recognised: bool = False
    vector: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)


def from_candidate(candidate: Candidate, source: Source) -> Proposal:
    """Return what an extractor found as a proposal."""
    return Proposal(
        text=candidate.text,
        source=source,
        kind=candidate.kind,
        subtype=candidate.subtype,
        attribute=candidate.attribute or "",
        value=candidate.value or "",
        about=candidate.about or "",
        condition=candidate.condition or "",
        confidence=candidate.confidence,
        importance=candidate.importance,
        sensitivity=candidate.sensitivity,
        occurred=candidate.occurred,
        valid_from=candidate.valid_from,
        pinned=candidate.pinned,
        explicit=candidate.explicit,
        tags=candidate.tags,
        quote=candidate.quote,
        quote_start=candidate.quote_start,
        quote_end=candidate.quote_end,
        recognised=candidate.recognised,
        vector=candidate.vector,
    )


def from_memory(opened: OpenedMemory, source: Source) -> Proposal:
    """Return what a memory says, with all that is known of it, as a proposal of ``source``."""
    memory, version, details = opened.memory, opened.version, opened.details
    return Proposal(
        text=opened.text,
        source=source,
        kind=Kind(memory.kind),
        subtype=Subtype(memory.subtype),
        attribute=memory.attribute,
        confidence=memory.confidence,
        importance=memory.importance,
        sensitivity=Sensitivity(memory.sensitivity),
        occurred=memory.occurred,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        pinned=memory.pinned,
        visibility=Visibility(memory.visibility),
        circle=memory.circle,
        **from_details(details),
    )


def from_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a wording's sealed details say, as a proposal has it."""
    return {
        "value": details.get("value", ""),
        "about": details.get("about", ""),
        "condition": details.get("condition", ""),
        "steps": tuple(details.get("steps", ())),
        "outcome": details.get("outcome", ""),
        "cause": details.get("cause", ""),
        "tags": tuple(details.get("tags", ())),
        "metadata": details.get("metadata", {}),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A proposal redacted and graded: everything the gate and the store need to know."""

    proposal: Proposal
    text: str
    index_text: str
    language: str
    kind: Kind
    subtype: Subtype
    sensitivity: Sensitivity
    confidence: float
    importance: float
    trust: Trust
    single: bool
    pinned: bool
    in_profile: bool
    value: str
    secret: bool
    only_secret: bool
    instruction_like: bool = False
    details: frozenset[str] = frozenset()

    @property
    def ground(self) -> Reason:
        """What it stands on if nothing speaks against it: the person's wish, their word, or a guess."""
        if self.proposal.explicit:
            return Reason.EXPLICIT
        said = self.proposal.source.origin in (Origin.PERSON, Origin.PERSON_QUOTED)
        return Reason.STATED if said else Reason.INFERRED


def told(draft: Draft) -> datetime:
    """Return from when the draft holds: its stated start, else when it was said."""
    return draft.proposal.valid_from or draft.proposal.source.said_at


def begins_later(draft: Draft) -> bool:
    """Whether the draft was said before it holds: until then it ends nothing."""
    return told(draft) > draft.proposal.source.said_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The gate's recorded answer. ``memory`` is the memory made, raised or changed, if any."""

    id: uuid.UUID
    outcome: Outcome
    reasons: tuple[Reason, ...]
    memory: Memory | None
    event_id: uuid.UUID | None
    quote_start: int = 0
    quote_end: int = 0
