"""Storing what was decided: memory, version, evidence, indexes, decision and audit together."""

import json
import uuid
from datetime import datetime

from django.utils import timezone

from accounts import audit
from accounts.choices import AuditCode
from accounts.inserting import insert
from accounts.principal import Principal
from accounts.requests import current_request_id
from memory import measuring, queue
from memory.choices import JobKind, Kind, Outcome, Reason, ReviewKind, State
from memory.index import store as index
from memory.models import Decision, Memory, ReviewItem, Version
from memory.policy import LIFETIME, WRITE
from memory.text.when import is_relative
from memory.vault import Place
from memory.write.case import Case, metadata_of, tags_of
from memory.write.evidence import add_evidence, only_said
from memory.write.proposal import Decided, Draft, told


def create(case: Case, *, waits: Reason | None, number: int = 1) -> Memory:
    """Store a new memory with its first version; with ``waits`` it is pending and asks the person.

    ``number``: the version that this is, where those before it are stored beside.
    """
    principal, vault, draft, own = case.principal, case.vault, case.draft, case.marks
    proposal, now = draft.proposal, timezone.now()
    lifetime = LIFETIME.get(draft.subtype)
    memory = Memory(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        kind=draft.kind,
        subtype=draft.subtype,
        attribute=proposal.attribute,
        single=draft.single,
        slot=own.slot,
        wording=own.wording,
        value=own.value,
        tags=tags_of(vault, proposal.tags),
        metadata=metadata_of(vault, proposal.metadata),
        state=State.PENDING if waits else State.ACTIVE,
        version=number,
        sensitivity=draft.sensitivity,
        pinned=draft.pinned,
        in_profile=draft.in_profile,
        visibility=proposal.visibility,
        origin=proposal.source.origin,
        trust=draft.trust,
        confidence=draft.confidence,
        importance=draft.importance,
        agent_id=principal.agent_id,
        session_id=proposal.source.session_id,
        occurred=_occurred(draft),
        last_confirmed_at=proposal.source.said_at,
        expires_at=None if lifetime is None else now + lifetime,
    )
    insert([memory, vault.new_key(memory.id)])
    add_version(case, memory, reason=draft.ground)
    if waits:
        ask(memory, kind=ReviewKind.SENSITIVE if waits == Reason.SENSITIVE else ReviewKind.NEW)
    return memory


def _occurred(draft: Draft) -> datetime | None:
    return draft.proposal.occurred if draft.kind == Kind.EPISODIC else None


def add_version(case: Case, memory: Memory, *, reason: Reason) -> Version:
    """Store one wording as the current version ``memory.version``, with evidence and index rows."""
    principal, vault, draft = case.principal, case.vault, case.draft
    proposal, number = draft.proposal, memory.version
    details = {
        "value": proposal.value,
        "about": proposal.about,
        "condition": proposal.condition,
        "steps": list(proposal.steps),
        "outcome": proposal.outcome,
        "cause": proposal.cause,
        "tags": list(proposal.tags),
        "metadata": dict(proposal.metadata),
        "day": _day(draft),
    }
    filled = json.dumps({k: v for k, v in details.items() if v}, ensure_ascii=False)
    version = Version.objects.create(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        memory=memory,
        number=number,
        text=vault.seal(Place(object_id=memory.id, number=number), draft.text),
        details=vault.seal(Place(object_id=memory.id, number=number, field="details"), filled),
        language=draft.language,
        reason=reason,
        author_kind=principal.kind,
        author_id=principal.actor_id,
        origin=proposal.source.origin,
        trust=draft.trust,
        valid_from=_begins(draft),
        valid_to=proposal.valid_to,
    )
    add_evidence(vault, memory, draft)
    index.add(vault, version, indexed_text(draft), case.meaning)
    if case.meaning is None:
        queue.add_job(
            kind=JobKind.EMBED,
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            target_id=memory.id,
            agent_id=None,
        )
    return version


def _day(draft: Draft) -> str:
    """Return the day that words like "yesterday" mean, where the person was when they said them."""
    when = draft.proposal.occurred
    relative = draft.kind == Kind.EPISODIC and when is not None and is_relative(draft.text)
    return f"{when:%Y-%m-%d}" if relative else ""


def _begins(draft: Draft) -> datetime | None:
    """From when the wording holds: as stated; else a fact from when it was said, but not past its end."""
    proposal = draft.proposal
    if draft.kind != Kind.SEMANTIC:
        return proposal.valid_from
    begins = told(draft)
    return begins if proposal.valid_to is None else min(begins, proposal.valid_to)


def indexed_text(draft: Draft) -> str:
    """Return what the indexes are built from: contact details as placeholders at their level."""
    return draft.index_text


