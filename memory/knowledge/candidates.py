"""Candidates for a question: exact cosine and BM25 over the passages of one tenant, in one SQL."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memory.index.scale import Scale
from memory.index.search import as_literal
from memory.policy import BM25, RecallPolicy

# BM25 as in memory/index/search.py. Nothing outside the tenant is ranked, counted or measured.
SQL = """
WITH scope AS (
  SELECT p.id, p.term_count FROM memory_passage p
  WHERE p.tenant_id = %(tenant)s AND (%(documents)s::uuid[] IS NULL OR p.document_id = ANY(%(documents)s))
),
size AS (SELECT count(*)::float8 AS n, greatest(avg(term_count), 1)::float8 AS length FROM scope),
dense AS (
  SELECT v.passage_id, least((-(v.embedding <#> %(query)s::halfvec) - %(offset)s) * %(factor)s, 1) AS cosine
  FROM memory_passagevector v JOIN scope s ON s.id = v.passage_id
  WHERE v.tenant_id = %(tenant)s AND v.model = %(model)s
),
hit AS (
  SELECT t.passage_id, t.digest, t.frequency::float8 AS tf, s.term_count::float8 AS length,
    count(*) OVER (PARTITION BY t.digest)::float8 AS df
  FROM memory_passageterm t JOIN scope s ON s.id = t.passage_id
  WHERE t.tenant_id = %(tenant)s AND t.digest = ANY(%(digests)s)
),
lexical AS (
  SELECT hit.passage_id, sum(
      ln(1 + (size.n - df + 0.5) / (df + 0.5))
      * tf * (%(k1)s + 1) / (tf + %(k1)s * (1 - %(b)s + %(b)s * hit.length / size.length))
    ) AS bm25, array_agg(digest) AS digests, array_agg(df / size.n) AS shares
  FROM hit, size GROUP BY hit.passage_id
),
mine AS NOT MATERIALIZED (SELECT model FROM memory_passagevector WHERE tenant_id = %(tenant)s),
others AS (
  SELECT EXISTS (SELECT FROM mine WHERE model < %(model)s)
    OR EXISTS (SELECT FROM mine WHERE model > %(model)s) AS there
)
SELECT s.id, d.cosine, coalesce(l.bm25, 0), coalesce(l.digests, '{}'), coalesce(l.shares, '{}'),
  (SELECT n FROM size), (SELECT there FROM others)
FROM scope s LEFT JOIN dense d ON d.passage_id = s.id LEFT JOIN lexical l ON l.passage_id = s.id
WHERE d.cosine IS NOT NULL OR l.bm25 > 0
ORDER BY coalesce(d.cosine, 0)
  + %(weight)s * coalesce(l.bm25, 0) / (coalesce(l.bm25, 0) + %(half)s) DESC, s.id
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One passage found. ``cosine`` is None while it waits for its vector.

    ``shares`` maps each matched query digest to the share of passages that hold it. ``others`` says
    of the search, not of the passage, that vectors of another model lie there.
    """

    passage_id: uuid.UUID
    cosine: float | None
    bm25: float
    shares: Mapping[int, float]
    searched: int
    others: bool


def candidates(
    tenant_id: uuid.UUID,
    *,
    documents: Sequence[uuid.UUID] | None,
    vector: NDArray[np.float32] | None,
    model: int,
    scale: Scale,
    digests: Mapping[int, int],
    policy: RecallPolicy,
) -> list[Candidate]:
    """Return the best ``policy.candidates`` passages by fused score.

    ``vector`` has the shape ``(dim,)`` and length 1; None searches words alone. Fused score =
    cosine + w · b / (b + h), b = BM25 (Robertson and Zaragoza 2009, with Lucene's idf).
    """
    values: dict[str, Any] = {
        "tenant": tenant_id,
        "documents": None if documents is None else list(documents),
        "query": None if vector is None else as_literal(vector),
        "model": model,
        "offset": scale.offset,
        "factor": scale.factor,
        "digests": list(digests),
        "k1": BM25.k1,
        "b": BM25.b,
        "weight": policy.lexical_weight,
        "half": policy.lexical_half,
        "limit": policy.candidates,
    }
    with connection.cursor() as cursor:
        cursor.execute(SQL, values)
        rows = cursor.fetchall()
    return [
        Candidate(
            passage_id=passage_id,
            cosine=None if cosine is None else float(cosine),
            bm25=float(bm25),
            shares=dict(zip(found, shares, strict=True)),
            searched=int(searched),
            others=others,
        )
        for passage_id, cosine, bm25, found, shares, searched, others in rows
    ]
