"""The questions that wait for the person."""

import uuid
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import ConflictState, ReviewState
from memory.errors import Forbidden, Gone
from memory.models import Conflict, ReviewItem
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenReview:
    """One question with the memory it is about and, if two disagree, the one in force."""

    item: ReviewItem
    opened: access.OpenedMemory
    current: access.OpenedMemory | None


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
    )


def _opened(principal: Principal, items: list[ReviewItem]) -> list[OpenReview]:
    vault = open_vault(principal)
    rivals = {
        one.challenger_id: one.current
        for one in Conflict.objects.filter(
            challenger_id__in=[item.memory_id for item in items], state=ConflictState.OPEN
        ).select_related("current")
    }
    memories = [item.memory for item in items]
    opened = {one.memory.id: one for one in access.open_current(vault, memories)}
    current = {one.memory.id: one for one in access.open_current(vault, rivals.values())}
    return [
        OpenReview(
            item=item,
            opened=opened[item.memory_id],
            current=current.get(rivals[item.memory_id].id) if item.memory_id in rivals else None,
        )
        for item in items
        if item.memory_id in opened
    ]
