"""Everything about one person as one JSON document, written piece by piece.

Each piece is read in a transaction of its own, so that a slow download holds none open; a download
that breaks off is no valid JSON. The members are described in docs/privacy.md.
"""

import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.anew import read_anew
from memory.choices import GONE
from memory.errors import Forbidden
from memory.models import (
    Decision,
    Derivation,
    Evidence,
    Feedback,
    Interest,
    Memory,
    MemoryLink,
    ReviewItem,
    Session,
    Suppression,
    Version,
)
from memory.models.memory import MemoryQuerySet
from memory.recall.history import open_quotes
from memory.recall.selecting import Selection
from memory.transfer.signature import signing
from memory.vault import open_vault

FORMAT, FORMAT_VERSION = "keepsake.export", 1
BATCH = 100
PART = "part"  # in the log: not everything was exported
# What follows is no part of what is signed.
SIGNATURE = ',\n"signature": '
MEMORY = (
    "id", "kind", "subtype", "attribute", "single", "state", "sensitivity", "pinned", "in_profile",
    "visibility", "origin", "trust", "confidence", "importance", "agent_id", "session_id", "project",
    "version", "occurred",
    "created_at", "updated_at", "last_confirmed_at", "last_recalled_at", "recall_count",
    "expires_at", "undo_until", "erase_at",
)  # fmt: skip
VERSION = (
    "number", "language", "reason", "author_kind", "author_id", "origin", "trust", "valid_from",
    "valid_to", "recorded_at", "superseded_at",
)  # fmt: skip
EVIDENCE = ("version_number", "event_id", "role", "said_at")
DECISION = (
    "id", "outcome", "reasons", "kind", "subtype", "sensitivity", "event_id", "agent_id",
    "created_at",
)  # fmt: skip
REVIEW = ("id", "kind", "state", "created_at", "lapses_at", "decided_at")
LINK = ("kind", "target_id", "author_kind", "author_id", "created_at")
SESSION = ("id", "external_id", "agent_id", "opened_at", "last_active_at", "closed_at")
SUPPRESSION = ("id", "basis", "created_at")
FEEDBACK = ("agent_id", "memory_id", "recall_id", "verdict", "task_id", "success", "at")
INTEREST = ("topic", "count", "first_at", "last_at")
SWITCHES = (
    "id", "language", "time_zone", "memory_mode", "learning", "undo_minutes", "interests",
    "list_views",
)  # fmt: skip


def export(principal: Principal, selection: Selection | None = None) -> Iterator[str]:
    """Note the export, then return the document in pieces; with a ``selection`` these memories alone.

    Raises:
        Forbidden: for anybody but the person; raised at the call, before the first piece.
    """
    note(principal, selection)
    subject = access.subject_of(principal)
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "exported_at": timezone.now(),
        "person": _columns(subject, SWITCHES) | {"user_id": subject.external_id},
    }
    return _signed(_document(principal, head, selection))


def note(principal: Principal, selection: Selection | None = None) -> None:
    """Write down that everything leaves, or a part of it.

    Raises:
        Forbidden: for anybody but the person.
    """
    if not principal.is_person:
        raise Forbidden("Only the person exports what is kept about them.")
    with acting(principal):
        count = _meant(principal, selection).count()
        reason = PART if selection else ""
        audit.record(principal, AuditCode.DATA_EXPORTED, result_count=count, reason=reason)


def _meant(principal: Principal, selection: Selection | None) -> MemoryQuerySet:
    rows = Memory.objects.visible_to(principal).exclude(state__in=GONE)
    return selection.of(rows) if selection else rows


def _signed(pieces: Iterable[str]) -> Iterator[str]:
    """Pass the pieces on, and close the document with the mark of all that went before."""
    mark = signing()
    for piece in pieces:
        mark.update(piece.encode())
        yield piece
    yield f'{SIGNATURE}"{mark.hexdigest()}"\n}}\n'


