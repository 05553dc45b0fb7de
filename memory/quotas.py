"""How much an organisation may bring: quotas by default, and those an operator has set for a tenant.

``0`` is no limit. What is kept is counted in the database, under a lock; what comes, in Valkey.
"""

import uuid
from collections.abc import Mapping
from enum import StrEnum

from django.db import connection

from accounts.models import Tenant
from accounts.principal import Principal
from memory.choices import GONE
from memory.errors import QuotaExceeded
from memory.models import Document, Memory
from memory.policy import QUOTA

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))"


class Quota(StrEnum):
    """What is counted."""

    MEMORIES = "memories"
    DOCUMENTS = "documents"
    EVENTS = "events"
    RECALLS = "recalls"


def of(tenant_id: uuid.UUID) -> Mapping[Quota, int]:
    """Return the tenant's quotas."""
    row = Tenant.objects.filter(id=tenant_id).values_list("quotas", flat=True).first()
    own = row or {}
    return {one: int(own.get(one, getattr(QUOTA, one))) for one in Quota}


def is_full(principal: Principal) -> bool:
    """Whether the person has as many memories as may be; call it under the subject's lock."""
    most = of(principal.tenant_id)[Quota.MEMORIES]
    mine = Memory.objects.filter(subject_id=principal.person_id).exclude(state__in=GONE)
    return 0 < most <= mine.count()


def require_room(principal: Principal) -> None:
    """Let one request at a time add a document to the tenant's, while there is room.

    Raises:
        QuotaExceeded: if there is none.
    """
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [str(principal.tenant_id)])
    most = of(principal.tenant_id)[Quota.DOCUMENTS]
    if 0 < most <= Document.objects.filter(tenant_id=principal.tenant_id).count():
        raise QuotaExceeded(f"Your organisation may keep {most} documents; delete one first.")
