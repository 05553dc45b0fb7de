"""A memory as a page shows it: its text (or what stands for it), badges, basis, agent, times."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from dashboard import words
from dashboard.words import Badge, Words
from memory.access import OpenedMemory
from memory.choices import Reason, Sensitivity, State, Subtype
from memory.recall.history import Quote
from memory.text.normalise import language

# Whether lists withhold sensitive texts for whom the page is shown to.
_WITHHOLDS = ContextVar("withholds", default=True)


@contextmanager
def withholding(*, on: bool) -> Iterator[None]:
    """Withhold sensitive texts in lists, or do not, while a page is made."""
    token = _WITHHOLDS.set(on)
    try:
        yield
    finally:
        _WITHHOLDS.reset(token)


LANGUAGES = {"zh": "zh-Hans", "en": "en", "ja": "ja", "ko": "ko"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One memory in a list: its text, or where that is ``withheld`` what it is about."""

    id: uuid.UUID
    text: str | Words
    withheld: bool
    lang: str
    state: Badge
    level: Badge | None
    basis: Words
    agent: str
    version: int
    created_at: datetime
    used_at: datetime | None
    occurred: datetime | None
    undo_until: datetime | None
    may_pause: bool
    may_resume: bool
    may_restore: bool
    erase_at: datetime | None
    forgotten: bool
    may_undo: bool

    @property
    def anchor(self) -> str:
        """The id of its element on a page; no two memories of a page share it."""
        return f"m{self.id}"


def row(opened: OpenedMemory, names: Mapping[uuid.UUID, str], *, reveal: bool = False) -> Row:
    """Return one memory as a list shows it; a sensitive text only where ``reveal`` says so."""
    memory, state = opened.memory, State(opened.memory.state)
    sensitive = memory.sensitivity >= Sensitivity.SPECIAL
    withheld = sensitive and not reveal and _WITHHOLDS.get()
    return Row(
        id=memory.id,
        text=words.topic(memory.attribute) if withheld else opened.text,
        withheld=withheld,
        lang="" if withheld else lang(opened.version.language),
        state=words.STATES[state],
        level=words.LEVELS.get(memory.sensitivity),
        basis=basis(opened),
        agent=names.get(memory.agent_id, "") if memory.agent_id else "",
        version=memory.version,
        created_at=memory.created_at,
        used_at=memory.last_recalled_at,
        occurred=memory.occurred,
        undo_until=memory.undo_until,
        may_pause=state == State.ACTIVE,
        may_resume=state == State.PAUSED,
        may_restore=state == State.ARCHIVED,
        erase_at=memory.erase_at,
        forgotten=state == State.FORGOTTEN,
        may_undo=memory.undo_until is not None and memory.undo_until > timezone.now(),
    )


def rows(found: Iterable[OpenedMemory], names: Mapping[uuid.UUID, str]) -> list[Row]:
    """Return memories as a list shows them."""
    return [row(one, names) for one in found]


def shown_quote(one: Quote) -> dict[str, Any]:
    """Return what a memory rests on: words, who said them and when."""
    return {
        "text": one.text,
        "lang": lang_of(one.text),
        "speaker": words.SPEAKERS.get(one.evidence.role, words.SPEAKERS["user"]),
        "at": one.evidence.said_at,
    }


def basis(opened: OpenedMemory) -> Words:
    """Return in words why it is there: said, worked out, counted, corrected, imported."""
    version = opened.version
    if version.reason == Reason.CORRECTED and version.author_kind == "person":
        return words.CORRECTED
    if opened.memory.subtype == Subtype.PATTERN:
        return words.COUNTED
    return words.BASES[opened.memory.origin]


def lang(code: str) -> str:
    """Return the HTML language of a text, or nothing where it is unknown."""
    return LANGUAGES.get(code, "")


def lang_of(text: str) -> str:
    """Return the HTML language of a text that carries no code."""
    return lang(language(text))
