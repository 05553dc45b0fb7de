"""What matched words weigh, as common table expressions: one formula for memories and for passages.

BM25 after Robertson and Zaragoza (2009), with Lucene's idf, which is never negative. Its unit is a
*rare term*: the idf of a term that stands in one text alone, ``one``. Counted in rare terms, a weight
means the same among ten texts as among ten thousand.

``words = b / (b + half·one) · √(matched / asked)``, 0 to 1, where b is BM25 and the second factor the
*evidence*: which share of the question's known idf mass the text holds, of at most ``full`` rare terms
(a long question is never matched whole). "Suggest" and "great" alone are no evidence for a text.

Nothing outside the scope is counted: frequencies and the average length are those of the scope.
"""

from memory.policy import BM25, RecallPolicy

# Expects the expression ``scope`` with id and term_count; {terms} is the table, {key} its text.
_CTE = """
size AS (
  SELECT n, length, ln(1 + (n - 0.5) / 1.5) AS one
  FROM (SELECT count(*)::float8 AS n, greatest(avg(term_count), 1)::float8 AS length FROM scope) AS counted
),
found AS (
  SELECT s.id, t.digest, t.frequency::float8 AS tf, s.term_count::float8 AS length,
    count(*) OVER (PARTITION BY t.digest)::float8 AS df
  FROM {terms} t JOIN scope s ON s.id = t.{key}
  WHERE {mine} AND t.digest = ANY(%(digests)s)
),
hit AS (
  SELECT id, digest, tf, length, df / (SELECT n FROM size) AS share,
    ln(1 + ((SELECT n FROM size) - df + 0.5) / (df + 0.5)) AS idf
  FROM found
),
asked AS (
  SELECT least(sum(idf), %(full)s * (SELECT one FROM size)) AS mass
  FROM (SELECT DISTINCT digest, idf FROM hit) AS known
),
matched AS (
  SELECT id, sum(
      idf * tf * (%(k1)s + 1) / (tf + %(k1)s * (1 - %(b)s + %(b)s * length / (SELECT length FROM size)))
    ) AS bm25, sum(idf) AS mass, array_agg(digest) AS digests, array_agg(share) AS shares
  FROM hit GROUP BY id
),
lexical AS (
  SELECT id, bm25, digests, shares, bm25 / (bm25 + %(half)s * (SELECT one FROM size))
    * sqrt(least(1, mass / (SELECT mass FROM asked))) AS words
  FROM matched
)
"""
VERSIONS = _CTE.format(
    terms="memory_term",
    key="version_id",
    mine="t.tenant_id = %(tenant)s AND t.subject_id = %(subject)s",
)
PASSAGES = _CTE.format(
    terms="memory_passageterm", key="passage_id", mine="t.tenant_id = %(tenant)s"
)


def numbers(policy: RecallPolicy) -> dict[str, float]:
    """Return the expressions' parameters that tune; ``digests`` and whose they are come besides."""
    return {
        "k1": BM25.k1,
        "b": BM25.b,
        "half": policy.lexical_half,
        "full": policy.lexical_full,
    }
