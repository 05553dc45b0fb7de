"""Candidates: meaning and words, searched together; what could not search is said."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.index import search
from memory.index.asked import asked
from memory.index.search import Hit
from memory.index.serving import has_others
from memory.index.store import TERM_KEY
from memory.index.terms import digests, is_rare_shape, terms
from memory.models import Vector
from memory.models.version import VersionQuerySet
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
    vault: SubjectVault, scope: VersionQuerySet, *, words: str, meaning: str, policy: RecallPolicy
) -> Candidates:
    """Return the candidates within ``scope`` for a question, by its words and by its meaning.

    Words still work when meaning does not.
    """
    if policy.candidates == 0:
        return Candidates(hits=[], rare=frozenset(), terms=0, calibrated=True, degraded=[])
    counted = terms(words)
    key = vault.derived(TERM_KEY)
    vectors = Vector.objects.filter(tenant_id=vault.tenant_id, subject_id=vault.subject_id)
    question = asked(meaning, vectors)
    hits = search.search(
        scope,
        tenant_id=vault.tenant_id,
        subject_id=vault.subject_id,
        vector=question.vector,
        model=question.model,
        scale=question.scale,
        digests=digests(counted, key),
        policy=policy,
    )
    others = hits[0].others if hits else has_others(vectors, question.model)
    return Candidates(
        hits=hits,
        rare=frozenset(digests({term: 1 for term in counted if is_rare_shape(term)}, key)),
        terms=len(counted),
        calibrated=question.calibrated,
        degraded=question.degraded_by(others=others),
    )
