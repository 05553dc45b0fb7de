"""The profile: what must be known whatever is asked.

No model finds "peanut allergy" for "suggest a breakfast": inference is not retrieval. So safety
facts, lasting instructions, form of address, language, home and time zone come along in a list of
their own, within their own budget and the same grants.
"""

import uuid
from collections.abc import Set as AbstractSet
from datetime import datetime

from accounts.principal import Principal
from memory import access
from memory.models import Memory
from memory.policy import RecallPolicy
from memory.providers.tokens import count_tokens
from memory.recall.budget import cut
from memory.recall.values import RecalledItem
from memory.vault import SubjectVault


def profile_of(
    vault: SubjectVault,
    principal: Principal,
    *,
    policy: RecallPolicy,
    now: datetime,
    leave_out: AbstractSet[uuid.UUID],
) -> list[RecalledItem]:
    """Return the profile's memories, safety facts first, without those already listed."""
    rows = Memory.objects.visible_to(principal).in_use(now).filter(in_profile=True)
    rows = rows.exclude(id__in=leave_out).order_by("-pinned", "-importance", "created_at", "id")
    opened = access.open_current(vault, rows[: policy.profile_items * 2])
    valid = [one for one in opened if one.version.valid_to is None or one.version.valid_to > now]
    taken, _ = cut(
        [RecalledItem(opened=one, score=None, why=("profile",)) for one in valid],
        top_k=policy.profile_items,
        max_tokens=policy.profile_tokens,
        tokens=lambda item: count_tokens(item.opened.text),
    )
    return taken
