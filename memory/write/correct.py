"""Correcting a memory: a new version is used, the old wording stays in the person's history."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Origin, Reason, State, Trust
from memory.errors import Forbidden, NotFound, SaidAlready, StaleState, StaleVersion
from memory.lifecycle import lock_subject
from memory.models import Memory, Version
from memory.vault import open_vault
from memory.write import allow, store
from memory.write.answered import meaning_of
from memory.write.case import Case, open_case
from memory.write.conflict import Clash
from memory.write.pipeline import challenge, suppressed
from memory.write.proposal import Draft, Source
from memory.write.reworded import reworded
from memory.write.stale import settle

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
    draft = reworded(principal, before, text, source, quote or {})
    if refusal := allow.refusal(principal, draft):
        raise Forbidden(f"{refusal.label}.")
    meaning = meaning_of(principal, draft)
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT, lock=True)
        if memory.version != if_version:
            raise StaleVersion(f"Version {memory.version} is current; read it and try again.")
        if refusal := suppressed(vault, draft):
            raise Forbidden(f"{refusal.label}.")
        old = Version.objects.current().get(memory=memory)
        case = open_case(principal, vault, draft, meaning)
        case = _apart(case, memory)
        lower = Reason.LOWER_TRUST if draft.trust < memory.trust else None
        if waits := lower or allow.waits(principal, draft):
            clash = Clash(current=memory, version=old, reason=waits)
            waiting = challenge(case, clash).memory
            return Corrected(opened=access.open_current(vault, [memory])[0], waiting=waiting)
        store.supersede(case, memory, old, reason=Reason.CORRECTED)
        _trust(memory, draft)
        _note(principal, memory, if_version)
        if memory.state == State.ACTIVE:  # what is not in force puts an end to nothing
            settle(case, memory, old=before.text, mistaken=True)
        return Corrected(opened=access.open_current(vault, [memory])[0], waiting=None)


def bring_back(
    principal: Principal, memory_id: uuid.UUID, number: int, *, if_version: int
) -> Corrected:
    """Give a memory the words of one of its earlier wordings, as a new version, by the person's hand.

    Raises:
        Forbidden: for anybody but the person: old wordings are theirs.
        NotFound: as for any access, and for a wording it never had.
        Gone, StaleVersion, SaidAlready, StaleState, InvalidInput: as for correcting.
    """
    if not principal.is_person:
        raise Forbidden("Only the person brings an old wording back.")
    with acting(principal):
        memory = access.access_memory(principal, memory_id, action=Action.CORRECT)
        former = Version.objects.filter(memory=memory, number=number).first()
        if former is None:
            raise NotFound
        text = access.open_versions(open_vault(principal), [memory], [former])[0].text
    return correct(principal, memory_id, text=text, if_version=if_version)


def restore(principal: Principal, former: Version) -> Version:
    """Give a memory a wording back that it had, with the trust it had then; returns the new version.

    For the service's own use: call it inside a transaction of the subject.
    """
    memory, vault = former.memory, open_vault(principal)
    before = access.open_versions(vault, [memory], [former])[0]
    source = Source(origin=Origin(former.origin), said_at=former.recorded_at)
    draft = reworded(principal, before, before.text, source, {})
    proposal = replace(draft.proposal, valid_to=ended(former))
    draft = replace(draft, trust=Trust(former.trust), proposal=proposal)
    lock_subject(principal)
    old = Version.objects.current().get(memory=memory)
    case = open_case(principal, vault, draft, meaning_of(principal, draft))
    made = store.supersede(case, memory, old, reason=Reason.CORRECTED)
    _trust(memory, draft)
    _note(principal, memory, made.number - 1)
    return made


def ended(former: Version) -> datetime | None:
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


def _apart(case: Case, memory: Memory) -> Case:
    """Return the case of a wording that no other memory has.

    One that the corrector may not see keeps the wording's digest to itself, and nothing is said of it.

    Raises:
        SaidAlready: if another memory that the corrector may see has it.
    """
    said = Memory.objects.said(case.principal, case.marks.wording)
    twins = said.filter(occurred=memory.occurred).exclude(id=memory.id)
    if twins.visible_to(case.principal).exists():
        raise SaidAlready("Another memory already says exactly this; forget one of the two.")
    return replace(case, marks=replace(case.marks, wording=None)) if twins.exists() else case