def _document(
    principal: Principal, head: dict[str, Any], selection: Selection | None
) -> Iterator[str]:
    yield "{\n" + ",\n".join(f'"{name}": {_json(value)}' for name, value in head.items())
    refused = {"memory_id__isnull": True}
    yield from _array("memories", whole_memories(principal, selection))
    if selection is not None:
        return
    yield from _array("decisions", _plain(Decision, principal, DECISION, **refused))
    yield from _array("sessions", _plain(Session, principal, SESSION))
    live = {"lifted_at__isnull": True}
    yield from _array("suppressions", _plain(Suppression, principal, SUPPRESSION, **live))
    yield from _array("feedback", _plain(Feedback, principal, FEEDBACK))
    yield from _array("interests", _plain(Interest, principal, INTEREST))


def _array(name: str, items: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield f',\n"{name}": ['
    for number, item in enumerate(items):
        yield (",\n" if number else "\n") + _json(item)
    yield "]"


def whole_memories(
    principal: Principal, selection: Selection | None = None
) -> Iterator[dict[str, Any]]:
    """Return each memory that was not erased, or of the selected ones, with all that hangs on it."""
    last = None

    def batch() -> list[dict[str, Any]]:
        with acting(principal):
            return _whole(principal, _after(_meant(principal, selection), last))

    while True:
        items = read_anew(batch)
        yield from items
        if len(items) < BATCH:
            return
        last = items[-1]["id"]


def _whole(principal: Principal, memories: list[Memory]) -> list[dict[str, Any]]:
    """Return memories with everything that hangs on them: seven queries whatever their number."""
    ids = [memory.id for memory in memories]
    vault = open_vault(principal)
    versions: dict[uuid.UUID, list[Any]] = defaultdict(list)
    rows = Version.objects.filter(memory_id__in=ids).order_by("number")
    for one in access.open_versions(vault, memories, rows):
        columns = _columns(one.version, VERSION)
        versions[one.memory.id].append(columns | {"text": one.text, "details": one.details})
    evidence: dict[uuid.UUID, list[Any]] = defaultdict(list)
    for quote in open_quotes(vault, Evidence.objects.filter(memory_id__in=ids)):
        columns = _columns(quote.evidence, EVIDENCE)
        evidence[quote.evidence.memory_id].append(columns | {"quote": quote.text})
    decisions = _by_memory(Decision.objects.filter(memory_id__in=ids), DECISION)
    reviews = _by_memory(ReviewItem.objects.filter(memory_id__in=ids), REVIEW)
    derived: dict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
    parents = Derivation.objects.filter(memory_id__in=ids).order_by("created_at", "id")
    for child, parent in parents.values_list("memory_id", "parent_id"):
        derived[child].append(parent)
    links: dict[uuid.UUID, list[Any]] = defaultdict(list)
    for link in MemoryLink.objects.filter(source_id__in=ids).order_by("created_at"):
        links[link.source_id].append(_columns(link, LINK))
    return [
        _columns(memory, MEMORY)
        | {
            "derived_from": derived[memory.id],
            "versions": versions[memory.id],
            "evidence": evidence[memory.id],
            "decisions": decisions[memory.id],
            "reviews": reviews[memory.id],
            "links": links[memory.id],
        }
        for memory in memories
    ]


def _by_memory(
    rows: models.QuerySet[Any], names: tuple[str, ...]
) -> defaultdict[uuid.UUID, list[dict[str, Any]]]:
    found: defaultdict[uuid.UUID, list[dict[str, Any]]] = defaultdict(list)
    for row in rows.order_by("created_at"):
        found[row.memory_id].append(_columns(row, names))
    return found


def _plain(
    model: type[models.Model], principal: Principal, names: tuple[str, ...], **narrow: Any
) -> Iterator[dict[str, Any]]:
    last = None
    while True:
        with acting(principal):
            rows = _after(_mine(model, principal).filter(**narrow), last)
        yield from (_columns(row, names) for row in rows)
        if len(rows) < BATCH:
            return
        last = rows[-1].pk


def _mine(model: type[models.Model], principal: Principal) -> models.QuerySet[Any]:
    rows: models.QuerySet[Any] = model._default_manager.all()
    return rows.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)


def _after(rows: models.QuerySet[Any], last: uuid.UUID | None) -> list[Any]:
    return list(rows.filter(Q(id__gt=last) if last else Q()).order_by("id")[:BATCH])


def _columns(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plainly)


def _plainly(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
