"""A legal hold: while it lasts, nothing of the person is destroyed, and nothing erased is in reach.

An erasure that is asked for meanwhile fences as ever, but sets the keys aside where no read finds
them, and waits ``on_hold``. When the hold ends the keys are destroyed and it goes on.
"""

import uuid

from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode, HoldReason
from accounts.models import Subject
from accounts.principal import Principal
from accounts.subjects import system
from memory import queue
from memory.choices import ErasureScope, ErasureState
from memory.errors import Forbidden
from memory.models import Erasure, ObjectKey, SubjectKey
from memory.policy import RETENTION


def hold_of(subject_id: uuid.UUID) -> str:
    """Return why nothing of the person may be destroyed now; empty if it may."""
    held = Subject.objects.filter(id=subject_id, held_at__isnull=False)
    return held.values_list("hold_reason", flat=True).first() or ""


def place(operator: Principal, subject_id: uuid.UUID, *, reason: HoldReason) -> bool:
    """Keep everything of a person from being destroyed; return whether that is new.

    Raises:
        Forbidden: for anybody but an operator.
    """
    return _switch(operator, subject_id, AuditCode.HOLD_PLACED, reason)


def end(operator: Principal, subject_id: uuid.UUID) -> bool:
    """Let erasures go on; return whether the person was on hold.

    Raises:
        Forbidden: for anybody but an operator.
    """
    return _switch(operator, subject_id, AuditCode.HOLD_ENDED, None)


def _switch(
    operator: Principal, subject_id: uuid.UUID, code: AuditCode, reason: HoldReason | None
) -> bool:
    if operator.kind != ActorKind.OPERATOR:
        raise Forbidden("Only an operator puts a person on hold.")
    with acting(operator):
        mine = Subject.objects.of_tenant(operator.tenant_id).filter(id=subject_id)
        changed = rights.change(
            mine.filter(held_at__isnull=reason is not None),
            held_at=timezone.now() if reason else None,
            hold_reason=reason or "",
        )
        if changed:
            audit.record(
                operator,
                code,
                subject_id=subject_id,
                object_kind="subject",
                object_id=subject_id,
                reason=reason or "",
            )
            queue.enqueue("memory.sweep_erasures")
    return bool(changed)


def let_go() -> None:
    """Let every erasure go on whose person is on hold no more. Doing it twice does nothing more."""
    held = Subject.objects.filter(held_at__isnull=False).values("id")
    waiting = Erasure.objects.filter(state=ErasureState.ON_HOLD).exclude(subject_id__in=held)
    for erasure in waiting:
        _destroy_keys(erasure)


def _destroy_keys(erasure: Erasure) -> None:
    with acting(system(erasure.tenant_id, erasure.subject_id, label="hold")):
        moved = Erasure.objects.filter(id=erasure.id, state=ErasureState.ON_HOLD).update(
            state=ErasureState.FENCED,
            hold_reason="",
            backups_until=timezone.now() + RETENTION.backups,
        )
        if not moved:
            return
        ObjectKey.every.filter(subject_id=erasure.subject_id, held_for=erasure.id).delete()
        if erasure.scope == ErasureScope.PERSON:
            SubjectKey.objects.filter(subject_id=erasure.subject_id).delete()
        queue.enqueue("memory.run_erasure", erasure.id)
