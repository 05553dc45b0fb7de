"""Driving an erasure to its end: leased steps, retries with growing delay, a final look.

Celery only wakes this; the steps are rows. Whoever dies in a step leaves a lease that runs out.
"""

import uuid
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.subjects import system
from memory import queue
from memory.choices import ErasureState, State, StepState
from memory.forget.erasers import ERASERS, Eraser
from memory.forget.holds import let_go
from memory.lifecycle import transition
from memory.models import Erasure, ErasureStep, Memory
from memory.policy import WORK
from memory.queue import is_due, is_free

log = structlog.get_logger()

BY_STORE = {eraser.store: eraser for eraser in ERASERS}
UNFINISHED = (ErasureState.FENCED, ErasureState.RUNNING, ErasureState.VERIFYING)
DRIVEN = (*UNFINISHED, ErasureState.NEEDS_ATTENTION)


def sweep(limit: int = 100) -> int:
    """Drive every erasure with a step that is due, and close those whose backups have expired.

    Return how many it took up.
    """
    let_go()
    now = timezone.now()
    due = _due(now).exclude(erasure__state=ErasureState.ON_HOLD)
    ids = set(due.values_list("erasure_id", flat=True)[:limit])
    ids |= set(Erasure.objects.filter(state__in=UNFINISHED).values_list("id", flat=True)[:limit])
    for erasure_id in queue.in_time(ids):
        run(erasure_id)
    Erasure.objects.filter(
        state=ErasureState.AWAITING_BACKUP_EXPIRY, backups_until__lte=now
    ).update(state=ErasureState.COMPLETED, completed_at=now)
    return len(ids)


def run(erasure_id: uuid.UUID) -> None:
    """Do every step of one erasure that is due, then verify and close it; one on hold waits."""
    Erasure.objects.filter(id=erasure_id, state=ErasureState.FENCED).update(
        state=ErasureState.RUNNING
    )
    if Erasure.objects.filter(id=erasure_id, state=ErasureState.ON_HOLD).exists():
        return
    while (step := _lease(erasure_id)) is not None:
        if not _do(step):
            return
    if not ErasureStep.objects.filter(erasure_id=erasure_id).exclude(state=StepState.DONE).exists():
        _close(erasure_id)


def _due(now: datetime) -> QuerySet[ErasureStep]:
    due = is_due(now, within=WORK.backoff_cap_seconds)
    return ErasureStep.objects.filter(is_free(now), due).exclude(state=StepState.DONE)


def _lease(erasure_id: uuid.UUID) -> ErasureStep | None:
    now = timezone.now()
    with transaction.atomic():
        mine = _due(now).filter(erasure_id=erasure_id).select_for_update(skip_locked=True)
        step = mine.order_by("position").first()
        if step is None:
            return None
        step.state = StepState.RUNNING
        step.attempts += 1
        step.leased_until = now + timedelta(seconds=WORK.lease_seconds)
        step.save(update_fields=["state", "attempts", "leased_until"])
    return step


def _do(step: ErasureStep) -> bool:
    """Run one step in its own transaction; return whether it is done."""
    try:
        with acting(system(step.tenant_id, step.subject_id, label="erasure")) as principal:
            erasure = Erasure.objects.get(id=step.erasure_id)
            before, after = _erase(BY_STORE[step.store], erasure)
            ErasureStep.objects.filter(id=step.id).update(
                state=StepState.DONE,
                leased_until=None,
                # A step taken up again keeps the count of its first look.
                count_before=before if step.count_before is None else F("count_before"),
                count_after=after,
                verified_at=timezone.now(),
                error="",
            )
            audit.record(
                principal,
                AuditCode.ERASURE_STEP_DONE,
                object_kind="erasure",
                object_id=step.erasure_id,
                reason=step.store,
                result_count=before,
            )
    except Exception as error:
        log.exception("erasure_step_failed", step=str(step.id), store=step.store)
        _put_back(step, error)
        return False
    return True


def _erase(eraser: Eraser, erasure: Erasure) -> tuple[int, int]:
    before = eraser.count(erasure)
    eraser.erase(erasure)
    return before, eraser.count(erasure)


def _put_back(step: ErasureStep, error: Exception) -> None:
    delay = min(WORK.backoff_seconds * 2 ** min(step.attempts, 16), WORK.backoff_cap_seconds)
    ErasureStep.objects.filter(id=step.id).update(
        state=StepState.FAILED,
        leased_until=None,
        due_at=timezone.now() + timedelta(seconds=delay),
        error=type(error).__name__,
    )
    if step.attempts < WORK.attempts:
        return
    with acting(system(step.tenant_id, step.subject_id, label="erasure")) as principal:
        Erasure.objects.filter(id=step.erasure_id, state__in=UNFINISHED).update(
            state=ErasureState.NEEDS_ATTENTION
        )
        audit.record(
            principal,
            AuditCode.ERASURE_NEEDS_ATTENTION,
            object_kind="erasure",
            object_id=step.erasure_id,
            reason=step.store,
        )


def _close(erasure_id: uuid.UUID) -> None:
    """Look once more into every store; only nothing left anywhere closes the request."""
    erasure = Erasure.objects.get(id=erasure_id)
    with acting(system(erasure.tenant_id, erasure.subject_id, label="erasure")) as principal:
        moved = Erasure.objects.filter(id=erasure_id, state__in=DRIVEN).update(
            state=ErasureState.VERIFYING
        )
        if not moved:
            return
        left = [eraser.store for eraser in ERASERS if eraser.count(erasure)]
        if left:
            ErasureStep.objects.filter(erasure_id=erasure_id, store__in=left).update(
                state=StepState.QUEUED, due_at=timezone.now()
            )
            return
        now = timezone.now()
        for memory in Memory.objects.filter(id__in=erasure.memory_ids, state=State.ERASING):
            transition(memory, State.ERASED, erased_at=now)
        Erasure.objects.filter(id=erasure_id).update(
            state=ErasureState.AWAITING_BACKUP_EXPIRY, erased_at=now
        )
        audit.record(
            principal,
            AuditCode.ERASURE_VERIFIED,
            object_kind="erasure",
            object_id=erasure_id,
            result_count=len(erasure.memory_ids),
        )
