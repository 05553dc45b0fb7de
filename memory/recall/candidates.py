"""Candidates: meaning and words, searched together; what could not search is said."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.errors import EmbedderUnavailable
from memory.index import search
from memory.index.search import Hit
from memory.index.store import TERM_KEY
from memory.index.terms import digests, is_rare_shape, terms
from memory.models.version import VersionQuerySet
from memory.policy import RecallPolicy
from memory.providers.embedding import Embedder, get_embedder
from memory.vault import SubjectVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What was found. ``rare`` are query digests that look like a name, id or number."""

    hits: Sequence[Hit]
    rare: frozenset[int]
    calibrated: bool
    degraded: Sequence[str]


def find(
    vault: SubjectVault, scope: VersionQuerySet, *, query: str, policy: RecallPolicy
) -> Candidates:
    """Return the candidates for ``query`` within ``scope``; words still work when meaning does not."""
    if policy.candidates == 0:
        return Candidates(hits=[], rare=frozenset(), calibrated=True, degraded=[])
    counted = terms(query)
    key = vault.derived(TERM_KEY)
    embedder, vector = _embed(query)
    hits = search.search(
        scope,
        tenant_id=vault.tenant_id,
        subject_id=vault.subject_id,
        vector=vector,
        model=0 if embedder is None else embedder.id,
        digests=digests(counted, key),
        policy=policy,
    )
    return Candidates(
        hits=hits,
        rare=frozenset(digests({term: 1 for term in counted if is_rare_shape(term)}, key)),
        calibrated=embedder is not None and embedder.calibrated,
        degraded=_degraded(embedder),
    )


def _embed(query: str) -> tuple[Embedder | None, NDArray[np.float32] | None]:
    try:
        embedder = get_embedder()
        return embedder, embedder.query([query])[0]
    except EmbedderUnavailable:
        return None, None


def _degraded(embedder: Embedder | None) -> list[str]:
    if embedder is None:
        return ["meaning"]
    return [] if embedder.calibrated else ["calibration"]
