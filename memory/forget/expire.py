"""What ends by itself: events nothing cites, guesses nobody kept, the time to take back."""

from datetime import datetime

from django.db import models
from django.db.models import Exists, F, Min, OuterRef
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from accounts.principal import Principal
from accounts.subjects import system
from memory.choices import ReviewState, State
from memory.forget.fence import fence
from memory.forget.moves import look_again
from memory.index import store
from memory.lifecycle import lock_subject
from memory.models import (
    Event,
    Feedback,
    Import,
    Memory,
    Message,
    ObjectKey,
    RecalledMemory,
    RecallLog,
    ReviewItem,
    Summary,
    TaskBoard,
    Vector,
)
from memory.policy import RETENTION, WORK
from memory.rounds import go_round


def sweep() -> int:
    """Go round all people: delete expired events, fence what was forgotten for good.

    Nothing ends by itself while the person is on hold; what they have forgotten goes out of reach.
    Return how many rows had come to their end.
    """
    return go_round("sweep_expired", Subject.objects.all(), _visit)


def _visit(person: Subject) -> int:
    principal = system(person.tenant_id, person.id, label="expiry")
    ended = end_undo_windows(principal)
    look_ahead(principal)
    if person.held_at is None:
        ended += sum(one(principal) for one in ENDINGS)
    return ended


def expire_events(principal: Principal) -> int:
    """Delete the subject's events whose time is over and that nothing cites; return how many."""
    with acting(principal):
        leaning = Vector.objects.filter(subject_id=principal.person_id, leans_on=OuterRef("id"))
        due = Event.objects.filter(
            ~Exists(leaning), subject_id=principal.person_id, expires_at__lte=timezone.now()
        )
        summaries = Summary.objects.filter(subject_id=principal.person_id)
        told = {one for ids in summaries.values_list("event_ids", flat=True) for one in ids}
        due = due.exclude(id__in=told)
        ids = list(due.values_list("id", flat=True)[: WORK.batch])
        Message.objects.filter(event_id__in=ids).delete()
        Event.objects.filter(id__in=ids).delete()
        ObjectKey.objects.filter(object_id__in=ids).delete()
        store.drop_leaning(principal, ids)  # what leaned on one of them a moment ago
    return len(ids)


def expire_summaries(principal: Principal) -> int:
    """Delete summaries of sessions that nobody has gone on with for long; return how many."""
    return _end(principal, Summary, updated_at__lte=timezone.now() - RETENTION.message)


def expire_boards(principal: Principal) -> int:
    """Delete the subject's task boards whose time is over; return how many."""
    return _end(principal, TaskBoard, expires_at__lte=timezone.now())


def expire_imports(principal: Principal) -> int:
    """Delete the files of memories that the person did not let in; return how many."""
    return _end(principal, Import, expires_at__lte=timezone.now())


def _end(principal: Principal, model: type[models.Model], **due: datetime) -> int:
    """Delete a batch of the subject's rows that are ``due``, each with its key; return how many."""
    rows = model._default_manager.filter(subject_id=principal.person_id)
    with acting(principal):
        ids = list(rows.filter(**due).values_list("id", flat=True)[: WORK.batch])
        rows.filter(id__in=ids).delete()
        ObjectKey.objects.filter(object_id__in=ids).delete()
    return len(ids)


def lapse_guesses(principal: Principal) -> int:
    """Fence the subject's guesses that were not kept in time; return how many.

    The messages they came from stay: nobody asked for their erasure.
    """
    with acting(principal.unlimited()):
        lock_subject(principal)
        due = ReviewItem.objects.filter(
            subject_id=principal.person_id,
            state=ReviewState.OPEN,
            lapses_at__lte=timezone.now(),
        )
        memories = list(
            Memory.objects.select_for_update(skip_locked=True)
            .filter(state=State.PENDING, id__in=due.values("memory_id"))
            .order_by("created_at")[: WORK.batch]
        )
        if memories:
            fence(principal, memories, carriers=False)
    return len(memories)


def end_undo_windows(principal: Principal) -> int:
    """Fence the subject's forgotten memories whose undo window is over; return how many.

    At most a batch at a time. Whoever was told to look calls ``look_ahead`` after some were, and a sweep
    always: a message that found nothing and asked for another would multiply.
    """
    with acting(principal.unlimited()):
        lock_subject(principal)
        forgotten = Memory.objects.filter(subject_id=principal.person_id, state=State.FORGOTTEN)
        due = forgotten.select_for_update(skip_locked=True).filter(undo_until__lte=timezone.now())
        memories = list(due.order_by(F("undo_until"))[: WORK.batch])
        if memories:
            fence(principal, memories)
    return len(memories)


def look_ahead(principal: Principal) -> None:
    """Let a worker look when the subject's next undo window ends, if a sweep might come after that."""
    with acting(principal.unlimited()):
        forgotten = Memory.objects.filter(subject_id=principal.person_id, state=State.FORGOTTEN)
        if following := forgotten.aggregate(at=Min("undo_until"))["at"]:
            look_again(principal.tenant_id, principal.person_id, following)


def expire_feedback(principal: Principal) -> int:
    """Delete what agents said long ago of what the subject's recalls handed over; return how many."""
    with acting(principal):
        rows = Feedback.objects.filter(subject_id=principal.person_id)
        old = rows.filter(at__lte=timezone.now() - RETENTION.feedback)
        ids = list(old.values_list("id", flat=True)[: WORK.batch])
        rows.filter(id__in=ids).delete()
    return len(ids)


def expire_recalls(principal: Principal) -> int:
    """Delete what the subject's recalls of long ago handed over, but those an agent judged."""
    with acting(principal):
        judged = Feedback.objects.filter(recall=OuterRef("pk"))
        old = RecallLog.objects.filter(
            ~Exists(judged),
            subject_id=principal.person_id,
            at__lte=timezone.now() - RETENTION.recalls,
        )
        ids = list(old.values_list("id", flat=True)[: WORK.batch])
        RecalledMemory.objects.filter(recall_id__in=ids).delete()
        RecallLog.objects.filter(id__in=ids).delete()
    return len(ids)


ENDINGS = (
    expire_summaries,
    expire_events,
    expire_boards,
    expire_imports,
    expire_feedback,
    expire_recalls,
    lapse_guesses,
)
