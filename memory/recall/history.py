"""A memory's past: its wordings, and the words it rests on."""

import json
import uuid
from dataclasses import dataclass

from django.db import models

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity
from memory.models import Derivation, Evidence, Memory, Version
from memory.vault import Place, SubjectVault, open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One version; ``text`` is None where the reader may not see what was superseded."""

    version: Version
    text: str | None
    details: dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """One piece of evidence, opened."""

    evidence: Evidence
    text: str


def wordings(principal: Principal, memory_id: uuid.UUID) -> list[Wording]:
    """Return a memory's versions, newest first. Old wordings are the person's own to see.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal):
        memory = access.access_memory(principal, memory_id)
        _note(principal, memory, "versions")
        vault = open_vault(principal)
        rows = Version.objects.filter(memory=memory).order_by("-number")
        return [_wording(vault, principal, memory, row) for row in rows]


def _wording(
    vault: SubjectVault, principal: Principal, memory: Memory, version: Version
) -> Wording:
    if version.superseded_at is not None and not principal.is_person:
        return Wording(version=version, text=None, details={})
    place = Place(object_id=memory.id, number=version.number)
    details = Place(object_id=memory.id, number=version.number, field="details")
    return Wording(
        version=version,
        text=vault.unseal(place, version.text),
        details=json.loads(vault.unseal(details, version.details)),
    )


def quotes(principal: Principal, memory_id: uuid.UUID) -> list[Quote]:
    """Return the words a memory rests on, oldest first.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal):
        memory = access.access_memory(principal, memory_id)
        _note(principal, memory, "evidence")
        return open_quotes(open_vault(principal), Evidence.objects.filter(memory=memory))


def open_quotes(vault: SubjectVault, rows: models.QuerySet[Evidence]) -> list[Quote]:
    """Open pieces of evidence, oldest first."""
    found = list(rows.order_by("said_at", "created_at"))
    vault.load(row.memory_id for row in found)
    return [
        Quote(
            evidence=row,
            text=vault.unseal(Place(object_id=row.memory_id, field=f"quote {row.id}"), row.quote),
        )
        for row in found
    ]


def open_sources(principal: Principal, memory: Memory) -> list[access.OpenedMemory]:
    """Return the memories one was worked out from, as far as the reader may see them, oldest first."""
    parents = Derivation.objects.filter(memory=memory).values_list("parent_id", flat=True)
    if not (ids := list(parents)):
        return []
    rows = access.memories_visible_to(principal).filter(id__in=ids)
    if principal.agent_id is not None:
        rows = rows.exclude(sensitivity__gte=Sensitivity.SPECIAL)
    return access.open_current(open_vault(principal), rows.order_by("occurred", "created_at", "id"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One memory that another was worked out from, and the events it rests on."""

    opened: access.OpenedMemory
    event_ids: list[uuid.UUID]


def sources(principal: Principal, memory_id: uuid.UUID) -> list[Source]:
    """Return the memories one was worked out from, as far as the reader may see them, oldest first.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal):
        memory = access.access_memory(principal, memory_id)
        _note(principal, memory, "sources")
        opened = open_sources(principal, memory)
        events = Evidence.objects.events_of(one.memory.id for one in opened)
        return [Source(opened=one, event_ids=events[one.memory.id]) for one in opened]


def _note(principal: Principal, memory: Memory, what: str) -> None:
    audit.record(
        principal,
        AuditCode.HISTORY_READ,
        object_kind="memory",
        object_id=memory.id,
        sensitivity=memory.sensitivity,
        reason=what,
    )
