"""What passed the gate, scored: relevance (as the reranker deals it out), recency, importance, trust."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from accounts.principal import Principal
from memory.choices import Sensitivity, Subtype
from memory.index.search import Hit
from memory.policy import RecallPolicy, recency
from memory.recall import rerank, resolve
from memory.recall.question import Question
from memory.recall.rows import Row
from memory.recall.score import relevance, score
from memory.recall.values import RecalledItem, RecallQuery
from memory.vault import SubjectVault

# A wording that came through the gate, how it was found, and why it came through.
type Passed = tuple[Row, Hit, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scales:
    """What everything is weighed by."""

    principal: Principal
    vault: SubjectVault
    policy: RecallPolicy
    query: RecallQuery
    question: Question
    now: datetime

    @property
    def plain(self) -> bool:
        """Whether the scope is everything that holds now (or held): no filter, no other time."""
        looking_back = self.query.as_of or self.query.known_at or self.question.back
        return not (looking_back or self.query.filters)

    @property
    def history(self) -> bool:
        """Whether wordings that no longer hold are asked for."""
        return self.query.include_history or self.question.before


def scored(
    on: Scales, passed: Sequence[Passed], gone: Collection[uuid.UUID]
) -> tuple[list[RecalledItem], Sequence[str]]:
    """Return what passed with its score, after reranking, and what could not be done.

    ``gone`` are the wordings that a later memory has retired.
    """
    nears = [_near(on, hit, why) for _, hit, why in passed]
    undone: Sequence[str] = ()
    if not on.question.open:
        texts = [_shown(row) for row, _, _ in passed]
        nears, undone = rerank.dealt(on.question.text, texts, nears)
    timely = on.policy.timeliness
    items = [
        replace(
            _weighed(on, row, min(near + timely * row.timely, 1.0), why, gone),
            cosine=hit.cosine,
            bm25=hit.bm25,
        )
        for (row, hit, why), near in zip(passed, nears, strict=True)
    ]
    return items, undone


def companions(
    on: Scales,
    rows: Sequence[Row],
    passed: Sequence[RecalledItem],
    gone: Collection[uuid.UUID],
) -> list[RecalledItem]:
    """Return which of ``rows`` come along because they are linked to what passed, best first."""
    found = {item.opened.memory.id: item.score.relevance for item in passed if item.score}
    beside = [
        _weighed(on, row, max(nearest) * on.policy.link_share, ("link",), gone)
        for row in rows
        if row.opened.version.id not in gone
        and (nearest := [found[one] for one in row.linked if one in found])
    ]
    return resolve.apart(beside, passed)[: on.policy.links]


def _near(on: Scales, hit: Hit, why: tuple[str, ...]) -> float:
    if on.question.open:
        return 1.0
    near = relevance(cosine=hit.cosine, words=hit.words, policy=on.policy)
    return max(near, on.policy.slot_relevance) if "attribute" in why else near


def _shown(row: Row) -> str | None:
    """Return the words a reranker may see: neither contact details nor special ones leave the house."""
    sensitive = row.opened.memory.sensitivity >= Sensitivity.CONTACT
    return None if sensitive else row.opened.text


def _weighed(
    on: Scales, row: Row, near: float, why: tuple[str, ...], gone: Collection[uuid.UUID]
) -> RecalledItem:
    memory, version = row.opened.memory, row.opened.version
    since = max(memory.occurred or memory.last_confirmed_at, memory.last_confirmed_at)
    parts = score(
        relevance=near,
        recency=recency(
            subtype=Subtype(memory.subtype), pinned=memory.pinned, since=since, now=on.now
        ),
        importance=memory.importance,
        confidence=memory.confidence,
        policy=on.policy,
    )
    ended = version.valid_to is not None and version.valid_to <= on.now
    over = version.superseded_at is not None or ended or version.id in gone
    looking_back = on.query.as_of is not None or on.query.known_at is not None
    return RecalledItem(
        opened=row.opened,
        score=parts,
        why=why,
        evidence=row.events,
        past=not looking_back and over,
        contested=row.contested,
        timely=row.timely,
    )
