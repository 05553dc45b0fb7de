"""How long rows of operation are kept: what is only work, proof or a way to do something once."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import PersonLink
from memory.choices import JobState
from memory.models import IdempotencyRecord, Job, OutboxMessage
from memory.policy import RETENTION, WORK
from memory.queue import in_time

ENDED = (JobState.SUCCEEDED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Rows of a table that end by themselves. ``due`` says which are over at a time."""

    model: type[models.Model]
    due: Callable[[datetime], Q]

    def delete(self, now: datetime) -> int:
        """Delete a batch of what is over; return how many."""
        rows: Any = self.model._default_manager
        ids = list(rows.filter(self.due(now)).values_list("pk", flat=True)[: 10 * WORK.batch])
        rows.filter(pk__in=ids).delete()
        return len(ids)


def _jobs(now: datetime) -> Q:
    done = Q(state__in=ENDED, finished_at__lte=now - RETENTION.jobs)
    return done | Q(state=JobState.FAILED, finished_at__lte=now - RETENTION.failed_jobs)


def _signed_out(now: datetime) -> Q:
    live = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=now)
    return ~Q(Exists(live))


ENDING: tuple[Kept, ...] = (
    Kept(model=Job, due=_jobs),
    Kept(model=IdempotencyRecord, due=lambda now: Q(expires_at__lte=now)),
    Kept(model=OutboxMessage, due=lambda now: Q(created_at__lte=now - RETENTION.notices)),
    Kept(model=PersonLink, due=lambda now: Q(expires_at__lte=now - RETENTION.links)),
    Kept(model=Session, due=lambda now: Q(expire_date__lte=now)),
    Kept(model=UserSession, due=_signed_out),
)
# Tables of operation whose rows do not end here, and why, or what ends them.
STAYING: Mapping[str, str] = {
    "accounts.ApiKey": "who could once come in must be known to whoever reads the log",
    "accounts.AuditEvent": "append-only; the owner's command trim_audit ends lines",
    "accounts.AuditSeal": "goes with the lines it seals",
    "accounts.SubjectMerge": "proof of who said that two subjects are one",
    "memory.Decision": "why a memory is there, or is not; ends with the memory or the person",
    "memory.Erasure": "proof of an erasure",
    "memory.ErasureStep": "its counts are the receipt's",
    "memory.EvaluationRun": "numbers without a word of anybody, to compare later ones with",
    "memory.EvaluationSet": "until an operator removes it",
    "memory.Experiment": "one row for each; what its recalls were in must be known",
    "memory.Feedback": "ended person by person, behind the row policies (memory/forget/expire.py)",
    "memory.LedgerEntry": "a restore of any backup replays it",
    "memory.RecallLog": "ended person by person, behind the row policies (memory/forget/expire.py)",
    "memory.RecalledMemory": "goes with its recall",
    "memory.Sweep": "one row for each sweeper",
    "memory.Tombstone": "what is left of an erased memory on purpose",
    "memory.WebhookTarget": "one row for each address; where agents were told must be known",
}


def sweep() -> int:
    """Delete the rows that are over, batch by batch, as many as a sweep may begin; return how many."""
    return sum(in_time(_batches(timezone.now())))


def _batches(now: datetime) -> Iterator[int]:
    while deleted := sum(kept.delete(now) for kept in ENDING):
        yield deleted
