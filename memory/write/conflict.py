"""A single-valued attribute has one current value, and nothing holds beside its opposite, or what took its place.

Supersede what was, ask, or leave it alone.

Event time decides, then trust. What arrives late but was said earlier never retires what is newer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory import access
from memory.choices import Reason
from memory.models import Memory, Version
from memory.text.changed import states_change
from memory.write.beside import opposite
from memory.write.case import Case
from memory.write.evidence import only_said
from memory.write.exchanged import exchanged
from memory.write.proposal import Draft, told


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """The current holder of the slot and what is to become of the newcomer. ``others`` say the same as it."""

    current: Memory
    version: Version
    reason: Reason
    others: Sequence[access.OpenedMemory] = ()


def find_clash(case: Case) -> Clash | None:
    """Return what this draft disagrees with: its attribute's value, its opposite, or what it took the place of.

    ``reason`` is NEW_VALUE (it replaces), OLDER_VALUE (it was true before), LOWER_TRUST (ask) or CONFLICT
    (it replaces one of several things, and does not say which).
    """
    if held := _holder(case) or opposite(case):
        current, version = held
        return Clash(
            current=current, version=version, reason=_verdict(case.draft, current, version)
        )
    if (found := exchanged(case)) is None:
        return None
    current, version = found.current.memory, found.current.version
    reason = _verdict(case.draft, current, version)
    if reason == Reason.NEW_VALUE and not found.plain:
        return Clash(current=current, version=version, reason=Reason.CONFLICT)
    others = [
        one
        for one in found.others
        if _verdict(case.draft, one.memory, one.version) == Reason.NEW_VALUE
    ]
    return Clash(current=current, version=version, reason=reason, others=others)


def _holder(case: Case) -> tuple[Memory, Version] | None:
    draft, principal = case.draft, case.principal
    if not draft.single:
        return None
    current = (
        Memory.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
        .current_value(draft.proposal.attribute, case.marks.slot)
        .first()
    )
    return None if current is None else (current, Version.objects.current().get(memory=current))


def _verdict(draft: Draft, current: Memory, version: Version) -> Reason:
    ended = draft.proposal.valid_to
    if ended is not None and ended <= draft.proposal.source.said_at:
        return Reason.OLDER_VALUE  # told now, but long over
    earlier = told(draft) < (version.valid_from or version.recorded_at)
    if earlier and not _changed_before(draft, current, version):
        return Reason.OLDER_VALUE
    return Reason.LOWER_TRUST if draft.trust < current.trust else Reason.NEW_VALUE


def _changed_before(draft: Draft, current: Memory, version: Version) -> bool:
    """Whether it tells, after the other was said last, of a change from before that: "I moved last week".

    What it tells holds now. The other is known to have held before, and nobody said since when.
    """
    later = draft.proposal.source.said_at > current.last_confirmed_at
    return later and only_said(version) and states_change(draft.text)


def until(draft: Draft, clash: Clash) -> datetime:
    """Return when what was true before gave way to what is known of the time after it."""
    if draft.proposal.valid_to is not None:
        return draft.proposal.valid_to
    later = Version.objects.filter(memory=clash.current, valid_from__gt=told(draft))
    first = later.order_by("valid_from").first()
    begun = first.valid_from if first else clash.version.recorded_at
    return max(begun, told(draft)) if begun else told(draft)
