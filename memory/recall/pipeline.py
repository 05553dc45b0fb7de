"""Recall, step by step: scope → candidates → relevance gate → score → resolve → budget."""

from dataclasses import replace
from datetime import datetime

from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action
from accounts.principal import Principal
from memory import access
from memory.choices import RecallStatus, Subtype
from memory.errors import InvalidInput
from memory.index.search import Hit
from memory.models import Version
from memory.policy import RECALL, RecallPolicy
from memory.providers.tokens import count_tokens
from memory.recall import gate, log, scope
from memory.recall.budget import cut
from memory.recall.candidates import Candidates, find
from memory.recall.profile import profile_of
from memory.recall.score import recency, relevance, score
from memory.recall.values import RecallAnswer, RecalledItem, RecallQuery
from memory.vault import SubjectVault, open_vault

MAX_QUERY = 8000


def recall(principal: Principal, query: RecallQuery) -> RecallAnswer:
    """Return the memories about ``query`` that ``principal`` may see, and why each is there.

    Raises:
        Forbidden: without a grant to read, or while the person has switched memory off.
        InvalidInput: for an unknown policy, filter or limit.
    """
    policy = check(query)
    access.require(principal, Action.READ)
    now = timezone.now()
    with acting(principal):
        vault = open_vault(principal)
        wordings = scope.of(principal, query, now=now)
        # No filter of the question hides a safety fact.
        known = scope.of(principal, replace(query, filters=None), now=now)
        found = find(vault, wordings, query=query.text, policy=policy)
        passed, below = _through_gate(found, policy)
        items = _scored(vault, principal, passed, policy=policy, now=now)
        taken, held = cut(
            items,
            top_k=query.top_k or policy.top_k,
            max_tokens=query.max_tokens or policy.max_tokens,
            tokens=_tokens,
        )
        listed = {item.opened.memory.id for item in taken}
        profile = profile_of(vault, known, policy=policy, leave_out=listed)
        return log.answer(
            principal,
            query,
            items=taken,
            profile=profile if query.include_profile else [],
            degraded=found.degraded,
            status=_status(taken, found),
            held_back={
                name: count for name, count in (held | {"below_gate": below}).items() if count
            },
        )


def check(query: RecallQuery) -> RecallPolicy:
    """Return the named policy of a well-formed query.

    Raises:
        InvalidInput: says which field is wrong.
    """
    policy = RECALL.get(query.policy)
    if policy is None:
        raise InvalidInput(f"policy must be one of {', '.join(RECALL)}.")
    if not query.text.strip() or len(query.text) > MAX_QUERY:
        raise InvalidInput(f"query must be 1 to {MAX_QUERY} characters.")
    if query.top_k is not None and not 1 <= query.top_k <= policy.max_top_k:
        raise InvalidInput(f"top_k must be 1 to {policy.max_top_k}.")
    return policy


def _through_gate(
    found: Candidates, policy: RecallPolicy
) -> tuple[list[tuple[Hit, tuple[str, ...]]], int]:
    passed = []
    for hit in found.hits:
        why = gate.passes(
            cosine=hit.cosine,
            bm25=hit.bm25,
            shares=hit.shares,
            rare=found.rare,
            searched=hit.searched,
            policy=policy,
            calibrated=found.calibrated,
        )
        if why:
            passed.append((hit, why))
    return passed, len(found.hits) - len(passed)


def _scored(
    vault: SubjectVault,
    principal: Principal,
    passed: list[tuple[Hit, tuple[str, ...]]],
    *,
    policy: RecallPolicy,
    now: datetime,
) -> list[RecalledItem]:
    """Open what passed and return it best first, one wording of each memory."""
    by_version = {hit.version_id: (hit, why) for hit, why in passed}
    versions = Version.objects.filter(id__in=by_version)
    memories = access.memories_visible_to(principal).filter(
        id__in=[hit.memory_id for hit, _ in passed]
    )
    best: dict[object, RecalledItem] = {}
    for opened in access.open_versions(vault, memories, versions):
        hit, why = by_version[opened.version.id]
        item = _item(opened, hit, why, policy=policy, now=now)
        other = best.get(opened.memory.id)
        if other is None or item.score.total > other.score.total:  # type: ignore[union-attr]  # set by _item
            best[opened.memory.id] = item
    return sorted(best.values(), key=_order)


def _item(
    opened: access.OpenedMemory,
    hit: Hit,
    why: tuple[str, ...],
    *,
    policy: RecallPolicy,
    now: datetime,
) -> RecalledItem:
    memory = opened.memory
    since = max(memory.occurred or memory.last_confirmed_at, memory.last_confirmed_at)
    parts = score(
        relevance=relevance(cosine=hit.cosine, bm25=hit.bm25, policy=policy),
        recency=recency(
            subtype=Subtype(memory.subtype), pinned=memory.pinned, since=since, now=now
        ),
        importance=memory.importance,
        confidence=memory.confidence,
        policy=policy,
    )
    return RecalledItem(opened=opened, score=parts, why=why, cosine=hit.cosine, bm25=hit.bm25)


def _order(item: RecalledItem) -> tuple[float, str]:
    assert item.score is not None
    return (-item.score.total, str(item.opened.memory.id))


def _tokens(item: RecalledItem) -> int:
    return count_tokens(item.opened.text)


def _status(taken: list[RecalledItem], found: Candidates) -> RecallStatus:
    if found.degraded:
        return RecallStatus.DEGRADED
    return RecallStatus.FOUND if taken else RecallStatus.NOTHING_RELEVANT
