"""What waited and the person believes: a challenger becomes the next version of what it challenged,
and what it makes untrue has ended."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils import timezone

from accounts.principal import Principal
from memory import access
from memory.choices import Origin, Reason, Role, Trust
from memory.models import Evidence, Memory, Version
from memory.vault import Place, SubjectVault, open_vault
from memory.write import store
from memory.write.answered import meaning_of
from memory.write.case import Case, open_case
from memory.write.classify import classify
from memory.write.proposal import Proposal, Source, from_memory, told
from memory.write.stale import Settled, settle


def take_over(principal: Principal, current: Memory, challenger: Memory) -> Sequence[Settled]:
    """Give ``current`` the challenger's wording as its next version, confirmed by the person.

    It holds from when it was said; from now on, if the current value was said later. Returns what
    else ended with the current value. Call it inside ``acting(principal.unlimited())``; what becomes
    of the challenger is the caller's business.
    """
    case = _case(principal, challenger)
    old = Version.objects.current().get(memory=current)
    was = access.open_versions(case.vault, [current], [old])[0].text
    if old.valid_from is not None and old.valid_from > told(case.draft):
        proposal = replace(case.draft.proposal, valid_from=timezone.now())
        case = replace(case, draft=replace(case.draft, proposal=proposal))
    store.supersede(case, current, old, reason=Reason.NEW_VALUE)
    return settle(case, current, old=was)


def come_into_force(principal: Principal, memory: Memory) -> Sequence[Settled]:
    """End what a memory that waited makes untrue, now that the person has confirmed it.

    Returns what was ended. Call it inside ``acting(principal.unlimited())``.
    """
    return settle(_case(principal, memory), memory)


def _case(principal: Principal, memory: Memory) -> Case:
    """Return what a memory says as the person's confirmed word."""
    vault = open_vault(principal)
    opened = access.open_current(vault, [memory])[0]
    draft = replace(classify(_proposal(opened, _quote(vault, memory))), trust=Trust.CONFIRMED)
    return open_case(principal, vault, draft, meaning_of(principal, draft))


def _quote(vault: SubjectVault, memory: Memory) -> tuple[Evidence, str] | None:
    evidence = Evidence.objects.filter(memory=memory).order_by("-created_at").first()
    if evidence is None:
        return None
    place = Place(object_id=memory.id, field=f"quote {evidence.id}")
    return evidence, vault.unseal(place, evidence.quote)


def _proposal(opened: access.OpenedMemory, quote: tuple[Evidence, str] | None) -> Proposal:
    memory = opened.memory
    evidence, text = quote or (None, "")
    source = Source(
        origin=Origin(memory.origin),
        said_at=memory.last_confirmed_at,
        role=Role(evidence.role) if evidence and evidence.role else None,
        event_id=evidence.event_id if evidence else None,
        session_id=memory.session_id,
    )
    return replace(
        from_memory(opened, source),
        occurred=None,
        valid_from=opened.version.valid_from,
        valid_to=None,  # it is what holds from then on
        quote=text,
        quote_start=evidence.start if evidence else 0,
        quote_end=evidence.end if evidence else 0,
    )
