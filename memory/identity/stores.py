"""What moves with a subject, table by table, and what of it stays behind."""

from django.db import models

from memory.models import (
    Conflict,
    Decision,
    Derivation,
    Event,
    Evidence,
    Feedback,
    IdempotencyRecord,
    Import,
    Interest,
    Job,
    Memory,
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

# Taken out and put in again, in this order out: what points at a row goes before the row.
MOVED: tuple[type[models.Model], ...] = (
    Vector,
    MemoryLink,
    Version,
    Evidence,
    Derivation,
    Summary,
    TaskBoard,
    Message,
    Event,
    ReviewItem,
    Conflict,
    Decision,
    Feedback,
    RecalledMemory,
    RecallLog,
    Session,
    Suppression,
    Memory,
)
# No row policy holds these; they get another subject and stay where they are.
HANDED_OVER: tuple[type[models.Model], ...] = (Job, IdempotencyRecord)
# Made anew under the person's key, added up, or not needed any more.
DROPPED: dict[type[models.Model], str] = {
    Term: "its digests hang on the subject's key; made anew from the wordings",
    Interest: "added to the person's own counts",
    Import: "a file that waited; whoever wants it brings it again",
    ObjectKey: "wrapped by the subject's key; what it sealed is sealed anew",
    SubjectKey: "destroyed: nothing is left that it opens",
}
STAYS: dict[str, str] = {
    "accounts.ApiKey": "a person's key; nobody is behind an anonymous subject",
    "accounts.AuditEvent": "what was done stays told where it was done",
    "accounts.Grant": "moved by hand: the person's own grant for an agent is not touched",
    "accounts.Look": "an operator looked at the anonymous subject; told there",
    "accounts.PersonLink": "leads to the subject for three days at most; useless once it is part of a person",
    "accounts.SubjectMerge": "tells whose it became",
    "memory.Erasure": "a finished request, with its receipt",
    "memory.ErasureStep": "counts of a finished request",
    "memory.Tombstone": "says under whom it was erased",
    "memory.LedgerEntry": "append-only; the feed of the person shows it too",
    "memory.OutboxMessage": "ids of erased memories, which agents must be told",
}
