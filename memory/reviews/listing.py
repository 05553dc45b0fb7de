"""The questions that wait for the person."""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
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


def list_open(principal: Principal, *, limit: int = 100, kind: str = "") -> list[OpenReview]:
    """Return what waits now, oldest first, without what was put off until later; of one kind, if given."""
    require_person(principal)
    with acting(principal):
        items = _waiting(principal).prefetch_related("memory").order_by("created_at")
        return _opened(principal, list((items.filter(kind=kind) if kind else items)[:limit]))


def kinds_open(principal: Principal) -> Mapping[str, int]:
    """Return how many questions of each kind wait now, without what was put off until later.

    Call it where the person's rows are open.
    """
    counted = _waiting(principal).order_by().values_list("kind").annotate(number=Count("id"))
    return dict(counted)


def count_open(principal: Principal) -> int:
    """Return how many questions wait now, without what was put off until later."""
    require_person(principal)
    with acting(principal):
        return _waiting(principal).count()


def _waiting(principal: Principal) -> QuerySet[ReviewItem]:
    """Without a join: where the tables have no statistics yet, a thousand took seconds on every page."""
    mine: dict[str, Any] = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    awake = Q(snoozed_until__isnull=True) | Q(snoozed_until__lte=timezone.now())
    forgotten = Memory.objects.filter(**mine, state=State.FORGOTTEN).values("id")
    waiting = ReviewItem.objects.filter(awake, **mine, state=ReviewState.OPEN)
    return waiting.exclude(memory_id__in=forgotten)


def _opened(principal: Principal, items: list[ReviewItem]) -> list[OpenReview]:
    vault = open_vault(principal)
    rivals = {
        one.challenger_id: one.current
        for one in Conflict.objects.filter(
            challenger_id__in=[item.memory_id for item in items], state=ConflictState.OPEN
        ).select_related("current")
    }
    memories = [item.memory for item in items]
    rivals = _holders([one for one in memories if one.state == State.PENDING]) | rivals
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


def _holders(waiting: Sequence[Memory]) -> dict[uuid.UUID, Memory]:
    """Return what holds, by now, the one value of a slot that something waiting has too."""
    single = [one for one in waiting if one.single]
    if not single:
        return {}
    mine: dict[str, Any] = {"tenant_id": single[0].tenant_id, "subject_id": single[0].subject_id}
    names = {one.attribute for one in single}
    held = Memory.objects.filter(**mine, attribute__in=names).current_values()
    by_slot = {(one.attribute, one.slot): one for one in held}
    slots = {one.id: (one.attribute, one.slot) for one in single}
    return {id_: by_slot[slot] for id_, slot in slots.items() if slot in by_slot}


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
