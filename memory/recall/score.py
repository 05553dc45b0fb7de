"""Scoring what passed the gate. Pure."""

from dataclasses import dataclass

from memory.policy import RecallPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The parts of one item's score, each 0 to 1, and their weighted sum."""

    relevance: float
    recency: float
    importance: float
    confidence: float
    total: float


def fused(*, cosine: float | None, words: float, policy: RecallPolicy) -> float:
    """Return cosine + w · words: words add where they match and harm nothing elsewhere."""
    return max(cosine or 0.0, 0.0) + policy.lexical_weight * words


def relevance(*, cosine: float | None, words: float, policy: RecallPolicy) -> float:
    """Return the fused score scaled to 0–1 by the most it can be."""
    return min(fused(cosine=cosine, words=words, policy=policy) / (1 + policy.lexical_weight), 1.0)


def score(
    *, relevance: float, recency: float, importance: float, confidence: float, policy: RecallPolicy
) -> Score:
    """Return the parts with their weighted sum."""
    total = (
        policy.relevance * relevance
        + policy.recency * recency
        + policy.importance * importance
        + policy.confidence * confidence
    )
    return Score(
        relevance=relevance,
        recency=recency,
        importance=importance,
        confidence=confidence,
        total=total,
    )
