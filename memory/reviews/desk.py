"""What lies before the person: what waits, with the words it rests on, and what was decided today."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import GONE, ReviewState
from memory.errors import NotFound, StaleState
from memory.models import Evidence, ReviewItem
from memory.policy import LOOK
from memory.recall.history import Quote, open_quotes
from memory.reviews.listing import OpenReview, kinds_open, list_open, require_person
from memory.vault import open_vault

SHOWN = 50  # decisions
DECIDED = (ReviewState.KEPT, ReviewState.EDITED, ReviewState.REJECTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What waits longest; how many of each kind wait; the quotes behind it; what was decided today."""

    waiting: Sequence[OpenReview]
    kinds: Mapping[str, int]
    quotes: Mapping[uuid.UUID, Sequence[Quote]]
    decided: Sequence[OpenReview]


def desk(principal: Principal, *, kind: str = "") -> Desk:
    """Return what waits for the person, of one kind if given, and what they decided a moment ago.

    Raises:
        Forbidden: for anybody but the person.
    """
    require_person(principal)
    with acting(principal):
        waiting = list_open(principal, limit=LOOK.page, kind=kind)
        ids = [one.opened.memory.id for one in waiting]
        found: dict[uuid.UUID, list[Quote]] = {id_: [] for id_ in ids}
        rows = Evidence.objects.filter(memory_id__in=ids)
        for quote in open_quotes(open_vault(principal), rows):
            found[quote.evidence.memory_id].append(quote)
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=len(waiting), reason="reviews"
        )
        kinds = kinds_open(principal)
        return Desk(waiting=waiting, kinds=kinds, quotes=found, decided=_decided(principal))


def _decided(principal: Principal) -> list[OpenReview]:
    """Return what was decided today, or can still be taken back, the newest first."""
    now = timezone.now()
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    items = list(
        ReviewItem.objects.filter(
            Q(undo_until__gt=now) | Q(decided_at__gte=today),
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            state__in=DECIDED,
        )
        .exclude(memory__state__in=GONE)
        .select_related("memory")
        .order_by("-decided_at")[:SHOWN]
    )
    opened = access.open_current(open_vault(principal), [item.memory for item in items])
    by_id = {one.memory.id: one for one in opened}
    return [
        OpenReview(item=item, opened=by_id[item.memory_id], current=None)
        for item in items
        if item.memory_id in by_id
    ]


def waiting_one(principal: Principal, review_id: uuid.UUID) -> OpenReview:
    """Return one open question.

    Raises:
        Forbidden, NotFound: not the person; not theirs, or erased.
        StaleState: if it was decided already.
    """
    require_person(principal)
    with acting(principal):
        item = (
            ReviewItem.objects.filter(
                tenant_id=principal.tenant_id, subject_id=principal.person_id, id=review_id
            )
            .exclude(memory__state__in=GONE)
            .select_related("memory")
            .first()
        )
        if item is None:
            raise NotFound
        if item.state != ReviewState.OPEN:
            raise StaleState("You decided this already.")
        opened = access.open_current(open_vault(principal), [item.memory])
        return OpenReview(item=item, opened=opened[0], current=None)
