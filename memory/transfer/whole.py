"""A memory put back as it was: from the person's own export, which this service signed."""

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.principal import Principal
from memory import access, queue
from memory.choices import (
    IndexState,
    JobKind,
    Kind,
    Origin,
    Outcome,
    Reason,
    ReviewKind,
    ReviewState,
    Sensitivity,
    State,
    Subtype,
    Visibility,
)
from memory.index import store as index
from memory.models import (
    Conflict,
    Decision,
    Derivation,
    Event,
    Evidence,
    Memory,
    MemoryLink,
    ReviewItem,
    Session,
    Version,
)
from memory.models.base import PersonalRow
from memory.policy import PUT_AWAY
from memory.transfer.export import CONFLICT, EVIDENCE, LINK, REVIEW, VERSION
from memory.transfer.held import DECISION
from memory.vault import Place, SubjectVault
from memory.write import store
from memory.write.case import marks, metadata_of, tags_of
from memory.write.links import EITHER_WAY
from memory.write.proposal import Draft, Proposal, Source, from_details
from memory.write.redact import redact, safe

# What stands in the file just as it stands in the row.
AS_IT_WAS = (
    "kind", "subtype", "attribute", "single", "pinned", "in_profile", "visibility", "origin",
    "trust", "confidence", "importance", "agent_id", "project", "version", "recall_count",
)  # fmt: skip
TIMES = (
    "occurred", "created_at", "updated_at", "last_confirmed_at", "last_recalled_at", "expires_at",
)  # fmt: skip
TIME_COLUMNS = frozenset(
    {
        "said_at", "created_at", "valid_from", "valid_to", "recorded_at", "superseded_at",
        "lapses_at", "decided_at", "resolved_at",
    }
)  # fmt: skip
# States that an import leaves as they were; what waited or was in doubt asks the person anew.
KEPT = (State.ACTIVE, State.PAUSED, State.ARCHIVED)


def proposal_of(item: Mapping[str, Any], text: str) -> Proposal:
    """Return what an item of an export says now, as a proposal of where it came from then."""
    last = item["versions"][-1]
    said_at = time(item["last_confirmed_at"])
    assert said_at is not None
    return Proposal(
        text=text,
        source=Source(origin=Origin(item["origin"]), said_at=said_at),
        kind=Kind(item["kind"]),
        subtype=Subtype(item["subtype"]),
        attribute=item["attribute"],
        confidence=item["confidence"],
        importance=item["importance"],
        sensitivity=Sensitivity(item["sensitivity"]),
        occurred=time(item["occurred"]),
        valid_from=time(last["valid_from"]),
        valid_to=time(last["valid_to"]),
        pinned=item["pinned"],
        circle=(item["agent_id"] or "") if item["visibility"] == Visibility.AGENT else "",
        **from_details(last["details"]),
    )


def time(value: str | None) -> datetime | None:
    """Return a time of an export."""
    return datetime.fromisoformat(value) if value else None


def new_id(import_id: uuid.UUID, old_id: str) -> uuid.UUID:
    """Return the id under which a memory comes in: the same whenever this import is gone on with."""
    return uuid.uuid5(import_id, old_id)


def put_back(
    principal: Principal,
    vault: SubjectVault,
    draft: Draft,
    item: Mapping[str, Any],
    memory_id: uuid.UUID,
) -> Memory:
    """Store the memory with every wording, quote and decision. Call it under the subject's lock."""
    state = State(item["state"])
    own = marks(vault, draft)
    memory = Memory.objects.create(
        id=memory_id,
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        state=state if state in KEPT else State.PENDING,
        sensitivity=draft.sensitivity,
        slot=own.slot,
        wording=own.wording,
        value=own.value,
        tags=tags_of(vault, draft.proposal.tags),
        metadata=metadata_of(vault, draft.proposal.metadata),
        session_id=_there(Session, principal, item["session_id"]),
        index_state=IndexState.PENDING,
        erase_at=_erase_at(item),
        **{name: item[name] for name in AS_IT_WAS},
        **{name: time(item[name]) for name in TIMES},
    )
    for one in item["versions"]:
        _version(vault, memory, one)
    _quotes(principal, vault, memory, item["evidence"])
    _decisions(principal, memory, item["decisions"])
    _questions(memory, item["reviews"])
    queue.job_for(
        kind=JobKind.EMBED,
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        target_id=memory.subject_id,
        agent_id=None,
    )
    return memory


def _there(model: type[PersonalRow], principal: Principal, id_: str | None) -> uuid.UUID | None:
    """Return an id if the person has such a row here: what is not put back may still be."""
    if id_ is None:
        return None
    found = uuid.UUID(id_)
    mine = model._default_manager.filter(subject_id=principal.person_id, id=found)
    return found if mine.exists() and not access.is_erased(principal, found) else None


