"""Candidates for a question: exact cosine and BM25 over the passages of one tenant, in one SQL."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.index.lexical import PASSAGES, numbers
from memory.index.planning import hashed
from memory.index.scale import Scale
from memory.index.search import nearest
from memory.policy import RecallPolicy

# Nothing outside the tenant is ranked, counted or measured.
SQL = """
WITH scope AS (
  SELECT p.id, p.term_count FROM memory_passage p
  WHERE p.tenant_id = %(tenant)s AND (%(documents)s::uuid[] IS NULL OR p.document_id = ANY(%(documents)s))
),
dense AS MATERIALIZED (
  SELECT s.id, least((-{distance} - %(offset)s) * %(factor)s, 1) AS cosine
  FROM memory_passagevector v JOIN scope s ON s.id = v.passage_id
  WHERE v.tenant_id = %(tenant)s AND v.model = %(model)s
),
{lexical},
mine AS NOT MATERIALIZED (SELECT model FROM memory_passagevector WHERE tenant_id = %(tenant)s),
others AS (
  SELECT EXISTS (SELECT FROM mine WHERE model < %(model)s)
    OR EXISTS (SELECT FROM mine WHERE model > %(model)s) AS there
)
SELECT s.id, d.cosine, coalesce(l.bm25, 0), coalesce(l.words, 0),
  coalesce(l.digests, '{{}}'), coalesce(l.shares, '{{}}'), (SELECT n FROM size), (SELECT there FROM others)
FROM scope s LEFT JOIN dense d ON d.id = s.id LEFT JOIN lexical l ON l.id = s.id
WHERE d.cosine IS NOT NULL OR l.bm25 > 0
ORDER BY coalesce(d.cosine, 0) + %(weight)s * coalesce(l.words, 0) DESC, s.id
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One passage found. ``cosine`` is None while it waits for its vector.

    ``shares`` maps each matched query digest to the share of passages that hold it; ``words`` is what
    they weigh, 0 to 1. ``others`` says of the search, not of the passage, that vectors of another model lie there.
    """

    passage_id: uuid.UUID
    cosine: float | None
    bm25: float
    words: float
    shares: Mapping[int, float]
    searched: int
    others: bool


def candidates(
    tenant_id: uuid.UUID,
    *,
    documents: Sequence[uuid.UUID] | None,
    vectors: NDArray[np.float32] | None,
    model: int,
    scale: Scale,
    digests: Mapping[int, int],
    policy: RecallPolicy,
) -> list[Candidate]:
    """Return the best ``policy.candidates`` passages by fused score.

    ``vectors`` has the shape ``(n, dim)``, each of length 1: the closest counts; None searches words
    alone. Fused score = cosine + w · words (`memory.index.lexical`).
    """
    distance, queries = nearest(vectors)
    values: dict[str, Any] = queries | {
        "tenant": tenant_id,
        "documents": None if documents is None else list(documents),
        "model": model,
        "offset": scale.offset,
        "factor": scale.factor,
        "digests": list(digests),
        "weight": policy.lexical_weight,
        "limit": policy.candidates,
        **numbers(policy),
    }
    rows = hashed(SQL.format(distance=distance, lexical=PASSAGES), values)
    return [
        Candidate(
            passage_id=passage_id,
            cosine=None if cosine is None else float(cosine),
            bm25=float(bm25),
            words=float(words),
            shares=dict(zip(found, shares, strict=True)),
            searched=int(searched),
            others=others,
        )
        for passage_id, cosine, bm25, words, found, shares, searched, others in rows
    ]
