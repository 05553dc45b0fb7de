"""The profile: what must be known whatever is asked.

No model finds "peanut allergy" for "suggest a breakfast": inference is not retrieval. So safety
facts, lasting instructions, form of address, language, home and time zone come along in a list of
their own, within their own budget and the same grants. No filter and no look into the past hides them.
"""

import uuid
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.principal import Principal
from memory.models import Memory
from memory.policy import RecallPolicy
from memory.recall.budget import cut
from memory.recall.rows import Row
from memory.recall.values import RecalledItem


def candidates(principal: Principal, now: datetime, number: int) -> QuerySet[Memory, Any]:
    """Return the ids of the ``number`` memories among which the profile is chosen, safety facts first."""
    standing = Memory.objects.visible_to(principal).in_use(now).filter(in_profile=True)
    standing = standing.order_by("-pinned", "-importance", "created_at", "id")
    return standing.values("id")[:number]


def among(
    rows: Iterable[Row], *, policy: RecallPolicy, leave_out: AbstractSet[uuid.UUID]
) -> list[RecalledItem]:
    """Return the profile among ``rows``, safety facts first, without those already listed."""
    standing = [
        RecalledItem(
            opened=row.opened,
            score=None,
            why=("profile",),
            evidence=row.events,
            contested=row.contested,
        )
        for row in rows
        if row.opened.memory.in_profile
        and row.opened.version.superseded_at is None
        and row.opened.memory.id not in leave_out
    ]
    taken, _ = cut(
        sorted(standing, key=lambda item: _order(item.opened.memory)),
        top_k=policy.profile_items,
        max_tokens=policy.profile_tokens,
        tokens=lambda item: item.tokens,
    )
    return taken


def _order(memory: Memory) -> tuple[bool, float, object, str]:
    return not memory.pinned, -memory.importance, memory.created_at, str(memory.id)
