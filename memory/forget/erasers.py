"""One eraser for every store that holds something of a memory. Each may run twice.

An eraser deletes what an erasure covers and can count what is left. A table that is neither here
nor among EXEMPT (with a reason) fails the architecture tests.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Q

from accounts.models import Grant, Look
from memory.choices import ErasureScope
from memory.models import (
    Conflict,
    Decision,
    Derivation,
    Erasure,
    Event,
    Evidence,
    Feedback,
    IdempotencyRecord,
    Import,
    Interest,
    MemoryLink,
    Message,
    ObjectKey,
    RecalledMemory,
    RecallLog,
    ReviewItem,
    Session,
    SubjectKey,
    Summary,
    Suppression,
    TaskBoard,
    Term,
    Vector,
    Version,
)

Rows = Callable[[Erasure], models.QuerySet[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Erases one store. ``rows`` finds what the erasure covers there; ``blank`` keeps the row and
    empties these columns instead of deleting it."""

    store: str
    models: Sequence[type[models.Model]]
    rows: Rows
    blank: dict[str, Any] | None = None

    def count(self, erasure: Erasure) -> int:
        """Return how many rows of this store still hold something."""
        rows = self.rows(erasure)
        return rows.exclude(**self.blank).count() if self.blank else rows.count()

    def erase(self, erasure: Erasure) -> None:
        """Delete (or empty) the rows; nothing left to do is fine."""
        if self.blank:
            self.rows(erasure).update(**self.blank)
        else:
            self.rows(erasure).delete()


def _where(model: type[models.Model], build: Callable[[Erasure], Q]) -> Rows:
    """Rows of the person that ``build`` picks; all of them when the whole person is erased."""

    def rows(erasure: Erasure) -> models.QuerySet[Any]:
        mine: models.QuerySet[Any] = model._default_manager.filter(
            tenant_id=erasure.tenant_id, subject_id=erasure.subject_id
        )
        whole = erasure.scope == ErasureScope.PERSON
        return mine if whole else mine.filter(build(erasure))

    return rows


def _of_memories(model: type[models.Model]) -> Rows:
    return _where(model, lambda erasure: Q(memory_id__in=erasure.memory_ids))


def _sessions(erasure: Erasure) -> list[uuid.UUID]:
    """The session that is erased whole, if one is."""
    return [erasure.session_id] if erasure.session_id else []


# What takes every quote of its messages along.
WITH_QUOTES = (ErasureScope.SESSION, ErasureScope.MESSAGES)


def _quoted_no_more(erasure: Erasure) -> list[uuid.UUID]:
    """The messages that nothing may quote any more.

    Where a memory alone is erased, what else came from its messages keeps its quotes.
    """
    return erasure.event_ids if erasure.scope in WITH_QUOTES else []


def _recalled(erasure: Erasure) -> Q:
    """What was handed over of the memories, or in the session that is erased whole."""
    return Q(memory_id__in=erasure.memory_ids) | Q(recall__session_id__in=_sessions(erasure))


def _of_person(model: type[models.Model]) -> Rows:
    """Rows that only an erasure of the whole person covers."""
    return _where(model, lambda _: Q(pk__in=[]))


