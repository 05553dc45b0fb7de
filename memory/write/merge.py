"""A challenger the person believes becomes the next version of the memory it challenged."""

from dataclasses import replace
from datetime import datetime

from accounts.principal import Principal
from memory import access
from memory.choices import Origin, Reason, Role, Trust
from memory.models import Evidence, Memory, Version
from memory.vault import Place, SubjectVault, open_vault
from memory.write import store
from memory.write.answered import meaning_of
from memory.write.case import open_case
from memory.write.classify import classify
from memory.write.proposal import Proposal, Source, from_memory


def take_over(principal: Principal, current: Memory, challenger: Memory) -> Memory:
    """Give ``current`` the challenger's wording as its next version, confirmed by the person.

    Call it inside ``acting(principal.unlimited())``; what becomes of the challenger is the
    caller's business.
    """
    vault = open_vault(principal)
    opened = access.open_current(vault, [challenger])[0]
    draft = replace(classify(_proposal(opened, _quote(vault, challenger))), trust=Trust.CONFIRMED)
    meaning = meaning_of(principal, draft)
    old = Version.objects.current().get(memory=current)
    store.supersede(
        open_case(principal, vault, draft, meaning), current, old, reason=Reason.NEW_VALUE
    )
    return current


def _quote(vault: SubjectVault, memory: Memory) -> tuple[Evidence, str] | None:
    evidence = Evidence.objects.filter(memory=memory).order_by("-created_at").first()
    if evidence is None:
        return None
    place = Place(object_id=memory.id, field=f"quote {evidence.id}")
    return evidence, vault.unseal(place, evidence.quote)


def _proposal(opened: access.OpenedMemory, quote: tuple[Evidence, str] | None) -> Proposal:
    memory = opened.memory
    evidence, text = quote or (None, "")
    said: datetime = opened.version.valid_from or memory.created_at
    source = Source(
        origin=Origin(memory.origin),
        said_at=said,
        role=Role(evidence.role) if evidence and evidence.role else None,
        event_id=evidence.event_id if evidence else None,
        session_id=memory.session_id,
    )
    return replace(
        from_memory(opened, source),
        occurred=None,  # it begins when it was said, and is open: it is what holds from then on
        valid_from=None,
        valid_to=None,
        quote=text,
        quote_start=evidence.start if evidence else 0,
        quote_end=evidence.end if evidence else 0,
    )