def reinforce(case: Case, memory: Memory) -> None:
    """Raise a memory that was said again. The person's own words lift one that only waited."""
    draft = case.draft
    said = draft.proposal.source.said_at
    memory.importance = min(memory.importance + WRITE.reinforcement, 1.0)
    memory.last_confirmed_at = max(memory.last_confirmed_at, said)
    memory.updated_at = timezone.now()
    if draft.trust > memory.trust:
        memory.trust, memory.origin = draft.trust, draft.proposal.source.origin
    memory.save(
        update_fields=[
            "importance", "last_confirmed_at", "updated_at", "trust", "origin",
        ]
    )  # fmt: skip
    add_evidence(case.vault, memory, draft)


def supersede(case: Case, memory: Memory, old: Version, *, reason: Reason) -> Version:
    """Close the current wording and store the new one as the next version of the same memory."""
    draft, own = case.draft, case.marks
    now = timezone.now()
    Version.objects.filter(id=old.id).update(superseded_at=now, **_closed(old, told(draft)))
    index.retire(old)
    memory.version += 1
    memory.wording, memory.value = own.wording, own.value
    _refit(case, memory)
    memory.sensitivity = max(memory.sensitivity, draft.sensitivity)
    memory.trust = max(memory.trust, draft.trust)
    memory.index_state = "pending"
    memory.last_confirmed_at = max(memory.last_confirmed_at, draft.proposal.source.said_at)
    memory.updated_at = now
    memory.save(
        update_fields=[
            "version", "wording", "value", "sensitivity", "trust", "index_state",
            "last_confirmed_at", "updated_at", "subtype", "attribute", "single", "pinned",
            "in_profile",
        ]
    )  # fmt: skip
    return add_version(case, memory, reason=reason)


def _refit(case: Case, memory: Memory) -> None:
    """Let a memory be of the sort its new wording is: what was liked may be disliked from now on."""
    draft = case.draft
    if draft.proposal.attribute == memory.attribute or draft.kind != Kind.SEMANTIC:
        return
    memory.subtype, memory.attribute = draft.subtype, draft.proposal.attribute
    memory.single, memory.pinned = draft.single, draft.pinned
    memory.in_profile = draft.in_profile


def _closed(old: Version, at: datetime) -> dict[str, datetime | None]:
    """Return from when until when a wording held that gave way at a moment.

    One that was only said after that moment held before it, since nobody knows when, or since the one
    before it gave way.
    """
    begun = old.valid_from
    if begun is None or begun <= at:
        return {"valid_from": begun, "valid_to": at}
    if not only_said(old):
        return {"valid_from": begun, "valid_to": begun}
    return {"valid_from": None if old.number == 1 else at, "valid_to": at}


def end(case: Case, memory: Memory, version: Version) -> Decided:
    """Close the time in which a wording holds: something said now has put an end to it."""
    Version.objects.filter(id=version.id).update(**_closed(version, told(case.draft)))
    memory.updated_at = timezone.now()
    memory.save(update_fields=["updated_at"])
    return record(
        case.principal,
        outcome=Outcome.SUPERSEDED,
        reasons=(Reason.CONFLICT,),
        draft=None,
        memory=memory,
        event_id=case.draft.proposal.source.event_id,
    )


def ask(memory: Memory, *, kind: ReviewKind) -> None:
    """Put a question about the memory before the person."""
    ReviewItem.objects.create(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        memory=memory,
        kind=kind,
        lapses_at=timezone.now() + WRITE.review_lapse,
    )


def record(
    principal: Principal,
    *,
    outcome: Outcome,
    reasons: tuple[Reason, ...],
    draft: Draft | None,
    memory: Memory | None,
    event_id: uuid.UUID | None,
    quote: tuple[int, int] = (0, 0),
) -> Decided:
    """Write the decision and its audit line; both without a word of the candidate."""
    row = Decision(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        outcome=outcome,
        reasons=list(reasons),
        kind=draft.kind if draft else "",
        subtype=draft.subtype if draft else "",
        sensitivity=draft.sensitivity if draft else None,
        importance=draft.importance if draft else None,
        memory_id=memory.id if memory else None,
        event_id=event_id,
        agent_id=principal.agent_id,
        request_id=current_request_id(),
    )
    measuring.decided(outcome, reasons[0] if reasons else "")
    line = audit.line(
        principal,
        AuditCode.MEMORY_DECIDED,
        object_kind="memory" if memory else "decision",
        object_id=memory.id if memory else row.id,
        version_after=memory.version if memory else None,
        sensitivity=draft.sensitivity if draft else None,
        decision=outcome,
        reason=reasons[0] if reasons else "",
    )
    insert([row, line])
    return Decided(
        id=row.id,
        outcome=outcome,
        reasons=reasons,
        memory=memory,
        event_id=event_id,
        quote_start=quote[0],
        quote_end=quote[1],
    )
