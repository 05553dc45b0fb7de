"""What is worked out from memories: which they are, and whether the person does not want it again."""

import uuid
from collections.abc import Iterable

from memory.choices import SuppressionBasis
from memory.models import Derivation, Memory, Suppression
from memory.vault import SubjectVault


def derive(memory: Memory, parents: Iterable[uuid.UUID]) -> None:
    """Note from which memories ``memory`` is worked out now: what erases one of them erases it."""
    Derivation.objects.filter(memory=memory).delete()
    Derivation.objects.bulk_create(
        Derivation(
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            memory=memory,
            parent_id=parent,
        )
        for parent in parents
    )


def unwanted(vault: SubjectVault, digest: int) -> bool:
    """Whether the person had what has this digest erased or refused, or let it lapse."""
    kept = Suppression.objects.in_force(vault.tenant_id, vault.subject_id)
    return kept.filter(basis=SuppressionBasis.DERIVED, digest=digest).exists()
