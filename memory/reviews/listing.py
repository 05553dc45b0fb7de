"""The questions that wait for the person."""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import ConflictState, ReviewKind, ReviewState, State
from memory.errors import Forbidden, Gone
from memory.models import Conflict, Derivation, Memory, ReviewItem
from memory.vault import SubjectVault, open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenReview:
    """One question with the memory it is about and, if two disagree, the one in force.

    ``parts`` are the fragments that the memory would replace.
    """

    item: ReviewItem
    opened: access.OpenedMemory
    current: access.OpenedMemory | None
    parts: Sequence[access.OpenedMemory] = ()


def require_person(principal: Principal) -> None:
    """Refuse anybody but the person.

    Raises:
        Forbidden: for an agent, whatever its grant.
    """
    if not principal.is_person:
        raise Forbidden("Only the person decides what waits for them.")


def standing(principal: Principal, review_id: uuid.UUID) -> ReviewItem:
    """Return one question as it stands.

    Raises:
        Forbidden: for an agent.
        Gone: if its memory was erased.
    """
    require_person(principal)
    with acting(principal):
        item = ReviewItem.objects.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id, id=review_id
        ).first()
    if item is None:
        raise Gone
    return item


def list_open(principal: Principal, *, limit: int = 100) -> list[OpenReview]:
    """Return what waits now, oldest first, without what was put off until later."""
    require_person(principal)
    with acting(principal):
        items = _waiting(principal).select_related("memory").order_by("created_at")
        return _opened(principal, list(items[:limit]))


def count_open(principal: Principal) -> int:
    """Return how many questions wait now, without what was put off until later."""
    require_person(principal)
    with acting(principal):
        return _waiting(principal).count()


def _waiting(principal: Principal) -> QuerySet[ReviewItem]:
    awake = Q(snoozed_until__isnull=True) | Q(snoozed_until__lte=timezone.now())
    return ReviewItem.objects.filter(
        awake,
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        state=ReviewState.OPEN,
    ).exclude(memory__state=State.FORGOTTEN)


def _opened(principal: Principal, items: list[ReviewItem]) -> list[OpenReview]:
    vault = open_vault(principal)
    rivals = {
        one.challenger_id: one.current
        for one in Conflict.objects.filter(
            challenger_id__in=[item.memory_id for item in items], state=ConflictState.OPEN
        ).select_related("current")
    }
    memories = [item.memory for item in items]
    for late in (one for one in memories if one.state == State.PENDING and one.id not in rivals):
        if holder := Memory.objects.rivals_of(late).first():  # it came while the other waited
            rivals[late.id] = holder
    opened = {one.memory.id: one for one in access.open_current(vault, memories)}
    current = {one.memory.id: one for one in access.open_current(vault, rivals.values())}
    parts = _parts(vault, items)
    return [
        OpenReview(
            item=item,
            opened=opened[item.memory_id],
            current=current.get(rivals[item.memory_id].id) if item.memory_id in rivals else None,
            parts=parts.get(item.memory_id, ()),
        )
        for item in items
        if item.memory_id in opened
    ]


def _parts(
    vault: SubjectVault, items: Sequence[ReviewItem]
) -> Mapping[uuid.UUID, list[access.OpenedMemory]]:
    """Return the fragments of each proposed merge, oldest first."""
    merges = [item.memory_id for item in items if item.kind == ReviewKind.MERGE]
    if not merges:
        return {}
    pairs = Derivation.objects.filter(memory_id__in=merges).values_list("memory_id", "parent_id")
    rows = Memory.objects.filter(id__in=[parent for _, parent in pairs])
    opened = access.open_current(vault, rows.order_by("created_at", "id"))
    found: dict[uuid.UUID, list[access.OpenedMemory]] = defaultdict(list)
    for one in opened:
        for merged in (child for child, parent in pairs if parent == one.memory.id):
            found[merged].append(one)
    return found
