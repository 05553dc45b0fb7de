"""An erasure in plain words: ordered steps from the fence to the last backup.

The service works store by store; a person reads groups of stores.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.choices import ActorKind
from dashboard.happened import WHO
from dashboard.words import Words
from memory.choices import ErasureScope, ErasureState, StepState

# Groups in the order shown; a store nobody has named yet is shown with the last one.
GROUPS: Mapping[str, tuple[Words, tuple[str, ...]]] = {
    "text": (_("Text and earlier wordings"), ("versions", "keys")),
    "index": (_("Search index"), ("vectors", "terms")),
    "sources": (
        _("Quotes and the messages it came from"),
        ("evidence", "derivations", "messages", "events", "summaries", "boards", "sessions"),
    ),
    "traces": (
        _("Questions, decisions and lists that named it"),
        (
            "reviews",
            "conflicts",
            "links",
            "decisions",
            "feedback",
            "recalls",
            "recall log",
            "requests",
            "imports",
        ),
    ),
    "person": (
        _("What must not be learnt again, permissions and your key"),
        ("suppressions", "interests", "grants", "looks", "person key"),
    ),
}
LAST = "traces"
BY_ITSELF: Words = _("This service, because its time was over")
ENDED = (ErasureState.ERASED, ErasureState.AWAITING_BACKUP_EXPIRY, ErasureState.COMPLETED)
STOPPED = (ErasureState.REJECTED, ErasureState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line: ``state`` is done, now, wait or failed; ``removed`` of how many entries."""

    words: Words
    state: str
    icon: str
    done: int = 0
    of: int = 0
    removed: int | None = None
    at: datetime | None = None


ICONS = {
    "done": "icons/circle-check.svg",
    "now": "icons/loader.svg",
    "wait": "icons/circle-dashed.svg",
    "failed": "icons/triangle-alert.svg",
}


def steps(erasure: Any, rows: Sequence[Any]) -> list[Step]:
    """Return the steps of an erasure; ``rows`` are its steps store by store."""
    hidden = _step(_("Hidden from every agent"), "done", at=erasure.fenced_at)
    checked = _step(
        _("Checked: every place was searched again and held nothing"),
        "done" if erasure.erased_at else _checking(erasure),
        at=erasure.erased_at,
    )
    over = erasure.state == ErasureState.COMPLETED
    backups = _step(
        _("Backups that may still hold it expire"),
        "done" if over else "wait",
        at=erasure.completed_at or erasure.backups_until,
    )
    grouped = [
        _group(words, [row for row in rows if _group_of(row.store) == name])
        for name, (words, _stores) in GROUPS.items()
        if name != "person" or erasure.scope == ErasureScope.PERSON
    ]
    return [hidden, *grouped, checked, backups]


def progress(found: Sequence[Step]) -> tuple[int, int]:
    """Return how many steps are done, of how many."""
    return sum(step.state == "done" for step in found), len(found)


def begun_by(erasure: Any, names: Mapping[uuid.UUID, str]) -> Words:
    """Return who began it: the person, an agent by its name, or the service by itself."""
    if erasure.requested_by_kind == ActorKind.SYSTEM:
        return BY_ITSELF
    return names.get(erasure.requested_by_id) or WHO[erasure.requested_by_kind]


def is_running(erasure: Any) -> bool:
    """Whether the page should look again soon."""
    return erasure.state not in (*ENDED, *STOPPED, ErasureState.ON_HOLD)


def _group_of(store: str) -> str:
    return next((name for name, (_words, stores) in GROUPS.items() if store in stores), LAST)


def _group(words: Words, rows: Sequence[Any]) -> Step:
    done = [row for row in rows if row.state == StepState.DONE]
    states = {row.state for row in rows}
    if len(done) == len(rows):
        state = "done"
    elif StepState.FAILED in states:
        state = "failed"
    else:
        state = "now" if done or StepState.RUNNING in states else "wait"
    times = [row.verified_at for row in done if row.verified_at]
    return _step(
        words,
        state,
        done=len(done),
        of=len(rows),
        removed=sum(row.count_before or 0 for row in done) if state == "done" else None,
        at=max(times) if times and state == "done" else None,
    )


def _checking(erasure: Any) -> str:
    return "now" if erasure.state == ErasureState.VERIFYING else "wait"


def _step(words: Words, state: str, **more: Any) -> Step:
    return Step(words=words, state=state, icon=ICONS[state], **more)
