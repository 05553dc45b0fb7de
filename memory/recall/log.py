"""Writing down what was handed over: ids, ranks and counts, never the query or a text."""

from collections.abc import Mapping, Sequence

from django.db.models import F
from django.utils import timezone

from accounts import audit
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.choices import RecallStatus
from memory.models import Memory, RecalledMemory, RecallLog
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
    row = RecallLog.objects.create(
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
    handed = [(item, False) for item in items] + [(item, True) for item in profile]
    RecalledMemory.objects.bulk_create(
        RecalledMemory(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            recall=row,
            memory_id=item.opened.memory.id,
            rank=rank,
            profile=in_profile,
        )
        for rank, (item, in_profile) in enumerate(handed, start=1)
    )
    Memory.objects.filter(id__in=[item.opened.memory.id for item in items]).update(
        last_recalled_at=timezone.now(), recall_count=F("recall_count") + 1
    )
    audit.record(
        principal,
        AuditCode.MEMORY_RECALLED,
        object_kind="recall",
        object_id=row.id,
        purpose=query.purpose,
        decision=status,
        result_count=row.result_count,
    )
    return RecallAnswer(
        recall_id=row.id,
        status=status,
        items=items,
        profile=profile,
        degraded=degraded,
        policy=query.policy,
        held_back=held_back,
    )
