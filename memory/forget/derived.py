"""What goes along with a memory: what was worked out from it, and what it was merged from."""

import uuid
from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q

from accounts.principal import Principal
from memory.choices import GONE, ConflictState, State, Trust
from memory.choices.slots import MERGE_SLOT, SESSION_SLOT, WORKED_OUT
from memory.models import Conflict, Derivation, Evidence, Memory, Version


def derived(principal: Principal, memory_ids: Sequence[uuid.UUID]) -> list[Memory]:
    """Return what was worked out from these memories, and from that in turn, locked."""
    found: dict[uuid.UUID, Memory] = {}
    near = list(memory_ids)
    while near:
        children = Derivation.objects.filter(parent_id__in=near).values("memory_id")
        rows = Memory.objects.select_for_update().filter(
            subject_id=principal.person_id, id__in=children
        )
        rows = rows.exclude(id__in=[*memory_ids, *found]).exclude(state__in=GONE)
        new = list(rows.order_by("created_at"))
        found |= {memory.id: memory for memory in new}
        near = [memory.id for memory in new]
    return list(found.values())


def told(principal: Principal, event_ids: Sequence[uuid.UUID]) -> list[Memory]:
    """Return the episodes of sessions that hold sentences of these events, locked."""
    cited = Evidence.objects.filter(subject_id=principal.person_id, event_id__in=event_ids)
    rows = Memory.objects.select_for_update().filter(
        subject_id=principal.person_id,
        attribute=SESSION_SLOT,
        id__in=cited.values("memory_id"),
    )
    return list(rows.exclude(state__in=GONE).order_by("created_at"))


def replaced(memories: Sequence[Memory]) -> list[Memory]:
    """Return what these have replaced and what holds the very words: the fragments of merges that the
    person kept, and the challengers that became their versions."""
    kept = [one.id for one in memories if one.trust == Trust.CONFIRMED and _is_merge(one)]
    put_away = (State.ARCHIVED, State.FORGOTTEN)
    return [
        *_fragments(kept, put_away, besides=memories),
        *_taken_over(memories, put_away),
    ]


def hidden_with(memory: Memory) -> list[Memory]:
    """Return what was forgotten together with what had replaced it, until the same moment."""
    merged = [memory.id] if _is_merge(memory) else []
    hidden = (State.FORGOTTEN,)
    found = [*_fragments(merged, hidden, besides=()), *_taken_over([memory], hidden)]
    return [
        one
        for one in found
        if one.previous_state == State.ARCHIVED and one.undo_until == memory.undo_until
    ]


def left_over(memories: Sequence[Memory]) -> list[Memory]:
    """Return the other fragments of what was merged and goes with one of them."""
    merged = [one.id for one in memories if _is_merge(one)]
    return _fragments(merged, (State.ARCHIVED,), besides=memories)


def outdated(principal: Principal) -> list[Memory]:
    """Return the merges that wait although a fragment was moved or reworded since, locked."""
    reworded = Version.objects.current().filter(
        memory=OuterRef("parent"), recorded_at__gt=OuterRef("created_at")
    )
    changed = Derivation.objects.filter(
        Exists(reworded) | ~Q(parent__state=State.ACTIVE), memory=OuterRef("pk")
    )
    rows = Memory.objects.select_for_update().filter(
        Exists(changed),
        subject_id=principal.person_id,
        attribute=MERGE_SLOT,
        state=State.PENDING,
    )
    return list(rows.order_by("created_at"))


def _is_merge(memory: Memory) -> bool:
    """Whether it may be a merge in force: all else that is derived says so by its attribute."""
    return memory.attribute not in WORKED_OUT


def _fragments(
    merged: Sequence[uuid.UUID], states: Sequence[State], *, besides: Sequence[Memory]
) -> list[Memory]:
    if not merged:
        return []
    parents = Derivation.objects.filter(memory_id__in=merged).values("parent_id")
    rows = Memory.objects.select_for_update().filter(id__in=parents, state__in=states)
    return list(rows.exclude(id__in=[one.id for one in besides]).order_by("created_at"))


def _taken_over(memories: Sequence[Memory], states: Sequence[State]) -> list[Memory]:
    """Return the challengers whose words became a version of one of these, locked."""
    ids = [one.id for one in memories]
    settled = Conflict.objects.filter(current_id__in=ids, state=ConflictState.RESOLVED)
    rows = Memory.objects.select_for_update().filter(
        id__in=settled.values("challenger_id"), state__in=states
    )
    return list(rows.exclude(id__in=ids).order_by("created_at"))
