"""The eye that looks past the API: rows of the story's people, opened. It changes nothing."""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from accounts.acting import acting
from accounts.principal import Principal
from accounts.subjects import system
from memory import access
from memory.choices import State
from memory.errors import VaultError
from memory.evaluation.scenarios.reply import Label, Who
from memory.evaluation.scenarios.world import World
from memory.models import Decision, Event, Memory, Version
from memory.vault import Place, open_vault

GONE = (State.FORGOTTEN, State.ERASING, State.ERASED)
# Further names a story may use for a state.
ALSO = {
    State.PENDING: {"ask", "quarantine"},
    State.FORGOTTEN: {"deleted"},
    State.ERASING: {"deleted", "erased"},
    State.ERASED: {"deleted"},
}


@contextmanager
def eye(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> Iterator[Principal]:
    """See all rows of one person."""
    with acting(system(tenant_id, subject_id, label="evaluation").unlimited()) as principal:
        yield principal


def active(world: World, who: Who) -> list[dict[str, Any]]:
    """Return the person's current memories: not forgotten, superseded or expired."""
    subject = world.cast.find(who)
    if subject is None:
        return []
    with eye(subject.tenant_id, subject.id) as principal:
        rows = access.memories_in_use(principal).order_by("created_at", "id")
        found = access.open_current(open_vault(principal), rows)
    now = world.clock.at
    return [
        _shown(one) for one in found if one.version.valid_to is None or one.version.valid_to > now
    ]


def _shown(one: access.OpenedMemory) -> dict[str, Any]:
    row, version = one.memory, one.version
    return {
        "id": row.id,
        "text": one.text,
        "kind": row.kind,
        "subtype": row.subtype,
        "state": row.state,
        "source": row.origin,
        "origin": row.origin,
        "importance": row.importance,
        "pinned": row.pinned,
        "visibility": row.visibility,
        "version": row.version,
        "tags": one.details.get("tags", []),
        "meta": one.details.get("metadata", {}),
        "metadata": one.details.get("metadata", {}),
        "occurred": row.occurred,
        "event_date": row.occurred,
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "expires_at": row.expires_at,
    }


def opened(label: Label) -> dict[str, Any] | None:
    """Return a labelled memory as it reads now, whatever its state; None if it is gone."""
    if label.subject_id is None or label.memory_id is None:
        return None
    with eye(label.tenant_id, label.subject_id) as principal:
        rows = list(Memory.objects.filter(id=label.memory_id).exclude(state__in=GONE))
        found = access.open_current(open_vault(principal), rows) if rows else []
    return _shown(found[0]) if found else None


def states(world: World, label: Label) -> set[str]:
    """Return every name that fits the state of a labelled memory, or of its old wording."""
    if label.memory_id is None or label.subject_id is None:
        return {"rejected", "refused", "reject"}
    with eye(label.tenant_id, label.subject_id):
        row = Memory.objects.filter(id=label.memory_id).first()
        version = Version.objects.current().filter(memory_id=label.memory_id).first()
    if row is None:
        return {"deleted"}
    state = State(row.state)
    if state not in GONE and row.version > label.version:
        return {"superseded"}
    ends = [row.expires_at, version.valid_to if version else None]
    if state not in GONE and any(_over(one, world.clock.at) for one in ends):
        return {"expired"}
    return {state.value} | ALSO.get(state, set())


def _over(end: datetime | None, now: datetime) -> bool:
    return end is not None and end <= now


def decisions(world: World, who: Who) -> Iterator[tuple[Decision, Memory | None, str, str]]:
    """Yield what the gate decided: the row, its memory, that one's words, the message's words."""
    subject = world.cast.find(who)
    if subject is None:
        return
    with eye(subject.tenant_id, subject.id) as principal:
        vault = open_vault(principal)
        for row in Decision.objects.filter(subject_id=subject.id).order_by("created_at"):
            memory = _memory(row.memory_id)
            found = access.open_current(vault, [memory]) if memory else []
            event = _event(row.event_id)
            said = _unsealed(vault, event) if event else ""
            yield row, memory, found[0].text if found else "", said


def _memory(memory_id: uuid.UUID | None) -> Memory | None:
    if memory_id is None:
        return None
    return Memory.objects.filter(id=memory_id).exclude(state__in=GONE).first()


def _event(event_id: uuid.UUID | None) -> Event | None:
    return None if event_id is None else Event.objects.filter(id=event_id).first()


def _unsealed(vault: Any, event: Event) -> str:
    try:
        return str(vault.unseal(Place(object_id=event.id), event.text))
    except VaultError:
        return ""


def field(item: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path; in ``a|b`` the first that is there."""
    for name in path.split("|"):
        value: Any = item
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None
