"""What an export holds beside the memories: one member for each table, row by row."""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.db.models import Q

from accounts.acting import acting
from accounts.models import ApiKey, Grant, Look, SubjectMerge
from accounts.principal import Principal
from memory.models import (
    Decision,
    Erasure,
    Event,
    Feedback,
    Import,
    Interest,
    OutboxMessage,
    Session,
    Summary,
    Suppression,
    TaskBoard,
    Tombstone,
)
from memory.vault import Place, SubjectVault, open_vault

BATCH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One member of the document: the rows of a table, with these columns.

    ``texts`` names what is sealed, each with the place it is sealed for; a row whose key was destroyed,
    or which rests on an erased message, is left out.
    """

    name: str
    model: type[models.Model]
    columns: tuple[str, ...]
    where: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, Callable[[Any], Place]] = field(default_factory=dict)


def _numbered(part: str = "text") -> Callable[[Any], Place]:
    return lambda row: Place(object_id=row.id, number=row.version, field=part)


def _own(part: str = "text") -> Callable[[Any], Place]:
    return lambda row: Place(object_id=row.id, field=part)


DECISION = (
    "id", "outcome", "reasons", "kind", "subtype", "sensitivity", "importance", "event_id", "agent_id",
    "request_id", "created_at",
)  # fmt: skip
MEMBERS = (
    # What the gate refused; what it decided of a memory stands beside the memory.
    Member(name="decisions", model=Decision, columns=DECISION, where={"memory_id__isnull": True}),
    Member(
        name="sessions", model=Session,
        columns=("id", "external_id", "agent_id", "opened_at", "last_active_at", "closed_at"),
    ),
    Member(
        name="messages", model=Event, texts={"text": _own(), "speaker": _own("speaker")},
        columns=(
            "id", "type", "role", "agent_id", "session_id", "redacted", "occurred_at", "utc_offset",
            "received_at", "expires_at",
        ),
    ),
    Member(
        name="summaries", model=Summary, texts={"text": _numbered()},
        columns=("id", "session_id", "event_ids", "version", "updated_at"),
    ),
    Member(
        name="boards", model=TaskBoard, texts={"state": _numbered("state")},
        columns=(
            "id", "external_id", "agent_id", "project", "event_ids", "version", "step", "status",
            "created_at", "updated_at", "expires_at",
        ),
    ),
    Member(
        name="suppressions", model=Suppression,
        columns=("id", "basis", "erasure_id", "created_at", "lifted_at"),
    ),
    Member(
        name="feedback", model=Feedback,
        columns=("agent_id", "memory_id", "recall_id", "verdict", "task_id", "success", "at"),
    ),
    Member(name="interests", model=Interest, columns=("topic", "count", "first_at", "last_at")),
    Member(
        name="grants", model=Grant,
        columns=(
            "id", "agent_id", "actions", "kinds", "clearance", "purposes", "memory_mode",
            "memory_mode_until", "created_at", "expires_at", "paused_at",
        ),
    ),
    # Neither a key nor a digest of one: what it is called, and since when it works.
    Member(
        name="keys", model=ApiKey,
        columns=(
            "id", "label", "prefix", "created_at", "expires_at", "revoked_at", "last_used_at",
            "refused_at",
        ),
    ),
    Member(
        name="looks", model=Look,
        columns=(
            "id", "ground", "operator_id", "reason", "clearance", "kinds", "memory_id", "created_at",
            "ends_at", "ended_at", "views", "looked_at",
        ),
    ),
    Member(
        name="merges", model=SubjectMerge,
        columns=("id", "source_id", "agent_id", "state", "asked_at", "expires_at", "decided_at"),
    ),
    Member(
        name="imports", model=Import,
        columns=("id", "state", "wanted", "taken", "created_at", "expires_at"),
    ),
    Member(
        name="erasures", model=Erasure,
        columns=(
            "id", "state", "scope", "memory_ids", "event_ids", "session_id", "requested_by_kind",
            "requested_by_id", "requested_at", "fenced_at", "erased_at", "backups_until",
            "completed_at", "hold_reason",
        ),
    ),
    Member(
        name="notices", model=OutboxMessage,
        columns=(
            "id", "topic", "erasure_id", "agent_id", "state", "created_at", "delivered_at",
            "acknowledged_at",
        ),
    ),
)  # fmt: skip


def rows(principal: Principal, member: Member) -> Iterator[dict[str, Any]]:
    """Return the rows of a member, each batch read in a transaction of its own."""
    last = None
    while True:
        with acting(principal):
            found = after(_mine(member.model, principal).filter(**member.where), last)
            items = _opened(principal, member, found)
        if not found:
            return
        yield from items
        last = found[-1].pk


def _mine(model: type[models.Model], principal: Principal) -> models.QuerySet[Any]:
    found: models.QuerySet[Any] = model._default_manager.all()
    return found.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)


def after(found: models.QuerySet[Any], last: uuid.UUID | None) -> list[Any]:
    """Return the rows that come after one of this id, in the order of ids, no more than a batch."""
    return list(found.filter(Q(id__gt=last) if last else Q()).order_by("id")[:BATCH])


def _opened(principal: Principal, member: Member, found: Sequence[Any]) -> list[dict[str, Any]]:
    if not member.texts:
        return [named(row, member.columns) for row in found]
    vault, gone = open_vault(principal), _erased(principal, found)
    vault.load(row.id for row in found)
    return [
        named(row, member.columns) | _texts(vault, member, row)
        for row in found
        if vault.holds(row.id) and not gone.intersection(_rests_on(row))
    ]


def _texts(vault: SubjectVault, member: Member, row: Any) -> dict[str, Any]:
    texts: dict[str, Any] = {}
    for name, place in member.texts.items():
        sealed = getattr(row, name)
        texts[name] = vault.unseal(place(row), sealed) if sealed else ""
    if member.model is not Event:  # what a summary and a board hold is JSON
        return {name: json.loads(text) for name, text in texts.items()}
    return texts


def _rests_on(row: Any) -> list[uuid.UUID]:
    return [row.id, *getattr(row, "event_ids", ())]


def _erased(principal: Principal, found: Sequence[Any]) -> set[uuid.UUID]:
    ids = {one for row in found for one in _rests_on(row)}
    graves = Tombstone.objects.filter(subject_id=principal.person_id, object_id__in=ids)
    return set(graves.values_list("object_id", flat=True))


def named(row: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return columns of a row by their names."""
    return {name: getattr(row, name) for name in names}