# In this order: what points at a row goes before the row.
ERASERS: tuple[Eraser, ...] = (
    Eraser(
        store="vectors",
        models=[Vector],
        rows=_where(Vector, lambda e: Q(memory_id__in=e.memory_ids) | Q(leans_on__in=e.event_ids)),
    ),
    Eraser(
        store="links",
        models=[MemoryLink],
        rows=_where(
            MemoryLink,
            lambda e: Q(source_id__in=e.memory_ids) | Q(target_id__in=e.memory_ids),
        ),
    ),
    Eraser(store="terms", models=[Term], rows=_of_memories(Term)),
    Eraser(store="versions", models=[Version], rows=_of_memories(Version)),
    Eraser(
        store="evidence",
        models=[Evidence],
        rows=_where(
            Evidence, lambda e: Q(memory_id__in=e.memory_ids) | Q(event_id__in=_quoted_no_more(e))
        ),
    ),
    Eraser(
        store="derivations",
        models=[Derivation],
        rows=_where(
            Derivation, lambda e: Q(memory_id__in=e.memory_ids) | Q(parent_id__in=e.memory_ids)
        ),
    ),
    Eraser(
        store="summaries",
        models=[Summary],
        rows=_where(
            Summary, lambda e: Q(event_ids__overlap=e.event_ids) | Q(session_id__in=_sessions(e))
        ),
    ),
    Eraser(
        store="boards",
        models=[TaskBoard],
        rows=_where(TaskBoard, lambda e: Q(event_ids__overlap=e.event_ids)),
    ),
    Eraser(
        store="messages",
        models=[Message],
        rows=_where(
            Message, lambda e: Q(event_id__in=e.event_ids) | Q(session_id__in=_sessions(e))
        ),
    ),
    Eraser(store="events", models=[Event], rows=_where(Event, lambda e: Q(id__in=e.event_ids))),
    Eraser(store="reviews", models=[ReviewItem], rows=_of_memories(ReviewItem)),
    Eraser(
        store="conflicts",
        models=[Conflict],
        rows=_where(
            Conflict,
            lambda e: Q(current_id__in=e.memory_ids) | Q(challenger_id__in=e.memory_ids),
        ),
    ),
    Eraser(
        store="decisions",
        models=[Decision],
        rows=_where(
            Decision, lambda e: Q(memory_id__in=e.memory_ids) | Q(event_id__in=_quoted_no_more(e))
        ),
    ),
    Eraser(store="feedback", models=[Feedback], rows=_where(Feedback, _recalled)),
    Eraser(store="recalls", models=[RecalledMemory], rows=_where(RecalledMemory, _recalled)),
    Eraser(
        store="requests",
        models=[IdempotencyRecord],
        rows=_where(
            IdempotencyRecord,
            lambda e: Q(object_ids__overlap=[*e.memory_ids, *e.event_ids, *_sessions(e)]),
        ),
        blank={"request": b""},
    ),
    # What was erased may stand in a file that waits; who still wants the rest brings it again.
    Eraser(store="imports", models=[Import], rows=_where(Import, lambda _: Q())),
    Eraser(
        store="keys",
        models=[ObjectKey],
        rows=_where(ObjectKey, lambda e: Q(object_id__in=[*e.memory_ids, *e.event_ids])),
    ),
    Eraser(
        store="sessions",
        models=[Session],
        rows=_where(Session, lambda e: Q(id__in=_sessions(e))),
    ),
    Eraser(
        store="recall log",
        models=[RecallLog],
        rows=_where(RecallLog, lambda e: Q(session_id__in=_sessions(e))),
    ),
    Eraser(store="suppressions", models=[Suppression], rows=_of_person(Suppression)),
    Eraser(store="interests", models=[Interest], rows=_of_person(Interest)),
    Eraser(store="grants", models=[Grant], rows=_of_person(Grant)),
    Eraser(store="looks", models=[Look], rows=_of_person(Look)),
    Eraser(store="person key", models=[SubjectKey], rows=_of_person(SubjectKey)),
)

# Personal or work tables that no eraser touches, each with its reason.
EXEMPT: dict[str, str] = {
    "accounts.PersonLink": "a digest of a random secret that works once; useless after three days",
    "accounts.SubjectMerge": "ids, a state and times: who asked whose another subject was",
    "accounts.ApiKey": "a prefix and a digest of a random secret; revoked with the person's account",
    "accounts.AuditEvent": "codes and ids; content was never in it, and the record of an erasure stays",
    "memory.Memory": "emptied at the fence; its id stays as the tombstone's twin",
    "memory.Erasure": "the request itself: ids, states and times",
    "memory.ErasureStep": "counts per store, which the receipt shows",
    "memory.Tombstone": "what is left on purpose: id, when, which request",
    "memory.LedgerEntry": "replayed by a restore, so that the erased stays erased",
    "memory.Job": "ids and codes of work",
    "memory.OutboxMessage": "ids of erased memories, which agents must be told",
}
