"""The person's own search: everything that is kept, in use or not, by words and meaning.

Unlike a recall it hands nothing to an agent, so it is no use of a memory and leaves no recall.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.errors import InvalidInput
from memory.index.search import Hit, ranked
from memory.index.store import TERM_KEY
from memory.index.terms import digests, terms
from memory.models import Version
from memory.policy import LOOKUP
from memory.recall import gate
from memory.recall.candidates import Candidates, find
from memory.recall.selecting import Selection
from memory.vault import SubjectVault, open_vault

MAX_QUERY = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All that matches, best first, and the first of it opened. ``degraded`` names what could not be
    searched."""

    ids: Sequence[uuid.UUID]
    items: list[access.OpenedMemory]
    degraded: Sequence[str]


def lookup(principal: Principal, *, text: str, selection: Selection, limit: int) -> Found:
    """Return those of the selected memories that match ``text``, best first; ``limit`` of them opened.

    A memory matches by meaning, or when it has every word asked for.

    Raises:
        Forbidden: without a grant to read.
        InvalidInput: for a question that is empty or too long.
    """
    if not text.strip() or len(text) > MAX_QUERY:
        raise InvalidInput(f"The question must be 1 to {MAX_QUERY} characters.")
    access.require(principal, Action.READ)
    with acting(principal):
        vault = open_vault(principal)
        memories = selection.of(access.memories_visible_to(principal))
        scope = Version.objects.current().filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id, memory__in=memories
        )
        found = find(vault, ranked(scope), words=text, meaning=text, policy=LOOKUP)
        passed = [hit.memory_id for hit in _matching(vault, found, text)]
        first = passed[:limit]
        rows = {row.id: row for row in memories.filter(id__in=first)}
        items = access.open_current(vault, [rows[id_] for id_ in first if id_ in rows])
        audit.record(principal, AuditCode.MEMORY_LISTED, result_count=len(items), reason="search")
        return Found(ids=passed, items=items, degraded=found.degraded)


def _matching(vault: SubjectVault, found: Candidates, text: str) -> list[Hit]:
    asked = set(digests(terms(text), vault.derived(TERM_KEY)))
    return [hit for hit in found.hits if _matches(hit, found, asked)]


def _matches(hit: Hit, found: Candidates, asked: set[int]) -> bool:
    if asked and asked <= set(hit.shares):
        return True
    return bool(
        gate.passes(
            cosine=hit.cosine,
            bm25=hit.bm25,
            shares=hit.shares,
            rare=found.rare,
            searched=hit.searched,
            terms=found.terms,
            policy=LOOKUP,
            calibrated=found.calibrated,
        )
    )
