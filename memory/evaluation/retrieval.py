"""How well questions find their evidence: each conversation is one person's memory.

Items are stored as the person's own words, without admit or dedupe, so that search alone is
measured. Ungated numbers rank by the fused score and compare with other systems; gated ones say how
often the relevance gate lets anything through.
"""

import json
import time
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from tqdm import tqdm

from accounts.principal import Principal
from memory.choices import Kind, Origin, Role
from memory.evaluation import metrics
from memory.evaluation.room import nobody
from memory.index import search
from memory.index.context import Before, embed_all
from memory.index.search import Hit
from memory.policy import RECALL, RecallPolicy
from memory.recall import gate, scope
from memory.recall.candidates import Candidates, find
from memory.recall.question import understand
from memory.recall.values import RecallQuery
from memory.vault import SubjectVault, open_vault
from memory.write import store
from memory.write.case import Case, Marks
from memory.write.classify import classify
from memory.write.proposal import Draft, Proposal, Source

# Items are recorded a second apart, so that "only the first n" is a look at what was known then.
FIRST = datetime(2000, 1, 1, tzinfo=UTC)
PLAIN_SPEAKERS = ("user", "assistant")


@dataclass(slots=True)
class Tally:
    """The numbers of one set or category."""

    recall5: list[float] = field(default_factory=list)
    recall10: list[float] = field(default_factory=list)
    hit10: list[float] = field(default_factory=list)
    session10: list[float] = field(default_factory=list)
    ndcg10: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)

    def summary(self, policy: str) -> dict[str, Any]:
        """Return the numbers as the command prints them."""
        return {
            "n": len(self.recall10),
            "recall@5": round(metrics.mean(self.recall5), 4),
            "recall@10": round(metrics.mean(self.recall10), 4),
            "hit@10": round(metrics.mean(self.hit10), 4),
            "session_recall@10": round(metrics.mean(self.session10), 4),
            "ndcg@10": round(metrics.mean(self.ndcg10), 4),
            "p50_ms": round(metrics.percentile(self.ms, 0.50), 1),
            "p95_ms": round(metrics.percentile(self.ms, 0.95), 1),
            "policy": policy,
        }


def evaluate(path: Path, *, text_field: str, policy_name: str, progress: bool) -> dict[str, Any]:
    """Return the numbers of one JSONL file, overall, by category and gated."""
    policy = RECALL[policy_name]
    overall, categories = Tally(), defaultdict[str, Tally](Tally)
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in tqdm(lines, desc=path.stem, disable=not progress):
        conversation = json.loads(line)
        sessions = {str(one["id"]): str(one.get("session", 1)) for one in conversation["items"]}
        for query, ranked, answered, ms in _conversation(conversation, text_field, policy):
            for tally in (overall, categories[str(query.get("category", "all"))]):
                _count(tally, query["evidence_ids"], ranked, answered=answered, ms=ms)
                tally.session10.append(_at_sessions(ranked, query["evidence_ids"], sessions))
    return {
        "overall": overall.summary(policy_name),
        "by_category": {name: one.summary(policy_name) for name, one in sorted(categories.items())},
        "gated": {
            "answered": round(metrics.mean(overall.answered), 4),
            "nothing_relevant": round(1 - metrics.mean(overall.answered), 4),
            "policy": policy_name,
        },
    }


def _count(
    tally: Tally, wanted: Sequence[str], ranked: Sequence[str], *, answered: bool, ms: float
) -> None:
    tally.recall5.append(metrics.recall_at(ranked, wanted, 5))
    tally.recall10.append(metrics.recall_at(ranked, wanted, 10))
    tally.hit10.append(metrics.hit_at(ranked, wanted, 10))
    tally.ndcg10.append(metrics.ndcg_at(ranked, wanted, 10))
    tally.ms.append(ms)
    tally.answered.append(float(answered))


def _at_sessions(
    ranked: Sequence[str], wanted: Sequence[str], sessions: Mapping[str, str]
) -> float:
    """Return the share of the evidence's sessions among the first ten, each as good as its best item."""
    return metrics.recall_at(
        list(dict.fromkeys(sessions[one] for one in ranked)),
        {sessions[str(one)] for one in wanted},
        10,
    )


