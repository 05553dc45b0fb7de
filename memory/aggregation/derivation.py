"""What is worked out from memories: which they are."""

import uuid
from collections.abc import Iterable

from memory.models import Derivation, Memory


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
