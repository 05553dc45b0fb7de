"""What must not be learnt again: kept as keyed digests, lifted by the person."""

import uuid
from collections.abc import Collection

from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.choices import SuppressionBasis
from memory.errors import Forbidden, NotFound
from memory.models import Suppression
from memory.vault import SubjectVault


def suppress(vault: SubjectVault, basis: SuppressionBasis, digest: int) -> None:
    """Keep what has this digest from being learnt again; doing it twice is doing it once."""
    made, new = Suppression.objects.get_or_create(
        tenant_id=vault.tenant_id,
        subject_id=vault.subject_id,
        basis=basis,
        digest=digest,
        lifted_at=None,
    )
    if new:
        rights.note([made])


def lift_digests(vault: SubjectVault, digests: Collection[int]) -> None:
    """Let what has one of these digests be learnt again; call it where a refusal is taken back."""
    kept = Suppression.objects.in_force(vault.tenant_id, vault.subject_id)
    rights.change(kept.filter(digest__in=digests), lifted_at=timezone.now())


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
