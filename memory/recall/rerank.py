"""The optional reranker: it puts what passed the gate in another order, and lets nothing in or out.

Its scores are on a scale of their own, so they are not used as such: the relevances stay the ones
that were measured, and are dealt out anew in its order. Recency and importance then weigh against
them as ever. If it does not answer, the order stays as it was, and the answer says so.
"""

from collections.abc import Sequence

from memory.errors import RerankerUnavailable
from memory.providers.reranking import get_reranker

# What an answer says in ``degraded`` when the configured reranker did not answer.
FAULT = "reranker"


def dealt(
    question: str, texts: Sequence[str | None], relevances: Sequence[float]
) -> tuple[list[float], Sequence[str]]:
    """Return the relevance of each text after reranking, and what could not be done.

    A text that is None is not shown to the reranker and keeps its relevance.
    """
    shown = [(place, text) for place, text in enumerate(texts) if text is not None]
    reranker = get_reranker() if len(shown) > 1 else None
    if reranker is None:
        return list(relevances), ()
    try:
        scores = reranker.scores(question, [text for _, text in shown])
    except RerankerUnavailable:
        return list(relevances), (FAULT,)
    places = [place for place, _ in shown]
    best_first = [place for place, _ in sorted(zip(places, scores, strict=True), key=_by_score)]
    found = list(relevances)
    values = sorted((relevances[place] for place in places), reverse=True)
    for place, value in zip(best_first, values, strict=True):
        found[place] = value
    return found, ()


def _by_score(one: tuple[int, float]) -> float:
    return -one[1]
