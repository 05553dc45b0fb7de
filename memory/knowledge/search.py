"""Searching documents: retrieve → relevance gate → open → (rerank) → budget. Relevance alone ranks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.choices import RecallStatus
from memory.errors import InvalidInput
from memory.index.sought import Sought
from memory.index.store import TERM_KEY
from memory.knowledge import opening
from memory.knowledge.candidates import Candidate, candidates
from memory.knowledge.rights import require_reader
from memory.knowledge.values import FoundPassage, KnowledgeAnswer, KnowledgeQuery
from memory.models import Document, Passage, PassageVector
from memory.policy import KNOWLEDGE, RECALL
from memory.providers.tokens import count_tokens
from memory.recall import gate, rerank
from memory.recall.budget import cut
from memory.recall.pipeline import MAX_QUERY
from memory.recall.score import relevance
from memory.vault import TenantVault, open_tenant_vault

POLICY = RECALL["default"]


def search(principal: Principal, query: KnowledgeQuery) -> KnowledgeAnswer:
    """Return the passages about ``query``, each with its citation, best first.

    Raises:
        Forbidden: for a person's key.
        InvalidInput: for an empty or too long question, or a limit out of range.
    """
    require_reader(principal)
    _check(query)
    with acting(principal, patience=POLICY.patience):
        vault = open_tenant_vault(principal)
        vectors = PassageVector.objects.filter(tenant_id=vault.tenant_id)
        key = vault.derived(TERM_KEY)
        sought = Sought.of(key, vectors, words=query.text, meaning=query.text)
        hits = candidates(
            principal.tenant_id,
            documents=query.documents,
            vectors=sought.asked.vectors,
            model=sought.asked.model,
            scale=sought.asked.scale,
            digests=sought.digests,
            policy=POLICY,
        )
        degraded = sought.degraded(hits)
        passed = [(hit, why) for hit in hits if (why := _why(sought, hit))]
        found, undone = _reranked(query.text, _opened(vault, passed))
        degraded = [*degraded, *undone]
        taken, over = cut(
            found,
            top_k=query.top_k or KNOWLEDGE.top_k,
            max_tokens=query.max_tokens or KNOWLEDGE.max_tokens,
            tokens=lambda one: count_tokens(one.text),
        )
        held = Counter(why for _, why in over)
        held["below_gate"] = len(hits) - len(passed)
        status = _status(taken, degraded)
        audit.record(
            principal,
            AuditCode.KNOWLEDGE_SEARCHED,
            object_kind="knowledge",
            decision=status,
            result_count=len(taken),
        )
    return KnowledgeAnswer(
        status=status,
        passages=taken,
        degraded=degraded,
        held_back={name: count for name, count in held.items() if count},
    )


def _check(query: KnowledgeQuery) -> None:
    if not query.text.strip() or len(query.text) > MAX_QUERY:
        raise InvalidInput(f"query must be 1 to {MAX_QUERY} characters.")
    if query.top_k is not None and not 1 <= query.top_k <= KNOWLEDGE.max_top_k:
        raise InvalidInput(f"top_k must be 1 to {KNOWLEDGE.max_top_k}.")


def _why(sought: Sought, hit: Candidate) -> tuple[str, ...]:
    """Return what lets a candidate through the gate; empty: nothing does."""
    return gate.passes(
        cosine=hit.cosine,
        bm25=hit.bm25,
        shares=hit.shares,
        rare=sought.rare,
        searched=hit.searched,
        terms=len(sought.digests),
        policy=POLICY,
        calibrated=sought.asked.calibrated,
    )


def _opened(
    vault: TenantVault, passed: Sequence[tuple[Candidate, tuple[str, ...]]]
) -> list[FoundPassage]:
    """Open what passed: two queries whatever their number."""
    rows = Passage.objects.filter(
        tenant_id=vault.tenant_id, id__in=[hit.passage_id for hit, _ in passed]
    ).in_bulk()
    documents = (
        Document.objects.defer("original")
        .filter(tenant_id=vault.tenant_id, id__in={row.document_id for row in rows.values()})
        .in_bulk()
    )
    vault.load(documents)
    titles = {id_: opening.open_document(vault, one).title for id_, one in documents.items()}
    found = []
    for hit, why in passed:
        row = rows[hit.passage_id]
        found.append(
            FoundPassage(
                id=row.id,
                document_id=row.document_id,
                title=titles[row.document_id],
                section=opening.open_section(vault, row),
                page=row.page,
                start=row.start,
                end=row.end,
                revision=documents[row.document_id].revision,
                text=opening.open_text(vault, row),
                relevance=relevance(cosine=hit.cosine, words=hit.words, policy=POLICY),
                cosine=hit.cosine,
                bm25=hit.bm25,
                why=why,
            )
        )
    return found


def _reranked(
    question: str, found: Sequence[FoundPassage]
) -> tuple[list[FoundPassage], Sequence[str]]:
    """Return the passages after reranking, best first, and what could not be done."""
    nears = [one.relevance for one in found]
    nears, undone = rerank.dealt(question, [one.text for one in found], nears)
    again = [replace(one, relevance=near) for one, near in zip(found, nears, strict=True)]
    return sorted(again, key=lambda one: (-one.relevance, str(one.id))), undone


def _status(taken: Sequence[FoundPassage], degraded: Sequence[str]) -> RecallStatus:
    if degraded:
        return RecallStatus.DEGRADED
    return RecallStatus.FOUND if taken else RecallStatus.NOTHING_RELEVANT
