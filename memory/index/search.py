"""Exact search inside one person: cosine over all their vectors and BM25 over keyed terms, in one SQL.

The scope (whose rows, which wordings) is made of a query set, so that the same words and the same
row policies rule here as everywhere. Nothing outside the scope is ranked, counted or measured:
document frequencies and the average length are those of the scope.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.index.lexical import VERSIONS, numbers
from memory.index.planning import Part, hashed, part
from memory.index.scale import Scale
from memory.models import Version
from memory.models.version import VersionQuerySet
from memory.policy import RecallPolicy

SQL = """
WITH scope AS MATERIALIZED (
  SELECT w.id, w.memory_id, w.term_count, CASE WHEN v.model IS NOT NULL
    THEN least((-{distance} - %(offset)s) * %(factor)s, 1) END AS cosine
  FROM ({scope}) w LEFT JOIN memory_vector v ON v.version_id = w.id AND v.model = %(model)s
    AND v.tenant_id = %(tenant)s AND v.subject_id = %(subject)s
),
{lexical},
mine AS NOT MATERIALIZED (SELECT model FROM memory_vector WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s),
others AS (
  SELECT EXISTS (SELECT FROM mine WHERE model < %(model)s)
    OR EXISTS (SELECT FROM mine WHERE model > %(model)s) AS there
)
SELECT s.id, s.memory_id, s.cosine, coalesce(l.bm25, 0), coalesce(l.words, 0),
  coalesce(l.digests, '{{}}'), coalesce(l.shares, '{{}}'), (SELECT n FROM size), (SELECT there FROM others)
FROM scope s LEFT JOIN lexical l ON l.id = s.id
WHERE s.cosine IS NOT NULL OR l.bm25 > 0
ORDER BY coalesce(s.cosine, 0) + %(weight)s * coalesce(l.words, 0) DESC, s.id
LIMIT %(limit)s
"""
RANKED = ("id", "memory_id", "term_count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One wording found. ``shares`` maps each matched query digest to the share of wordings with it.

    ``cosine`` is None while the wording waits for its vector, or when meaning was not searched.
    ``words`` is what its matched words weigh, 0 to 1 (`memory.index.lexical`).
    ``others`` says of the search, not of the hit, that vectors of another model lie there.
    """

    version_id: uuid.UUID
    memory_id: uuid.UUID
    cosine: float | None
    bm25: float
    words: float
    shares: Mapping[int, float]
    searched: int
    others: bool = False


def ranked(wordings: VersionQuerySet) -> Part:
    """Return the scope of a search."""
    return part("scope", wordings, *RANKED)


def search(
    scope: Part,
    *,
    tenant_id: uuid.UUID,
    subject_id: uuid.UUID,
    vectors: NDArray[np.float32] | None,
    model: int,
    scale: Scale,
    digests: Mapping[int, int],
    policy: RecallPolicy,
) -> list[Hit]:
    """Return the best ``policy.candidates`` wordings of ``scope`` by fused score.

    ``vectors`` has the shape ``(n, dim)``, each of length 1: the closest counts; None searches words
    alone. ``scale`` brings the cosines of ``model`` onto the policy's. ``digests`` are the
    keyed digests of the query's terms. Fused score = cosine + w · words.
    """
    distance, queries = nearest(vectors)
    values = {
        **scope.values,
        **queries,
        "tenant": tenant_id,
        "subject": subject_id,
        "model": model,
        "offset": scale.offset,
        "factor": scale.factor,
        "digests": list(digests),
        "weight": policy.lexical_weight,
        "limit": policy.candidates,
        **numbers(policy),
    }
    rows = hashed(SQL.format(scope=scope.sql, distance=distance, lexical=VERSIONS), values)
    return [_hit(row) for row in rows]


def nearest(vectors: NDArray[np.float32] | None) -> tuple[str, dict[str, str | None]]:
    """Return the expression for how far ``v.embedding`` is from the closest, and its parameters."""
    literals = [None] if vectors is None else [as_literal(vector) for vector in vectors]
    queries = {f"query_{position}": literal for position, literal in enumerate(literals)}
    apart = [f"v.embedding <#> %({name})s::halfvec" for name in queries]
    return f"least({', '.join(apart)})" if len(apart) > 1 else f"({apart[0]})", queries


def as_literal(vector: NDArray[np.float32]) -> str:
    """Return a vector as the database reads it."""
    return "[" + ",".join(f"{value:.5g}" for value in vector.tolist()) + "]"


def _hit(row: tuple[Any, ...]) -> Hit:
    version_id, memory_id, cosine, bm25, words, digests, shares, searched, others = row
    return Hit(
        version_id=version_id,
        memory_id=memory_id,
        cosine=None if cosine is None else float(cosine),
        bm25=float(bm25),
        words=float(words),
        shares=dict(zip(digests, shares, strict=True)),
        searched=int(searched),
        others=others,
    )


def all_current(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> VersionQuerySet:
    """Return the current wordings of one person: the widest scope there is."""
    return Version.objects.current().filter(tenant_id=tenant_id, subject_id=subject_id)
