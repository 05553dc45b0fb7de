"""One memory with everything that is known about it, for the person it is about."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import ConflictState, ReviewState, SuppressionBasis
from memory.models import Conflict, Decision, Event, Memory, ReviewItem, Suppression
from memory.recall.history import Quote, Wording, open_sources, quotes, wordings
from memory.recall.links import Linked, visible_links
from memory.recall.listing import open_memory
from memory.recall.uses import Uses, uses_of
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A memory, its wordings (newest first), its sources, how it was decided, its uses and its links.

    ``answers`` are what the person decided about it, ``question`` is what waits for them.
    ``sources_here`` are the source messages that are still kept, ``unlearnt`` whether none of them is
    learnt from any more; ``rivals`` disagree with it;
    ``sources`` are the memories it was worked out from.
    """

    opened: access.OpenedMemory
    wordings: Sequence[Wording]
    quotes: Sequence[Quote]
    sources_here: frozenset[uuid.UUID]
    unlearnt: bool
    decisions: Sequence[Decision]
    answers: Sequence[ReviewItem]
    uses: Uses
    rivals: Sequence[access.OpenedMemory]
    sources: Sequence[access.OpenedMemory]
    links: Sequence[tuple[Linked, access.OpenedMemory]]
    question: ReviewItem | None


def whole(principal: Principal, memory_id: uuid.UUID) -> Whole:
    """Return one memory with its past and its uses.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal):
        opened = open_memory(principal, memory_id)
        said = quotes(principal, memory_id)
        mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
        cited = {quote.evidence.event_id for quote in said if quote.evidence.event_id}
        here = dict(Event.objects.filter(**mine, id__in=cited).values_list("id", "digest"))
        asked = list(ReviewItem.objects.filter(**mine, memory_id=memory_id))
        return Whole(
            opened=opened,
            wordings=wordings(principal, memory_id),
            quotes=said,
            sources_here=frozenset(here),
            unlearnt=_unlearnt(principal, set(here.values())),
            decisions=list(
                Decision.objects.filter(**mine, memory_id=memory_id).order_by("created_at")
            ),
            answers=[one for one in asked if one.decided_at is not None],
            uses=uses_of(principal, memory_id),
            rivals=_rivals(principal, opened.memory),
            sources=open_sources(principal, opened.memory),
            links=_links(principal, memory_id),
            question=next((one for one in asked if one.state == ReviewState.OPEN), None),
        )


def _unlearnt(principal: Principal, digests: set[int]) -> bool:
    """Return whether the person refused to have any of these messages learnt from."""
    kept = Suppression.objects.in_force(principal.tenant_id, principal.person_id)
    refused = kept.filter(basis=SuppressionBasis.EVENT, digest__in=digests)
    return bool(digests) and digests <= set(refused.values_list("digest", flat=True))


def _links(principal: Principal, memory_id: uuid.UUID) -> list[tuple[Linked, access.OpenedMemory]]:
    """Return its links, each with the memory at the other end."""
    found = visible_links(principal, memory_id)
    if not found:
        return []
    rows = access.memories_visible_to(principal).filter(id__in={one.memory_id for one in found})
    opened = {one.memory.id: one for one in access.open_current(open_vault(principal), rows)}
    return [(one, opened[one.memory_id]) for one in found if one.memory_id in opened]


def _rivals(principal: Principal, memory: Memory) -> list[access.OpenedMemory]:
    """Return the memories that disagree with this one and are still there."""
    pairs = Conflict.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, state=ConflictState.OPEN
    )
    ids = set(pairs.filter(current=memory).values_list("challenger_id", flat=True))
    ids |= set(pairs.filter(challenger=memory).values_list("current_id", flat=True))
    if not ids:
        return []
    rows = access.memories_visible_to(principal).filter(id__in=ids)
    return access.open_current(open_vault(principal), rows)
