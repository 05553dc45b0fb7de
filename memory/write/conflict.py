"""A single-valued attribute has one current value: supersede it, ask, or leave it alone.

Event time decides, then trust. What arrives late but was said earlier never retires what is newer.
"""

from dataclasses import dataclass
from datetime import datetime

from memory.choices import Reason
from memory.models import Memory, Version
from memory.write.case import Case
from memory.write.proposal import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """The current holder of the slot and what is to become of the newcomer."""

    current: Memory
    version: Version
    reason: Reason


def find_clash(case: Case) -> Clash | None:
    """Return the current value this draft disagrees with, if its attribute holds one value.

    ``reason`` is NEW_VALUE (it replaces), OLDER_VALUE (it was true before) or LOWER_TRUST (ask).
    """
    draft, principal = case.draft, case.principal
    if not draft.single:
        return None
    current = (
        Memory.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
        .current_value(draft.proposal.attribute, case.marks.slot)
        .first()
    )
    if current is None:
        return None
    version = Version.objects.current().get(memory=current)
    return Clash(current=current, version=version, reason=_verdict(draft, current, version))


def _verdict(draft: Draft, current: Memory, version: Version) -> Reason:
    if draft.trust < current.trust:
        return Reason.LOWER_TRUST
    ended = draft.proposal.valid_to
    if ended is not None and ended <= draft.proposal.source.said_at:
        return Reason.OLDER_VALUE  # told now, but long over
    if told(draft) < (version.valid_from or version.recorded_at):
        return Reason.OLDER_VALUE
    return Reason.NEW_VALUE


def told(draft: Draft) -> datetime:
    """Return from when the draft holds: its stated start, else when it was said."""
    return draft.proposal.valid_from or draft.proposal.source.said_at
