"""Scoring what passed the gate. Pure: ``now`` comes in."""

from dataclasses import dataclass
from datetime import datetime

from memory.choices import Subtype
from memory.policy import HALF_LIFE, RecallPolicy

DAY = 86_400.0


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


def recency(*, subtype: Subtype, pinned: bool, since: datetime, now: datetime) -> float:
    """Return 2^(−Δ/half-life), Δ in days from ``since``; 1 for what never fades."""
    half_life = None if pinned else HALF_LIFE[subtype]
    if half_life is None:
        return 1.0
    days = max((now - since).total_seconds(), 0.0) / DAY
    # Past a thousand half-lives the power is 0 anyway; the bound keeps it from underflowing loudly.
    return float(2.0 ** -min(days / half_life, 1000.0))


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
