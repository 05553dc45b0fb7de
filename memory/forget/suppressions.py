"""What must not be learnt again: kept as keyed digests, lifted by the person."""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.choices import SuppressionBasis
from memory.errors import Forbidden, NotFound
from memory.models import Suppression
from memory.vault import SubjectVault


def suppress(
    vault: SubjectVault, basis: SuppressionBasis, digest: int, *, at: datetime | None = None
) -> None:
    """Keep what has this digest from being learnt again; doing it twice is doing it once.

    ``at`` is the moment of the forgetting that it is a part of, by which it is taken back with it.
    """
    made, new = Suppression.objects.get_or_create(
        tenant_id=vault.tenant_id,
        subject_id=vault.subject_id,
        basis=basis,
        digest=digest,
        lifted_at=None,
        defaults={"created_at": at or timezone.now()},
    )
    if new:
        rights.note([made])


def lift_digests(
    principal: Principal, digests: Collection[int], *, made_at: Collection[datetime]
) -> None:
    """Let what has one of these digests be learnt again, where a forgetting is taken back.

    Only what was made with it, at one of these moments: what else the person refused stays refused.
    """
    kept = Suppression.objects.in_force(principal.tenant_id, principal.person_id)
    for one in kept.filter(digest__in=digests, created_at__in=made_at).order_by("id"):
        lift(principal, one.id)


def lift(principal: Principal, suppression_id: uuid.UUID) -> None:
    """Let something be learnt again; only the person may.

    Raises:
        Forbidden: for an agent.
        NotFound: if it is not theirs, or was lifted before.
    """
    if not principal.is_person:
        raise Forbidden("Only the person lifts what must not be learnt again.")
    with acting(principal):
        kept = Suppression.objects.in_force(principal.tenant_id, principal.person_id)
        if not rights.change(kept.filter(id=suppression_id), lifted_at=timezone.now()):
            raise NotFound
        audit.record(
            principal,
            AuditCode.SUPPRESSION_LIFTED,
            object_kind="suppression",
            object_id=suppression_id,
        )
