"""Keeping the two indexes: terms at once, vectors as soon as the embedder answers."""

import uuid
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accounts.principal import Principal
from memory.choices import IndexState
from memory.errors import EmbedderUnavailable
from memory.index.terms import digests, terms
from memory.models import Memory, Term, Vector, Version
from memory.policy import WORK
from memory.providers.embedding import Embedder, get_embedder
from memory.vault import SubjectVault

TERM_KEY = "term"


def embed_passage(text: str) -> NDArray[np.float32] | None:
    """Return the vector of ``text`` (shape ``(dim,)``, unit), or None if the embedder is down."""
    try:
        vector: NDArray[np.float32] = get_embedder().passage([text])[0]
    except EmbedderUnavailable:
        return None
    return vector


def add(
    vault: SubjectVault, version: Version, text: str, vector: NDArray[np.float32] | None
) -> None:
    """Index the current wording: its terms now, its vector if there is one, else later."""
    counted = digests(terms(text), vault.derived(TERM_KEY))
    Term.objects.bulk_create(
        Term(
            tenant_id=version.tenant_id,
            subject_id=version.subject_id,
            memory_id=version.memory_id,
            version=version,
            digest=digest,
            frequency=min(frequency, 32_767),
        )
        for digest, frequency in counted.items()
    )
    Version.objects.filter(id=version.id).update(term_count=sum(counted.values()))
    if vector is not None:
        _add_vectors([version], [vector], get_embedder())


def _add_vectors(
    versions: Sequence[Version], vectors: Sequence[NDArray[np.float32]], embedder: Embedder
) -> None:
    Vector.objects.bulk_create(
        (
            Vector(
                tenant_id=version.tenant_id,
                subject_id=version.subject_id,
                memory_id=version.memory_id,
                version=version,
                model=embedder.id,
                current=version.superseded_at is None,
                embedding=vector,
            )
            for version, vector in zip(versions, vectors, strict=True)
        ),
        ignore_conflicts=True,
    )
    Memory.objects.filter(id__in=[version.memory_id for version in versions]).update(
        index_state=IndexState.READY
    )


def retire(version: Version) -> None:
    """Mark the index rows of a superseded wording; only looks into the past search them."""
    Term.objects.filter(version=version, current=True).update(current=False)
    Vector.objects.filter(version=version, current=True).update(current=False)


def remove(memory_ids: Sequence[uuid.UUID]) -> int:
    """Delete every index row of these memories; return how many there were."""
    removed = Term.objects.filter(memory_id__in=memory_ids).delete()[0]
    return removed + Vector.objects.filter(memory_id__in=memory_ids).delete()[0]


def waiting(principal: Principal) -> list[Version]:
    """Return current wordings of the principal's subject that still wait for a vector."""
    due = (
        Version.objects.current()
        .filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            memory__index_state=IndexState.PENDING,
            memory__wording__isnull=False,
        )
        .select_related("memory")
    )
    return list(due.order_by("recorded_at")[: WORK.batch])


def add_vectors(versions: Sequence[Version], texts: Sequence[str]) -> None:
    """Embed and store the vectors of wordings that waited.

    Raises:
        EmbedderUnavailable: if the embedder still does not answer; nothing is changed.
    """
    embedder = get_embedder()
    _add_vectors(versions, list(embedder.passage(list(texts))), embedder)
