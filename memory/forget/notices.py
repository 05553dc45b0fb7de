"""Notices to agents of what was erased: written at the fence, acknowledged by the agent.

There is one for each agent that ever had rights for the person, since it may hold a copy: an id says
nothing, and rights that were taken back must not leave a copy behind.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.choices import AuditCode
from accounts.models import Grant
from accounts.principal import Principal
from memory import queue
from memory.choices.notices import NoticeState
from memory.errors import Forbidden, NotFound
from memory.models import Erasure, OutboxMessage, WebhookTarget

ERASED = "memory.erased"


def announce(request: Erasure) -> None:
    """Write the notices of one erasure, inside ``acting``: to be sent to who has an address for it,
    to be fetched by who has none."""
    mine = {"tenant_id": request.tenant_id, "subject_id": request.subject_id}
    agents = set(Grant.objects.filter(**mine).values_list("agent_id", flat=True))
    listening = set(
        WebhookTarget.objects.filter(
            tenant_id=request.tenant_id, agent_id__in=agents, revoked_at__isnull=True
        ).values_list("agent_id", flat=True)
    )
    OutboxMessage.objects.bulk_create(
        (
            OutboxMessage(
                **mine,
                topic=ERASED,
                erasure_id=request.id,
                agent_id=agent_id,
                object_ids=request.memory_ids,
                state=NoticeState.QUEUED if agent_id in listening else NoticeState.TO_FETCH,
            )
            for agent_id in sorted(agents)
        ),
        ignore_conflicts=True,  # a restore fences what was fenced before
    )
    if listening:
        queue.enqueue("memory.sweep_notices")


def acknowledge(principal: Principal, erasure_id: uuid.UUID) -> datetime:
    """Note that the agent has erased its own copies of what one erasure names; return since when.

    Raises:
        Forbidden: for anybody but an agent.
        NotFound: if the agent was not told of such an erasure.
    """
    if principal.agent_id is None:
        raise Forbidden("Only an agent says that its own copies are gone.")
    with transaction.atomic():
        notice = (
            OutboxMessage.objects.select_for_update()
            .filter(tenant_id=principal.tenant_id, agent_id=principal.agent_id)
            .filter(erasure_id=erasure_id)
            .first()
        )
        if notice is None:
            raise NotFound
        if notice.acknowledged_at is None:
            notice.acknowledged_at = timezone.now()
            notice.save(update_fields=["acknowledged_at"])
            audit.record(
                principal,
                AuditCode.COPIES_ERASED,
                subject_id=notice.subject_id,
                object_kind="erasure",
                object_id=erasure_id,
            )
        return notice.acknowledged_at


def told(erasure: Erasure) -> Sequence[OutboxMessage]:
    """Return the notices of one erasure, which says how far each agent is."""
    rows = OutboxMessage.objects.filter(
        tenant_id=erasure.tenant_id, erasure_id=erasure.id, agent_id__isnull=False
    )
    return list(rows.order_by("created_at", "id"))
