"""A memory put back as it was: from the person's own export, which this service signed."""

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from accounts.models import Agent
from accounts.principal import Principal
from memory import queue
from memory.choices import (
    IndexState,
    JobKind,
    Kind,
    Origin,
    Outcome,
    Reason,
    ReviewKind,
    Sensitivity,
    State,
    Subtype,
    Visibility,
)
from memory.index import store as index
from memory.models import Decision, Derivation, Event, Evidence, Memory, MemoryLink, Version
from memory.transfer.export import DECISION, EVIDENCE, LINK, VERSION
from memory.vault import Place, SubjectVault
from memory.write import store
from memory.write.case import marks, metadata_of, tags_of
from memory.write.proposal import Draft, Proposal, Source, from_details
from memory.write.redact import redact, safe

# What stands in the file just as it stands in the row.
AS_IT_WAS = (
    "kind", "subtype", "attribute", "single", "pinned", "in_profile", "visibility", "origin",
    "trust", "confidence", "importance", "project", "version", "recall_count",
)  # fmt: skip
TIMES = (
    "occurred", "created_at", "updated_at", "last_confirmed_at", "last_recalled_at", "expires_at",
)  # fmt: skip
TIME_COLUMNS = frozenset(
    {"said_at", "created_at", "valid_from", "valid_to", "recorded_at", "superseded_at"}
)
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
        agent_id=_agent(principal, item["agent_id"]),
        index_state=IndexState.PENDING,
        **{name: item[name] for name in AS_IT_WAS},
        **{name: time(item[name]) for name in TIMES},
    )
    for one in item["versions"]:
        _version(vault, memory, one)
    _quotes(vault, memory, item["evidence"])
    _decisions(principal, memory, item["decisions"])
    if memory.state == State.PENDING:
        store.ask(memory, kind=ReviewKind.NEW)
    queue.job_for(
        kind=JobKind.EMBED,
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        target_id=memory.subject_id,
        agent_id=None,
    )
    return memory


def _agent(principal: Principal, agent_id: str | None) -> uuid.UUID | None:
    if agent_id is None:
        return None
    known = Agent.objects.filter(tenant_id=principal.tenant_id, id=agent_id)
    return uuid.UUID(agent_id) if known.exists() else None


def _columns(item: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: time(item[name]) if name in TIME_COLUMNS else item[name] for name in names}


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


def _quotes(vault: SubjectVault, memory: Memory, items: Sequence[Mapping[str, Any]]) -> None:
    there = set(
        Event.objects.filter(
            subject_id=memory.subject_id, id__in=[one["event_id"] for one in items]
        ).values_list("id", flat=True)
    )
    for one in items:
        row = Evidence(
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            memory=memory,
            **_columns(one, EVIDENCE),
        )
        if row.event_id is not None and uuid.UUID(str(row.event_id)) not in there:
            row.event_id = None
        quote = safe(one["quote"])
        row.quote = vault.seal(Place(object_id=memory.id, field=f"quote {row.id}"), quote)
        row.end = len(quote)
        row.save(force_insert=True)


def _decisions(principal: Principal, memory: Memory, items: Sequence[Mapping[str, Any]]) -> None:
    names = [name for name in DECISION if name != "id"]
    Decision.objects.bulk_create(
        Decision(
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            memory_id=memory.id,
            **_columns(one, names),
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
                source_id=known[item["id"]],
                target_id=known[link["target_id"]],
                **_columns(link, [name for name in LINK if name != "target_id"]),
            )
            for item, link in _pairs(items, "links", known)
            if link["target_id"] in known
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


def _pairs(
    items: Sequence[Mapping[str, Any]], name: str, known: Mapping[str, uuid.UUID]
) -> Iterator[tuple[Mapping[str, Any], Any]]:
    return ((item, one) for item in items if item["id"] in known for one in item[name])
