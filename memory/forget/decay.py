"""Forgetting by decay: what has faded is put away, and erased when nobody took it out again.

Both in batches, each with its report in one transaction, so that whoever is stopped goes on where it
was and counts nothing twice.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import batched

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import State, Subtype, Trust
from memory.forget.fading import Trace, over
from memory.forget.fence import fence
from memory.forget.holds import hold_of
from memory.lifecycle import lock_subject, note_move, transition
from memory.models import Evidence, Memory
from memory.models.memory import MemoryQuerySet
from memory.policy import DECAY, PUT_AWAY, WORK
from memory.providers import deadline

type Report = Callable[[Sequence[str]], None]


def decay(principal: Principal, *, report: Report) -> None:
    """Put away what has faded of one person, and erase what was put away long enough ago.

    ``report`` is told what was done to each memory ("archived semantic", "erased episodic"), inside
    the transaction that did it. Doing it twice does nothing more.

    Raises:
        OutOfTime: between two batches, when the deadline has passed.
    """
    for ids in batched(_weak(principal), WORK.batch, strict=False):
        deadline.check()
        with acting(principal.unlimited()):
            report([_put_away(principal, memory, why) for memory, why in _still(principal, ids)])
    while not hold_of(principal.person_id) and _erase(principal, report):
        deadline.check()


def _candidates(principal: Principal, now: datetime) -> MemoryQuerySet:
    """Return what may have faded; the pure core has the last word."""
    rested = Q(touched__lte=now - DECAY.rest) | Q(expires_at__lte=now)
    return (
        Memory.objects.filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            state=State.ACTIVE,
            pinned=False,
            in_profile=False,
            trust__lt=Trust.CONFIRMED,
        )
        .alias(touched=Greatest("created_at", "updated_at", "last_recalled_at"))
        .filter(rested)
    )


def _weak(principal: Principal) -> list[uuid.UUID]:
    now = timezone.now()
    with acting(principal.unlimited()):
        rows = _candidates(principal, now).order_by("id").iterator()
        return [row.id for row in rows if over(_trace(row), now)]


def _still(principal: Principal, ids: Sequence[uuid.UUID]) -> Iterator[tuple[Memory, str]]:
    """Lock a batch, and yield what has not been recalled or moved meanwhile."""
    now = timezone.now()
    rows = Memory.objects.filter(subject_id=principal.person_id, id__in=ids, state=State.ACTIVE)
    for row in rows.select_for_update(skip_locked=True).order_by("id"):
        if why := over(_trace(row), now):
            yield row, why


def _trace(row: Memory) -> Trace:
    return Trace(
        subtype=Subtype(row.subtype),
        importance=row.importance,
        trust=row.trust,
        pinned=row.pinned,
        in_profile=row.in_profile,
        since=max(row.occurred or row.last_confirmed_at, row.last_confirmed_at),
        touched=max(row.created_at, row.updated_at, row.last_recalled_at or row.created_at),
        recalls=row.recall_count,
        expires_at=row.expires_at,
    )


def _put_away(principal: Principal, memory: Memory, why: str) -> str:
    erase_at = timezone.now() + PUT_AWAY[Subtype(memory.subtype)]
    transition(memory, State.ARCHIVED, erase_at=erase_at)
    note_move(principal, memory, before=State.ACTIVE, reason=why)
    return f"archived {memory.kind}"


def _erase(principal: Principal, report: Report) -> bool:
    """Fence one batch of what was put away long enough ago; return whether there was any."""
    with acting(principal.unlimited()):
        lock_subject(principal)
        due = Memory.objects.select_for_update(skip_locked=True).filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            state=State.ARCHIVED,
            erase_at__lte=timezone.now(),
        )
        memories = list(due.order_by("erase_at")[: WORK.batch])
        if memories:
            ids = [memory.id for memory in memories]
            fence(principal, memories, carriers=False, events=_theirs_alone(principal, ids))
            report([f"erased {memory.kind}" for memory in memories])
    return bool(memories)


def _theirs_alone(principal: Principal, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return the messages that carried these memories and no other: nothing would keep them."""
    mine = Evidence.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, event_id__isnull=False
    )
    others = mine.filter(event_id=OuterRef("event_id")).exclude(memory_id__in=ids)
    alone = mine.filter(~Exists(others), memory_id__in=ids)
    return sorted(set(alone.values_list("event_id", flat=True)))
