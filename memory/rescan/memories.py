"""A memory that the door of today finds too open is held closer; one with a secret makes way for another;
one that was learnt although the person had said that it must not be is erased."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Max

from accounts import audit
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import GONE, IndexState, Origin, Reason, Sensitivity, State
from memory.forget.fence import fence
from memory.index import store as index
from memory.index.context import embed
from memory.models import Decision, Event, Evidence, Memory, Suppression, Version
from memory.vault import Place, SubjectVault
from memory.write.again import again, store_again
from memory.write.allow import names_of, suppressible
from memory.write.classify import classify
from memory.write.proposal import Source, from_memory
from memory.write.redact import redact, without_secrets

RAISED, REDACTED, ERASED = "raised", "redacted_memories", "erased_memories"
UNWANTED = "unwanted_memories"


def scan_memory(principal: Principal, vault: SubjectVault, memory_id: uuid.UUID) -> str | None:
    """Raise the level of a memory, let another one without the secret take its place, or erase it."""
    memory = Memory.objects.select_for_update().filter(id=memory_id).first()
    if memory is None or memory.state in GONE or not vault.holds(memory_id):
        return None
    versions = list(Version.objects.filter(memory=memory).order_by("number"))
    opened = access.open_versions(vault, [memory], versions)
    quotes = _quotes(vault, memory)
    said = [*(one.text for one in opened), *(quote for _, quote in quotes)]
    details = [text for one in opened for text in _texts(one.details)]
    if any(without_secrets(text) != text for text in (*said, *details)):
        return _make_way(principal, vault, opened, quotes)
    if memory.state != State.FORGOTTEN and _unwanted(vault, opened[-1]):
        fence(principal, [memory], carriers=False)
        _note(principal, opened[-1].memory, UNWANTED)
        return UNWANTED
    level = max(redact(one.text).level for one in opened)
    return _raise(principal, vault, opened, level) if level > memory.sensitivity else None


def _unwanted(vault: SubjectVault, current: access.OpenedMemory) -> bool:
    """Whether it was learnt when the person had said already that it must not be."""
    memory, learnt = current.memory, current.version.recorded_at
    back = Decision.objects.filter(memory_id=memory.id, reasons__contains=[Reason.RESTORED])
    if brought := back.aggregate(last=Max("created_at"))["last"]:
        learnt = max(learnt, brought)  # what an import brought back shows the times it had
    source = Source(origin=Origin(memory.origin), said_at=memory.last_confirmed_at)
    digests = suppressible(vault, classify(from_memory(current, source)))
    cited = Evidence.objects.filter(memory=memory, event_id__isnull=False)
    for event in Event.objects.filter(id__in=cited.values("event_id")):
        digests += names_of(vault, event)
    kept = Suppression.objects.in_force(vault.tenant_id, vault.subject_id)
    return kept.filter(digest__in=digests, created_at__lt=learnt).exists()


def _quotes(vault: SubjectVault, memory: Memory) -> list[tuple[Evidence, str]]:
    rows = Evidence.objects.filter(memory=memory).order_by("created_at", "id")
    places = [(row, Place(object_id=memory.id, field=f"quote {row.id}")) for row in rows]
    return [(row, vault.unseal(place, row.quote)) for row, place in places]


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _raise(
    principal: Principal,
    vault: SubjectVault,
    opened: Sequence[access.OpenedMemory],
    level: Sensitivity,
) -> str:
    """Hold the memory closer, and let the indexes know only what they may at its level."""
    memory = opened[0].memory
    memory.sensitivity, memory.index_state = level, IndexState.PENDING
    memory.save(update_fields=["sensitivity", "index_state"])
    index.remove([memory.id])
    for one in opened:
        text = redact(one.text).index_text
        index.add(vault, one.version, text, embed(text))
        if one.version.superseded_at is not None:
            index.retire(one.version)
    _note(principal, memory, RAISED)
    return RAISED


def _make_way(
    principal: Principal,
    vault: SubjectVault,
    opened: Sequence[access.OpenedMemory],
    quotes: Sequence[tuple[Evidence, str]],
) -> str:
    """Erase the memory with every wording and quote; what is left of them is stored as another one."""
    current, state = opened[-1], State(opened[-1].memory.state)
    draft = None if state == State.FORGOTTEN else again(current)
    former = Memory.objects.get(id=current.memory.id)
    wordings = [replace(one, memory=former) for one in opened]
    fence(principal, [current.memory], carriers=False)
    made = store_again(principal, vault, draft, wordings, quotes) if draft else None
    done = REDACTED if made else ERASED
    _note(principal, former, done)
    return done


def _note(principal: Principal, memory: Memory, what: str) -> None:
    audit.record(
        principal,
        AuditCode.RESCANNED,
        object_kind="memory",
        object_id=memory.id,
        sensitivity=memory.sensitivity,
        fields=["sensitivity"] if what == RAISED else ["text"],
        reason=what,
    )
