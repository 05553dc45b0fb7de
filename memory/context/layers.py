"""Recall over layers: working memory → long-term memory → knowledge, each apart and marked.

Long-term memory alone is the rule. Knowledge is asked if it is named, or if an agent that did not say
where to look finds nothing remembered. Each layer keeps its own order; nothing is ranked across them.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action, ActorKind
from accounts.principal import Principal
from memory import access
from memory.choices import Layer, RecallStatus
from memory.errors import InvalidInput
from memory.index.asked import sharing
from memory.knowledge.documents import has_any
from memory.knowledge.search import search
from memory.knowledge.values import FoundPassage, KnowledgeAnswer, KnowledgeQuery
from memory.policy import KNOWLEDGE
from memory.providers.tokens import count_tokens
from memory.recall.budget import cut
from memory.recall.pipeline import MAX_QUERY, check, recall
from memory.recall.question import understand
from memory.recall.values import RecallAnswer, RecallQuery
from memory.sessions import OpenedMessage
from memory.sessions.search import find_turns


@dataclass(frozen=True, slots=True, kw_only=True)
class LayeredAnswer:
    """What each layer answered. ``memories`` and ``knowledge`` are None where nobody looked."""

    layers: Sequence[Layer]
    working: Sequence[OpenedMessage]
    memories: RecallAnswer | None
    knowledge: KnowledgeAnswer | None

    @property
    def status(self) -> RecallStatus:
        """The answer of all layers together."""
        if self.degraded:
            return RecallStatus.DEGRADED
        found = self.working or (self.memories and self.memories.items) or self.passages
        return RecallStatus.FOUND if found else RecallStatus.NOTHING_RELEVANT

    @property
    def passages(self) -> Sequence[FoundPassage]:
        """The passages found."""
        return self.knowledge.passages if self.knowledge else ()

    @property
    def degraded(self) -> Sequence[str]:
        """What could not be searched, in whichever layer."""
        parts = [one.degraded for one in (self.memories, self.knowledge) if one]
        return sorted({part for found in parts for part in found})


def recall_layers(
    principal: Principal, query: RecallQuery, layers: Set[Layer] = frozenset()
) -> LayeredAnswer:
    """Return what the layers hold about ``query``; none named: long-term memory, else knowledge.

    ``top_k`` holds for each layer, ``max_tokens`` for all of them together, in their order.

    Raises:
        Forbidden: without a grant to read, or for a person's key that names knowledge.
        NotFound: for another person's or agent's session.
        InvalidInput: for an unknown policy, filter or limit, or the working layer without a session.
    """
    policy = check(principal, query)
    access.require(principal, Action.READ)
    wanted = set(layers or {Layer.LONG_TERM})
    left = query.max_tokens or policy.max_tokens
    working: Sequence[OpenedMessage] = ()
    memories = knowledge = None
    if query.session_id is not None:
        with acting(principal):
            access.access_session(principal, query.session_id)
    if Layer.WORKING in wanted:
        working = _working(principal, query, top_k=query.top_k or policy.top_k, left=left)
        left -= sum(count_tokens(turn.text) for turn in working)
    with sharing():
        if Layer.LONG_TERM in wanted and left > 0:
            memories = recall(principal, replace(query, max_tokens=left))
            left -= sum(item.tokens for item in memories.items)
        if not layers and policy.candidates and _knows_nothing(principal, memories):
            wanted.add(Layer.KNOWLEDGE)
        if Layer.KNOWLEDGE in wanted and left > 0:
            knowledge = _knowledge(principal, query, left=left)
    return LayeredAnswer(
        layers=[layer for layer in Layer if layer in wanted],
        working=working,
        memories=memories,
        knowledge=knowledge,
    )


def _working(
    principal: Principal, query: RecallQuery, *, top_k: int, left: int
) -> Sequence[OpenedMessage]:
    if query.session_id is None:
        raise InvalidInput("Name the session whose turns are meant: session.")
    found = find_turns(principal, query.session_id, query.text)
    taken, _ = cut(found, top_k=top_k, max_tokens=left, tokens=lambda turn: count_tokens(turn.text))
    return taken


def _knows_nothing(principal: Principal, memories: RecallAnswer | None) -> bool:
    """Whether an agent's question found no memory and there are documents that may answer it."""
    if principal.kind != ActorKind.AGENT or memories is None:
        return False
    return memories.status == RecallStatus.NOTHING_RELEVANT and has_any(principal)


def _knowledge(principal: Principal, query: RecallQuery, *, left: int) -> KnowledgeAnswer:
    question = understand(query, now=timezone.now().astimezone(principal.zone))
    most = min(query.top_k or KNOWLEDGE.top_k, KNOWLEDGE.max_top_k)
    return search(
        principal, KnowledgeQuery(text=question.text[:MAX_QUERY], top_k=most, max_tokens=left)
    )
