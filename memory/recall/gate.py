"""The relevance gate: what is not about the question stays out, however fresh or important.

A candidate passes by calibrated cosine, or by a lexical ticket: a rare matched name, id or number,
or enough evidence from words. Where meaning cannot judge (a wording that waits for its vector, an
embedder nobody calibrated), holding enough of the question's terms is a ticket as well.
"""

from collections.abc import Mapping

from memory.policy import UNCALIBRATED_GATE, RecallPolicy


def passes(
    *,
    cosine: float | None,
    bm25: float,
    shares: Mapping[int, float],
    rare: frozenset[int],
    searched: int,
    terms: int,
    policy: RecallPolicy,
    calibrated: bool,
) -> tuple[str, ...]:
    """Return why a candidate passes ("meaning", "words"); empty: it does not.

    ``rare`` are the query's digests whose term looks like a name, id or number, ``terms`` how many
    digests it has; ``searched`` is how many wordings the shares are shares of.
    """
    gate = policy.gate if calibrated else max(policy.gate, UNCALIBRATED_GATE)
    why: list[str] = []
    if cosine is not None and cosine >= gate:
        why.append("meaning")
    alone = policy.candidates > 0 and (cosine is None or not calibrated)
    enough = 0 < policy.ticket_terms * terms <= len(shares)
    if (alone and enough) or has_ticket(
        bm25=bm25, shares=shares, rare=rare, searched=searched, policy=policy
    ):
        why.append("words")
    return tuple(why)


def has_ticket(
    *,
    bm25: float,
    shares: Mapping[int, float],
    rare: frozenset[int],
    searched: int,
    policy: RecallPolicy,
) -> bool:
    """Whether the matched words alone are evidence enough.

    Among few memories one is always a large share, so a term that stands in one alone is rare.
    """
    if policy.candidates == 0:
        return False
    if bm25 >= policy.ticket_bm25:
        return True
    most = max(1.0, policy.ticket_share * searched)
    return any(digest in rare and share * searched <= most for digest, share in shares.items())
