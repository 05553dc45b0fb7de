"""Correcting a memory: a new version is used, the old wording stays in the person's history."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Kind, Origin, Reason, Role, Sensitivity, State, Subtype, Trust
from memory.errors import Forbidden, InvalidInput, SaidAlready, StaleState, StaleVersion
from memory.models import Memory, Version
from memory.vault import open_vault
from memory.write import allow, store
from memory.write.admit import admit
from memory.write.answered import meaning_of
from memory.write.attributes import CATALOGUE
from memory.write.candidate import Candidate, Turn
from memory.write.case import open_case
from memory.write.classify import classify
from memory.write.conflict import Clash
from memory.write.pipeline import challenge, lock_subject
from memory.write.procedures import steps_in
from memory.write.proposal import Draft, Proposal, Source
from memory.write.rules import extract

CORRECTABLE = (State.ACTIVE, State.PENDING, State.PAUSED, State.DISPUTED, State.ARCHIVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """The memory as it now is, and what waits for the person if the correction may not rule."""

    opened: access.OpenedMemory
    waiting: Memory | None


def correct(
    principal: Principal,
    memory_id: uuid.UUID,
    *,
    text: str,
    if_version: int,
    source: Source | None = None,
    quote: Mapping[str, Any] | None = None,
) -> Corrected:
    """Give a memory a new wording, if ``if_version`` is still its current version.

    Lower trust never overwrites higher: what the person said is corrected by the person, or by an
    agent that quotes them (``source``, ``quote``); an agent's own idea waits for the person.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
        StaleVersion: if somebody changed it meanwhile.
        SaidAlready, StaleState: another memory has this wording; it was forgotten meanwhile.
        InvalidInput: if nothing storable is left of the text.
    """
    with acting(principal):
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT)
        _check(memory)
        vault = open_vault(principal)
        before = access.open_current(vault, [memory])[0]
    draft = _draft(principal, before, text, source, quote or {})
    if refusal := allow.refusal(principal, draft):
        raise Forbidden(f"{refusal.label}.")
    meaning = meaning_of(principal, draft)
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT, lock=True)
        if memory.version != if_version:
            raise StaleVersion(f"Version {memory.version} is current; read it and try again.")
        old = Version.objects.current().get(memory=memory)
        case = open_case(principal, vault, draft, meaning)
        _refuse_double(memory, case.marks.wording)
        lower = Reason.LOWER_TRUST if draft.trust < memory.trust else None
        if waits := lower or allow.waits(principal, draft):
            clash = Clash(current=memory, version=old, reason=waits)
            waiting = challenge(case, clash).memory
            return Corrected(opened=access.open_current(vault, [memory])[0], waiting=waiting)
        store.supersede(case, memory, old, reason=Reason.CORRECTED)
        _trust(memory, draft)
        _note(principal, memory, if_version)
        return Corrected(opened=access.open_current(vault, [memory])[0], waiting=None)


def restore(principal: Principal, former: Version) -> Version:
    """Give a memory a wording back that it had, with the trust it had then; returns the new version.

    For the service's own use: call it inside a transaction of the subject.
    """
    memory, vault = former.memory, open_vault(principal)
    before = access.open_versions(vault, [memory], [former])[0]
    source = Source(origin=Origin(former.origin), said_at=former.recorded_at)
    draft = _draft(principal, before, before.text, source, {})
    proposal = replace(draft.proposal, valid_to=_ended(former))
    draft = replace(draft, trust=Trust(former.trust), proposal=proposal)
    lock_subject(principal)
    old = Version.objects.current().get(memory=memory)
    case = open_case(principal, vault, draft, meaning_of(principal, draft))
    made = store.supersede(case, memory, old, reason=Reason.CORRECTED)
    _trust(memory, draft)
    _note(principal, memory, made.number - 1)
    return made


def _ended(former: Version) -> datetime | None:
    """Return until when a wording holds that is in force again: not what its successor put an end to."""
    successor = Version.objects.filter(memory=former.memory, number=former.number + 1).first()
    closed = successor is not None and successor.valid_from == former.valid_to
    return None if closed else former.valid_to


def _trust(memory: Memory, draft: Draft) -> None:
    """A correction replaces what was believed, so its own trust holds, not the higher of the two."""
    memory.trust, memory.origin = draft.trust, draft.proposal.source.origin
    memory.save(update_fields=["trust", "origin"])


def _note(principal: Principal, memory: Memory, before: int) -> None:
    audit.record(
        principal,
        AuditCode.MEMORY_CORRECTED,
        object_kind="memory",
        object_id=memory.id,
        version_before=before,
        version_after=memory.version,
        fields=["text"],
        sensitivity=memory.sensitivity,
    )


def _check(memory: Memory) -> None:
    if memory.state not in CORRECTABLE:
        raise StaleState(f"A memory that is {memory.state} cannot be corrected.")


def _refuse_double(memory: Memory, wording: int) -> None:
    twins = Memory.objects.filter(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        wording=wording,
        occurred=memory.occurred,
        state__in=(State.ACTIVE, State.PENDING),
    )
    if twins.exclude(id=memory.id).exists():
        raise SaidAlready("Another memory already says exactly this; forget one of the two.")


def _draft(
    principal: Principal,
    before: access.OpenedMemory,
    text: str,
    source: Source | None,
    quote: Mapping[str, Any],
) -> Draft:
    """Return the new wording graded; everything else stays as it was."""
    memory, details = before.memory, before.details
    origin = Origin.PERSON if principal.is_person else Origin.AGENT
    now = timezone.now()
    proposal = Proposal(
        **quote,
        text=text,
        source=source or Source(origin=origin, said_at=now),
        value=_value(text, before, now),
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
        # A mistake was never true: the new wording holds from where the old one did.
        valid_from=before.version.valid_from,
        valid_to=before.version.valid_to,
        steps=steps_in(text) if memory.kind == Kind.PROCEDURAL else tuple(details.get("steps", ())),
        outcome=details.get("outcome", ""),
        cause=details.get("cause", ""),
        tags=tuple(details.get("tags", ())),
        metadata=details.get("metadata", {}),
    )
    draft = classify(proposal, by_hand=principal.is_person)
    if reason := admit(draft):
        raise InvalidInput(f"This text cannot be kept: {reason.label.lower()}.")
    return draft


def _value(text: str, before: access.OpenedMemory, now: datetime) -> str:
    """Return the value the new wording gives the memory's attribute.

    The rules read those of the catalogue; an attribute of the agent's own keeps its value.
    """
    attribute = before.memory.attribute
    if attribute not in CATALOGUE:
        return str(before.details.get("value", ""))
    found = extract(Turn(role=Role.USER, text=text, at=now), at=now)
    values = (
        one.value for one in found if isinstance(one, Candidate) and one.attribute == attribute
    )
    return next((value for value in values if value), "")
