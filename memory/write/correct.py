"""Correcting a memory: a new version is used, the old wording stays in the person's history."""

import uuid
from dataclasses import replace

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Kind, Origin, Reason, Sensitivity, State, Subtype, Trust
from memory.errors import Forbidden, InvalidInput, StaleState, StaleVersion
from memory.index.store import embed_passage
from memory.models import Memory, Version
from memory.vault import open_vault
from memory.write import store
from memory.write.admit import admit
from memory.write.case import open_case
from memory.write.classify import classify
from memory.write.pipeline import lock_subject
from memory.write.proposal import Draft, Proposal, Source

CORRECTABLE = (State.ACTIVE, State.PENDING, State.PAUSED, State.DISPUTED, State.ARCHIVED)


def correct(
    principal: Principal, memory_id: uuid.UUID, *, text: str, if_version: int
) -> access.OpenedMemory:
    """Give a memory a new wording, if ``if_version`` is still its current version.

    An agent acts by its grant to correct; what the person confirmed, only the person corrects.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
        StaleVersion: if somebody changed it meanwhile.
        InvalidInput: if nothing storable is left of the text.
    """
    with acting(principal):
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT)
        _check(principal, memory)
        vault = open_vault(principal)
        before = access.open_current(vault, [memory])[0]
    draft = _draft(principal, before, text)
    vector = embed_passage(store.indexed_text(draft))
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT, lock=True)
        if memory.version != if_version:
            raise StaleVersion(f"Version {memory.version} is current; read it and try again.")
        old = Version.objects.current().get(memory=memory)
        case = open_case(principal, vault, draft, vector)
        _refuse_double(memory, case.marks.wording)
        store.supersede(case, memory, old, reason=Reason.CORRECTED)
        # A correction replaces what was believed, so its own trust holds, not the higher of the two.
        Memory.objects.filter(id=memory.id).update(
            trust=draft.trust, origin=draft.proposal.source.origin
        )
        memory.trust, memory.origin = draft.trust, draft.proposal.source.origin
        audit.record(
            principal,
            AuditCode.MEMORY_CORRECTED,
            object_kind="memory",
            object_id=memory.id,
            version_before=if_version,
            version_after=memory.version,
            fields=["text"],
            sensitivity=memory.sensitivity,
        )
        return access.open_current(vault, [memory])[0]


def _check(principal: Principal, memory: Memory) -> None:
    if memory.state not in CORRECTABLE:
        raise StaleState(f"A memory that is {memory.state} cannot be corrected.")
    if not principal.is_person and memory.trust >= Trust.CONFIRMED:
        raise Forbidden("The person confirmed this memory; only they can correct it.")


def _refuse_double(memory: Memory, wording: int) -> None:
    twins = Memory.objects.filter(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        wording=wording,
        occurred=memory.occurred,
        state__in=(State.ACTIVE, State.PENDING),
    )
    if twins.exclude(id=memory.id).exists():
        raise StaleState("Another memory already says exactly this; forget one of the two.")


def _draft(principal: Principal, before: access.OpenedMemory, text: str) -> Draft:
    """Return the new wording graded; everything else stays as it was."""
    memory, details = before.memory, before.details
    origin = Origin.PERSON if principal.is_person else Origin.AGENT
    proposal = Proposal(
        text=text,
        source=Source(origin=origin, said_at=timezone.now()),
        kind=Kind(memory.kind),
        subtype=Subtype(memory.subtype),
        attribute=memory.attribute,
        about=details.get("about", ""),
        condition=details.get("condition", ""),
        confidence=memory.confidence,
        importance=memory.importance,
        sensitivity=Sensitivity(memory.sensitivity),
        occurred=memory.occurred,
        pinned=memory.pinned,
        tags=tuple(details.get("tags", ())),
        metadata=details.get("metadata", {}),
    )
    draft = classify(proposal, by_hand=principal.is_person)
    if reason := admit(draft):
        raise InvalidInput(f"This text cannot be kept: {reason.label.lower()}.")
    # A correction of a mistake was never true otherwise: the new wording holds from where the old did.
    begins = before.version.valid_from
    return replace(draft, proposal=replace(proposal, valid_from=begins))
