"""The arithmetic of retrieval. Pure."""

import math
from collections.abc import Collection, Sequence


def recall_at(ranked: Sequence[str], wanted: Collection[str], k: int) -> float:
    """Return the share of ``wanted`` among the first ``k`` of ``ranked``."""
    return len(set(ranked[:k]) & set(wanted)) / len(set(wanted))


def hit_at(ranked: Sequence[str], wanted: Collection[str], k: int) -> float:
    """Return 1 if any of ``wanted`` is among the first ``k``, else 0."""
    return float(bool(set(ranked[:k]) & set(wanted)))


def ndcg_at(ranked: Sequence[str], wanted: Collection[str], k: int) -> float:
    """Return the normalised discounted cumulative gain with gains 0 or 1 (Järvelin, Kekäläinen 2002)."""
    relevant = set(wanted)
    gain = sum(1 / math.log2(at + 2) for at, one in enumerate(ranked[:k]) if one in relevant)
    ideal = sum(1 / math.log2(at + 2) for at in range(min(k, len(relevant))))
    return gain / ideal


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` (0 to 1) of ``values`` lie, by nearest rank; 0 if none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 for none."""
    return sum(values) / len(values) if values else 0.0


def verdicts(pairs: Sequence[tuple[bool, bool]]) -> dict[str, float | int]:
    """Return the numbers of yes-or-no answers, each given as (should, did)."""
    right = sum(1 for should, did in pairs if should and did)
    wanted, given = sum(should for should, _ in pairs), sum(did for _, did in pairs)
    precision, recall = right / given if given else 0.0, right / wanted if wanted else 0.0
    agreed = sum(1 for should, did in pairs if should == did)
    return {
        "n": len(pairs),
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * right / (given + wanted), 4) if given + wanted else 0.0,
        "accuracy": round(agreed / len(pairs), 4) if pairs else 0.0,
    }
