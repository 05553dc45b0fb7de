"""What a context is made of. Plain values: no table, no clock."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from memory.choices import Role
from memory.sessions.compaction import Summarised


class Part(StrEnum):
    """The parts of a context, in their order: most abstract first, newest last."""

    SYSTEM = "system"
    PROFILE = "profile"
    MEMORY = "memory"
    KNOWLEDGE = "knowledge"
    SUMMARY = "summary"
    TASK = "task"
    RECENT = "recent"
    REMINDER = "reminder"
    QUERY = "query"


class Why(StrEnum):
    """Why something was left out."""

    OVER_BUDGET = "over_budget"
    OVER_ITEMS = "over_items"
    LOW_INFORMATION = "low_information"
    SUMMARISED = "summarised"
    OVER_SUMMARY = "over_summary"
    NO_FACTS = "no_facts"
    CUT = "cut"
    MEMORY_OFF = "memory_off"
    MISSING = "missing"


class Style(StrEnum):
    """How a context is handed over: messages of a chat API, of Anthropic's kind of it, or one text."""

    MESSAGES = "messages"
    ANTHROPIC = "anthropic"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery:
    """What is asked. ``budget`` counts our tokens; ``query`` is the new message, if it is known.

    ``event_id`` names the message of the session that ``query`` is: neither it nor what came in after
    it is part of the conversation before it. ``knowledge`` asks for passages of documents as well;
    ``policy`` names a recall recipe.
    """

    budget: int
    policy: str = ""
    query: str = ""
    event_id: uuid.UUID | None = None
    system: str = ""
    task_id: str | None = None
    style: Style = Style.MESSAGES
    purpose: str = ""
    knowledge: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A passage of a document and its citation: document, headings, page, span of characters."""

    document_id: uuid.UUID
    title: str
    section: Sequence[str]
    page: int | None
    start: int
    end: int
    revision: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One memory. ``mark`` says whose word it is if not the person's; ``binding`` asks to be followed."""

    memory_id: uuid.UUID
    text: str
    mark: str = ""
    when: date | None = None
    binding: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of the session, said at ``at``. ``name`` is the speaker's, if one was given."""

    event_id: uuid.UUID
    role: Role
    text: str
    at: datetime
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What was dropped from a part and why: ids of events, memories or documents, or names of fields."""

    part: Part
    why: Why
    ids: Sequence[uuid.UUID] | Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything that could go in, already chosen and opened, before the budget is looked at.

    ``exchanges`` are oldest first: all turns for which ``summary`` does not speak yet. ``order`` are
    all events of the session as they were said.
    """

    language: str = "en"
    system: str = ""
    query: str = ""
    profile: Sequence[Known] = ()
    memory: Sequence[Known] = ()
    knowledge: Sequence[Cited] = ()
    summary: Summarised = field(default_factory=Summarised)
    task: Mapping[str, Any] | None = None
    exchanges: Sequence[Sequence[Turn]] = ()
    order: Sequence[uuid.UUID] = ()
    left_out: Sequence[LeftOut] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One message of the context: its part, the role it is sent with, and its words.

    ``is_data`` says that nobody speaks it: it is fenced data.
    """

    part: Part
    role: Role
    text: str
    is_data: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """The context: pieces in order, tokens of each part, and what was left out.

    ``cited`` are the passages it shows: the first is number 1. ``folded`` is the session's summary
    with the turns that went into it now, None if none did.
    """

    pieces: Sequence[Piece]
    tokens: Mapping[Part, int]
    left_out: Sequence[LeftOut]
    cited: Sequence[Cited] = ()
    folded: Summarised | None = None
