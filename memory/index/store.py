"""Keeping the two indexes: terms at once, vectors as soon as the embedder answers."""

import uuid
from collections.abc import Sequence, Set
from typing import Any

from django.db.models import Exists, F, OuterRef

from accounts.principal import Principal
from memory import queue
from memory.choices import GONE, IndexState, JobKind
from memory.index.context import Meaning
from memory.index.serving import former_of
from memory.index.terms import digests, terms
from memory.models import Memory, ObjectKey, Term, Vector, Version
from memory.models.version import VersionQuerySet
from memory.providers.embedding import Embedder, get_embedder
from memory.vault import SubjectVault

TERM_KEY = "term"


def add(vault: SubjectVault, version: Version, text: str, meaning: Meaning | None) -> None:
    """Index the current wording: its terms now, its vector if there is one, else later."""
    add_terms(vault, version, text)
    if meaning is not None:
        _add_vectors([version], [meaning], get_embedder())


def add_terms(vault: SubjectVault, version: Version, text: str) -> None:
    """Index a wording by its terms."""
    counted = digests(terms(text), vault.derived(TERM_KEY))
    Term.objects.bulk_create(
        Term(
            tenant_id=version.tenant_id,
            subject_id=version.subject_id,
            memory_id=version.memory_id,
            version=version,
            digest=digest,
            frequency=min(frequency, 32_767),
            current=version.superseded_at is None,
        )
        for digest, frequency in counted.items()
    )
    Version.objects.filter(id=version.id).update(term_count=sum(counted.values()))


def _add_vectors(
    versions: Sequence[Version], meanings: Sequence[Meaning], embedder: Embedder
) -> None:
    there = _held(versions[0].subject_id, {one.leans_on for one in meanings if one.leans_on})
    meanings = [one if one.leans_on in {None, *there} else one.alone() for one in meanings]
    Vector.objects.bulk_create(
        (
            Vector(
                tenant_id=version.tenant_id,
                subject_id=version.subject_id,
                memory_id=version.memory_id,
                version=version,
                model=embedder.id,
                current=version.superseded_at is None,
                embedding=meaning.found,
                leans_on=meaning.leans_on,
            )
            for version, meaning in zip(versions, meanings, strict=True)
        ),
        ignore_conflicts=True,
    )
    if former_of(Vector.objects.filter(subject_id=versions[0].subject_id)) is None:
        Memory.objects.filter(id__in=[version.memory_id for version in versions]).update(
            index_state=IndexState.READY
        )


def _held(subject_id: uuid.UUID, event_ids: Set[uuid.UUID]) -> Set[uuid.UUID]:
    """Return those of the events that no erasure has reached, and hold erasers off until the end."""
    if not event_ids:
        return event_ids
    keys = ObjectKey.objects.select_for_update(no_key=True).order_by("id")
    mine = keys.filter(subject_id=subject_id, object_id__in=event_ids)
    return set(mine.values_list("object_id", flat=True))


def drop_leaning(principal: Principal, event_ids: Sequence[uuid.UUID]) -> None:
    """Drop the vectors that took in the words of these events, and see to others.

    Their wordings wait for a vector of their own words alone, and words find them meanwhile. Call it
    after the events' keys were destroyed: what is stored later does not lean on them any more.
    """
    mine: dict[str, Any] = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    rows = Vector.objects.filter(**mine, leans_on__in=event_ids)
    Memory.objects.filter(id__in=rows.filter(current=True).values("memory_id")).update(
        index_state=IndexState.PENDING
    )
    if rows.delete()[0]:
        queue.add_job(kind=JobKind.EMBED, **mine, target_id=principal.person_id, agent_id=None)


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
    due = wordings(principal).filter(~Exists(have))
    if pending:
        due = due.current().filter(memory__index_state=IndexState.PENDING)
    return due.order_by(F("superseded_at").desc(nulls_first=True), "recorded_at", "id")


def wordings(principal: Principal) -> VersionQuerySet:
    """Return all wordings of the subject, past ones too; what was erased has none."""
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    return Version.objects.filter(**mine).exclude(memory__state__in=GONE)


def count_wordings(principal: Principal) -> int:
    """Return how many wordings the subject has, past ones too."""
    return wordings(principal).count()


def add_vectors(versions: Sequence[Version], meanings: Sequence[Meaning]) -> None:
    """Store what the embedder made of wordings, but of none that was erased meanwhile."""
    made = {version.id: meaning for version, meaning in zip(versions, meanings, strict=True)}
    memories = Memory.objects.select_for_update(no_key=True).order_by("id")
    list(memories.filter(id__in={version.memory_id for version in versions}))  # holds erasers off
    left = list(Version.objects.filter(id__in=made).exclude(memory__state__in=GONE))
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