def _conversation(
    conversation: Mapping[str, Any], text_field: str, policy: RecallPolicy
) -> Iterator[tuple[Mapping[str, Any], list[str], bool, float]]:
    """Yield each query with its ranked item ids; everything stored is rolled back afterwards."""
    results: list[tuple[Mapping[str, Any], list[str], bool, float]] = []
    with nobody() as principal:
        vault = open_vault(principal)
        items = _store(vault, principal, conversation["items"])
        for query in conversation["queries"]:
            if not (query.get("evidence_ids") and query.get(text_field)):
                continue
            ranked, answered, ms = _ask(
                vault,
                principal,
                text=query[text_field],
                asof=query.get("asof"),
                policy=policy,
            )
            results.append((query, [items[one] for one in ranked], answered, ms))
    yield from results


def _store(
    vault: SubjectVault, principal: Principal, items: Sequence[Mapping[str, Any]]
) -> dict[uuid.UUID, str]:
    drafts = [classify(_proposal(item)) for item in items]
    meanings = embed_all([store.indexed_text(draft) for draft in drafts], _before(items, drafts))
    ids: dict[uuid.UUID, str] = {}
    for position, (item, draft) in enumerate(zip(items, drafts, strict=True)):
        # Equal words may come twice in a conversation; here each is an item of its own.
        own = Marks(wording=vault.digest("evaluation", str(item["id"])), slot=0, value=None)
        # No message stands behind an item whose erasure its vector would have to follow.
        meaning = replace(meanings[position], leans_on=None)
        case = Case(principal=principal, vault=vault, draft=draft, marks=own, meaning=meaning)
        memory = store.create(case, waits=None)
        memory.versions.update(recorded_at=FIRST + timedelta(seconds=position))
        ids[memory.id] = str(item["id"])
    return ids


def _before(items: Sequence[Mapping[str, Any]], drafts: Sequence[Draft]) -> list[Before | None]:
    """Return for each item the one before it in its session, if it answers that, as `answered` does."""
    found: list[Before | None] = [None] * len(items)
    for at, (one, other) in enumerate(pairwise(items), start=1):
        answers = one.get("session") == other.get("session")
        answers = answers and one.get("speaker") != other.get("speaker")
        if answers and drafts[at - 1].sensitivity <= drafts[at].sensitivity:
            found[at] = Before(uuid.uuid4(), store.indexed_text(drafts[at - 1]))
    return found


def _proposal(item: Mapping[str, Any]) -> Proposal:
    speaker, text = str(item.get("speaker", "")), str(item["text"])
    named = speaker and speaker not in PLAIN_SPEAKERS
    source = Source(origin=Origin.PERSON, said_at=FIRST, role=Role.USER)
    return Proposal(text=f"{speaker}: {text}" if named else text, source=source, kind=Kind.EPISODIC)


def _ask(
    vault: SubjectVault, principal: Principal, *, text: str, asof: int | None, policy: RecallPolicy
) -> tuple[list[uuid.UUID], bool, float]:
    # Item number n is recorded at second n - 1.
    known_at = FIRST + timedelta(seconds=asof - 1) if asof else None
    begun = time.perf_counter()
    asked = RecallQuery(text=text, policy=policy.name, known_at=known_at)
    question = understand(asked, now=datetime.now(UTC))
    wordings = scope.of(principal, asked, now=datetime.now(UTC))
    found = find(
        vault, search.ranked(wordings), words=question.text, meaning=question.meaning, policy=policy
    )
    ms = (time.perf_counter() - begun) * 1000
    answered = any(_passes(hit, found, policy) for hit in found.hits)
    return [hit.memory_id for hit in found.hits], answered, ms


def _passes(hit: Hit, found: Candidates, policy: RecallPolicy) -> bool:
    why = gate.passes(
        cosine=hit.cosine,
        bm25=hit.bm25,
        shares=hit.shares,
        rare=found.rare,
        searched=hit.searched,
        terms=found.terms,
        policy=policy,
        calibrated=found.calibrated,
    )
    return bool(why)
