"""Keeping the two indexes: terms at once, vectors as soon as the embedder answers."""

import uuid
from collections.abc import Sequence

import numpy as np
from django.db.models import Exists, F, OuterRef
from numpy.typing import NDArray

from accounts.principal import Principal
from memory.choices import IndexState
from memory.errors import EmbedderUnavailable
from memory.index.serving import former_of
from memory.index.terms import digests, terms
from memory.models import Memory, Term, Vector, Version
from memory.models.version import VersionQuerySet
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
    if former_of(Vector.objects.filter(subject_id=versions[0].subject_id)) is None:
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


def without_vector(principal: Principal, *, pending: bool = False) -> VersionQuerySet:
    """Return the subject's wordings that have no vector of today's embedder, the current first.

    ``pending``: only current ones of memories that say so themselves.

    Raises:
        EmbedderUnavailable: if the embedder does not load.
    """
    have = Vector.objects.filter(version=OuterRef("pk"), model=get_embedder().id)
    due = _wordings(principal).filter(~Exists(have))
    if pending:
        due = due.current().filter(memory__index_state=IndexState.PENDING)
    return due.order_by(F("superseded_at").desc(nulls_first=True), "recorded_at", "id")


def _wordings(principal: Principal) -> VersionQuerySet:
    """Return all wordings of the subject, past ones too; what was erased has none."""
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    return Version.objects.filter(**mine, memory__wording__isnull=False)


def count_wordings(principal: Principal) -> int:
    """Return how many wordings the subject has, past ones too."""
    return _wordings(principal).count()


def add_vectors(versions: Sequence[Version], vectors: Sequence[NDArray[np.float32]]) -> None:
    """Store what the embedder made of wordings, but of none that was erased meanwhile."""
    made = {version.id: vector for version, vector in zip(versions, vectors, strict=True)}
    memories = Memory.objects.select_for_update(no_key=True).order_by("id")
    list(memories.filter(id__in={version.memory_id for version in versions}))  # holds erasers off
    left = list(Version.objects.filter(id__in=made, memory__wording__isnull=False))
    if left:
        _add_vectors(left, [made[version.id] for version in left], get_embedder())


def drop_others(principal: Principal) -> int:
    """Let today's embedder serve the subject: drop the vectors of all others; return how many."""
    mine = Vector.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    dropped = mine.exclude(model=get_embedder().id).delete()[0]
    waiting = Memory.objects.filter(index_state=IndexState.PENDING)
    waiting.filter(id__in=mine.filter(current=True).values("memory_id")).update(
        index_state=IndexState.READY
    )
    return dropped
