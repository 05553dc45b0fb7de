"""Lifting what must not be learnt again."""

import uuid

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.errors import Forbidden, NotFound
from memory.models import Suppression


def lift(principal: Principal, suppression_id: uuid.UUID) -> None:
    """Let something be learnt again; only the person may.

    Raises:
        Forbidden: for an agent.
        NotFound: if it is not theirs, or was lifted before.
    """
    if not principal.is_person:
        raise Forbidden("Only the person lifts what must not be learnt again.")
    with acting(principal):
        lifted = Suppression.objects.filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            id=suppression_id,
            lifted_at__isnull=True,
        ).update(lifted_at=timezone.now())
        if not lifted:
            raise NotFound
        audit.record(
            principal,
            AuditCode.SUPPRESSION_LIFTED,
            object_kind="suppression",
            object_id=suppression_id,
        )
