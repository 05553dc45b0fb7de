"""Candidates: meaning and words, searched together; what could not search is said."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.index import search
from memory.index.planning import Part
from memory.index.search import Hit
from memory.index.sought import Sought
from memory.index.store import TERM_KEY
from memory.models import Vector
from memory.policy import RecallPolicy
from memory.vault import SubjectVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What was found. ``rare`` are those of the query's ``terms`` that look like a name, id or number."""

    hits: Sequence[Hit]
    rare: frozenset[int]
    terms: int
    calibrated: bool
    degraded: Sequence[str]


def find(
    vault: SubjectVault, scope: Part, *, words: str, meaning: str, policy: RecallPolicy
) -> Candidates:
    """Return the candidates within ``scope`` for a question, by its words and by its meaning.

    Words still work when meaning does not.
    """
    if policy.candidates == 0:
        return Candidates(hits=[], rare=frozenset(), terms=0, calibrated=True, degraded=[])
    vectors = Vector.objects.filter(tenant_id=vault.tenant_id, subject_id=vault.subject_id)
    sought = Sought.of(vault.derived(TERM_KEY), vectors, words=words, meaning=meaning)
    hits = search.search(
        scope,
        tenant_id=vault.tenant_id,
        subject_id=vault.subject_id,
        vectors=sought.asked.vectors,
        model=sought.asked.model,
        scale=sought.asked.scale,
        digests=sought.digests,
        policy=policy,
    )
    return Candidates(
        hits=hits,
        rare=sought.rare,
        terms=len(sought.digests),
        calibrated=sought.asked.calibrated,
        degraded=sought.degraded(hits),
    )
