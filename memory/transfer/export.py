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
from django.db.models import Count, F, Max
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.logins import kept_of
from accounts.models import Subject
from accounts.principal import Principal
from memory import access
from memory.anew import read_anew
from memory.choices import GONE
from memory.choices.transfer import PART
from memory.errors import Forbidden
from memory.models import (
    Conflict,
    Decision,
    Derivation,
    Evidence,
    Memory,
    MemoryLink,
    RecalledMemory,
    ReviewItem,
    Version,
)
from memory.models.memory import MemoryQuerySet
from memory.recall.history import open_quotes
from memory.recall.selecting import Selection
from memory.transfer.held import DECISION, MEMBERS, after, named, rows
from memory.transfer.signature import signing
from memory.vault import open_vault

FORMAT, FORMAT_VERSION = "keepsake.export", 1
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
EVIDENCE = ("version_number", "event_id", "role", "start", "end", "said_at", "created_at")
REVIEW = ("id", "kind", "state", "created_at", "lapses_at", "decided_at")
CONFLICT = ("current_id", "state", "created_at", "resolved_at")
LINK = ("target_id", "kind", "author_kind", "author_id", "created_at")
SUBJECT = (
    "id", "language", "time_zone", "memory_mode", "memory_mode_until", "learning", "undo_minutes",
    "hide_sensitive", "interests", "list_filters", "list_views", "visited_at", "visit_before",
    "created_at", "held_at", "hold_reason",
)  # fmt: skip


def export(principal: Principal, selection: Selection | None = None) -> Iterator[str]:
    """Note the export, then return the document in pieces; with a ``selection`` these memories alone.

    Raises:
        Forbidden: for anybody but the person; raised at the call, before the first piece.
    """
    note(principal, selection)
    subject = access.subject_of(principal)
    head: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "exported_at": timezone.now(),
        "person": named(subject, SUBJECT) | whose(subject),
    }
    if selection is None:
        head["login"] = kept_of(subject.login_id)
    return _signed(_document(principal, head, selection))


def whose(subject: Subject) -> dict[str, str | None]:
    """Return by what an export is known as a person's own: their name, where, and their login if they have one."""
    login = None if subject.login_id is None else str(subject.login_id)
    return {
        "user_id": subject.external_id,
        "tenant_id": str(subject.tenant_id),
        "login_id": login,
    }


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
    found = Memory.objects.visible_to(principal).exclude(state__in=GONE)
    return selection.of(found) if selection else found


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
    yield from _array("memories", whole_memories(principal, selection))
    for member in MEMBERS if selection is None else ():
        yield from _array(member.name, rows(principal, member))


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
            return _whole(principal, after(_meant(principal, selection), last))

    while items := read_anew(batch):
        yield from items
        last = items[-1]["id"]


def _whole(principal: Principal, memories: list[Memory]) -> list[dict[str, Any]]:
    """Return memories with everything that hangs on them: ten queries whatever their number."""
    ids = [memory.id for memory in memories]
    vault = open_vault(principal)
    versions: dict[uuid.UUID, list[Any]] = defaultdict(list)
    wordings = Version.objects.filter(memory_id__in=ids).order_by("number")
    for one in access.open_versions(vault, memories, wordings):
        columns = named(one.version, VERSION)
        versions[one.memory.id].append(columns | {"text": one.text, "details": one.details})
    evidence: dict[uuid.UUID, list[Any]] = defaultdict(list)
    for quote in open_quotes(vault, Evidence.objects.filter(memory_id__in=ids)):
        columns = named(quote.evidence, EVIDENCE)
        evidence[quote.evidence.memory_id].append(columns | {"quote": quote.text})
    decisions = _by("memory_id", Decision.objects.filter(memory_id__in=ids), DECISION)
    reviews = _by("memory_id", ReviewItem.objects.filter(memory_id__in=ids), REVIEW)
    derived: dict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
    parents = Derivation.objects.filter(memory_id__in=ids).order_by("created_at", "id")
    for child, parent in parents.values_list("memory_id", "parent_id"):
        derived[child].append(parent)
    links = _by("source_id", MemoryLink.objects.filter(source_id__in=ids), LINK)
    told_to = _told_to(ids)
    conflicts = _by("challenger_id", Conflict.objects.filter(challenger_id__in=ids), CONFLICT)
    return [
        named(memory, MEMORY)
        | {
            "derived_from": derived[memory.id],
            "versions": versions[memory.id],
            "evidence": evidence[memory.id],
            "decisions": decisions[memory.id],
            "reviews": reviews[memory.id],
            "links": links[memory.id],
            "conflicts": conflicts[memory.id],
            "told_to": told_to[memory.id],
        }
        for memory in memories
    ]


def _told_to(ids: list[uuid.UUID]) -> defaultdict[uuid.UUID, list[dict[str, Any]]]:
    """Return to which agents each of the memories was handed: how often, and when last."""
    found: defaultdict[uuid.UUID, list[dict[str, Any]]] = defaultdict(list)
    handed = RecalledMemory.objects.filter(memory_id__in=ids)
    counted = handed.values("memory_id", agent_id=F("recall__agent_id"))
    for row in counted.annotate(times=Count("id"), last=Max("recall__at")).order_by("-last"):
        told = {"agent_id": row["agent_id"], "times": row["times"], "last": row["last"]}
        found[row["memory_id"]].append(told)
    return found


def _by(
    memory: str, rows: models.QuerySet[Any], names: tuple[str, ...]
) -> defaultdict[uuid.UUID, list[dict[str, Any]]]:
    found: defaultdict[uuid.UUID, list[dict[str, Any]]] = defaultdict(list)
    for row in rows.order_by("created_at"):
        found[getattr(row, memory)].append(named(row, names))
    return found


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plainly)


def _plainly(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