def _erase_at(item: Mapping[str, Any]) -> datetime | None:
    """Return when what has faded is erased: as it was, or a whole while from now if that is over."""
    at, now = time(item["erase_at"]), timezone.now()
    if at is None or item["state"] != State.ARCHIVED:
        return None
    return at if at > now else now + PUT_AWAY[Subtype(item["subtype"])]


def _columns(item: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return columns of a row; what an older file does not have is as in a new row."""
    there = (name for name in names if name in item)
    return {name: time(item[name]) if name in TIME_COLUMNS else item[name] for name in there}


def _version(vault: SubjectVault, memory: Memory, item: Mapping[str, Any]) -> None:
    redacted, number = redact(item["text"]), item["number"]
    details = json.dumps(item["details"], ensure_ascii=False)
    version = Version.objects.create(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        memory=memory,
        text=vault.seal(Place(object_id=memory.id, number=number), redacted.text),
        details=vault.seal(Place(object_id=memory.id, number=number, field="details"), details),
        **_columns(item, VERSION),
    )
    index.add(vault, version, redacted.index_text, None)
    if version.superseded_at is not None:
        index.retire(version)


def _quotes(
    principal: Principal, vault: SubjectVault, memory: Memory, items: Sequence[Mapping[str, Any]]
) -> None:
    for one in items:
        quote = safe(one["quote"])
        named = {"end": len(quote), **_columns(one, EVIDENCE)}
        row = Evidence(
            tenant_id=memory.tenant_id, subject_id=memory.subject_id, memory=memory, **named
        )
        row.event_id = _there(Event, principal, one["event_id"])
        row.quote = vault.seal(Place(object_id=memory.id, field=f"quote {row.id}"), quote)
        row.save(force_insert=True)


def _decisions(principal: Principal, memory: Memory, items: Sequence[Mapping[str, Any]]) -> None:
    Decision.objects.bulk_create(
        Decision(
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            memory_id=memory.id,
            **_columns(one, DECISION[1:]),
        )
        for one in items
    )
    store.record(
        principal,
        outcome=Outcome.ACCEPTED,
        reasons=(Reason.RESTORED,),
        draft=None,
        memory=memory,
        event_id=None,
    )


def _questions(memory: Memory, items: Sequence[Mapping[str, Any]]) -> None:
    """Put back what was answered about it; what waited, or was in doubt, asks anew."""
    ReviewItem.objects.bulk_create(
        ReviewItem(
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            memory=memory,
            **_columns(one, REVIEW[1:]),
        )
        for one in items
        if one["state"] != ReviewState.OPEN
    )
    waits = [one["kind"] for one in items if one["state"] == ReviewState.OPEN]
    if waits or memory.state == State.PENDING:
        store.ask(memory, kind=ReviewKind(waits[0]) if waits else ReviewKind.NEW)


def tie(principal: Principal, import_id: uuid.UUID, items: Sequence[Mapping[str, Any]]) -> None:
    """Put back what led from one memory of the file to another, where both came in."""
    mine = Memory.objects.filter(subject_id=principal.person_id)
    ids = {item["id"]: new_id(import_id, item["id"]) for item in items}
    there = set(mine.filter(id__in=ids.values()).values_list("id", flat=True))
    known = {old: new for old, new in ids.items() if new in there}
    common = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    MemoryLink.objects.bulk_create(
        (
            MemoryLink(
                **common,
                **_ends(known[item["id"]], known[one["target_id"]], one["kind"]),
                **_columns(one, LINK[1:]),
            )
            for item, one in _pairs(items, "links", known)
            if one["target_id"] in known
        ),
        ignore_conflicts=True,
    )
    Conflict.objects.bulk_create(
        (
            Conflict(
                **common,
                challenger_id=known[item["id"]],
                current_id=known[one["current_id"]],
                **_columns(one, CONFLICT[1:]),
            )
            for item, one in _pairs(items, "conflicts", known)
            if one["current_id"] in known
        ),
        ignore_conflicts=True,
    )
    Derivation.objects.bulk_create(
        (
            Derivation(**common, memory_id=known[item["id"]], parent_id=known[parent])
            for item, parent in _pairs(items, "derived_from", known)
            if parent in known
        ),
        ignore_conflicts=True,
    )


def _ends(source: uuid.UUID, target: uuid.UUID, kind: str) -> dict[str, uuid.UUID]:
    if kind in EITHER_WAY:
        source, target = sorted((source, target))
    return {"source_id": source, "target_id": target}


def _pairs(
    items: Sequence[Mapping[str, Any]], name: str, known: Mapping[str, uuid.UUID]
) -> Iterator[tuple[Mapping[str, Any], Any]]:
    return ((item, one) for item in items if item["id"] in known for one in item.get(name, ()))
