"""The profile: what must be known whatever is asked.

No model finds "peanut allergy" for "suggest a breakfast": inference is not retrieval. So safety
facts, lasting instructions, form of address, language, home and time zone come along in a list of
their own, within their own budget and the same grants.
"""

import uuid
from collections.abc import Set as AbstractSet

from memory import access
from memory.models.version import VersionQuerySet
from memory.policy import RecallPolicy
from memory.providers.tokens import count_tokens
from memory.recall.budget import cut
from memory.recall.values import RecalledItem
from memory.vault import SubjectVault


def profile_of(
    vault: SubjectVault,
    wordings: VersionQuerySet,
    *,
    policy: RecallPolicy,
    leave_out: AbstractSet[uuid.UUID],
) -> list[RecalledItem]:
    """Return the profile among ``wordings``, safety facts first, without those already listed."""
    rows = wordings.filter(memory__in_profile=True).exclude(memory_id__in=leave_out)
    rows = rows.select_related("memory").order_by(
        "-memory__pinned", "-memory__importance", "memory__created_at", "memory_id", "-number"
    )[: policy.profile_items * 2]
    latest = {version.memory_id: version for version in reversed(rows)}
    ordered = [version for version in rows if latest[version.memory_id] is version]
    valid = access.open_versions(vault, [one.memory for one in ordered], ordered)
    taken, _ = cut(
        [RecalledItem(opened=one, score=None, why=("profile",)) for one in valid],
        top_k=policy.profile_items,
        max_tokens=policy.profile_tokens,
        tokens=lambda item: count_tokens(item.opened.text),
    )
    return taken
