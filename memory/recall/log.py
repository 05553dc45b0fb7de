"""Writing down what was handed over: ids, ranks and counts, never the query or a text."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Case, F, Value, When
from django.utils import timezone

from accounts import audit
from accounts.choices import AuditCode
from accounts.inserting import insert
from accounts.principal import Principal
from memory.choices import RecallStatus
from memory.models import Memory, RecalledMemory, RecallLog
from memory.policy import LOOK
from memory.recall.experiments import Assigned
from memory.recall.values import RecallAnswer, RecalledItem, RecallQuery


def answer(
    principal: Principal,
    query: RecallQuery,
    *,
    items: Sequence[RecalledItem],
    profile: Sequence[RecalledItem],
    degraded: Sequence[str],
    status: RecallStatus,
    held_back: Mapping[str, int],
    part: Assigned | None = None,
) -> RecallAnswer:
    """Record the recall and return its answer; no audit, no answer."""
    row = RecallLog(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        actor_kind=principal.kind,
        agent_id=principal.agent_id,
        session_id=query.session_id,
        status=status,
        policy=query.policy,
        purpose=query.purpose,
        result_count=len(items) + len(profile),
        tokens=sum(item.tokens for item in [*items, *profile]),
        experiment_id=part.experiment_id if part else None,
        arm=part.arm if part else "",
    )
    _note_uses(items, profile)
    line = audit.line(
        principal,
        AuditCode.MEMORY_RECALLED,
        object_kind="recall",
        object_id=row.id,
        purpose=query.purpose,
        decision=status,
        result_count=row.result_count,
    )
    insert([row, *_handed(row, items, profile), line])
    return RecallAnswer(
        recall_id=row.id,
        status=status,
        items=items,
        profile=profile,
        degraded=degraded,
        policy=query.policy,
        held_back=held_back,
    )


def _note_uses(items: Sequence[RecalledItem], profile: Sequence[RecalledItem]) -> None:
    """Note with each memory that it was used; with one of the profile, which comes along with every
    recall, only once in a while, so that recalls do not wait for each other."""
    now = timezone.now()
    asked_for = [item.opened.memory.id for item in items]
    due = [item.opened.memory.id for item in profile if _is_due(item.opened.memory, now)]
    if not (asked_for or due):
        return
    one_more = Case(When(id__in=asked_for, then=Value(1)), default=Value(0))
    Memory.objects.filter(id__in=[*asked_for, *due]).update(
        last_recalled_at=now, recall_count=F("recall_count") + one_more
    )


def _is_due(memory: Memory, now: datetime) -> bool:
    return memory.last_recalled_at is None or memory.last_recalled_at <= now - LOOK.use


def _handed(
    row: RecallLog, items: Sequence[RecalledItem], profile: Sequence[RecalledItem]
) -> list[RecalledMemory]:
    handed = [(item, False) for item in items] + [(item, True) for item in profile]
    return [
        RecalledMemory(
            tenant_id=row.tenant_id,
            subject_id=row.subject_id,
            recall=row,
            memory_id=item.opened.memory.id,
            rank=rank,
            profile=in_profile,
        )
        for rank, (item, in_profile) in enumerate(handed, start=1)
    ]
