"""Everything at a glance, for the person: how much there is, what is new, what was used."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity, State
from memory.models import Memory
from memory.recall.uses import Use, by_agents, last, weekly_learned, weekly_uses
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many memories of the person stand where."""

    remembered: int
    in_use: int
    paused: int
    disputed: int
    sensitive: int
    forgotten: int
    erasing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Counts, the newest memories, the latest uses with their memories, and two rows of weeks."""

    counts: Counts
    learned: Sequence[access.OpenedMemory]
    used: Sequence[tuple[Use, access.OpenedMemory]]
    weeks_learned: Sequence[tuple[datetime, int]]
    weeks_used: Sequence[tuple[datetime, int]]


def counts_of(principal: Principal) -> Counts:
    """Return how many memories stand where, in one query."""
    access.require(principal, Action.READ)
    with acting(principal):
        return _counts(principal)


def overview(principal: Principal, *, items: int = 5) -> Overview:
    """Return the person's overview.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        listed = access.memories_visible_to(principal)
        newest = list(listed.order_by("-created_at", "-id")[:items])
        uses = by_agents(principal)
        # An answer names many memories at once, so look at more rows than will be shown.
        recent = last(uses, limit=items * 10)
        used = {row.id: row for row in listed.filter(id__in={use.memory_id for use in recent})}
        opened = access.open_current(
            open_vault(principal), {row.id: row for row in (*newest, *used.values())}.values()
        )
        by_id = {one.memory.id: one for one in opened}
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=len(opened), reason="overview"
        )
        return Overview(
            counts=_counts(principal),
            learned=[by_id[row.id] for row in newest if row.id in by_id],
            used=_one_each(recent, by_id)[:items],
            weeks_learned=weekly_learned(listed),
            weeks_used=weekly_uses(uses),
        )


def _one_each(
    recent: Sequence[Use], by_id: Mapping[uuid.UUID, access.OpenedMemory]
) -> list[tuple[Use, access.OpenedMemory]]:
    """Return the latest use of each memory that is still there."""
    newest: dict[uuid.UUID, Use] = {}
    for use in recent:
        newest.setdefault(use.memory_id, use)
    return [(use, by_id[use.memory_id]) for use in newest.values() if use.memory_id in by_id]


def _counts(principal: Principal) -> Counts:
    def number(*states: State, **more: object) -> Count:
        return Count("id", filter=Q(state__in=states, **more))

    rows = Memory.objects.visible_to(principal)
    living = (State.PENDING, State.ACTIVE, State.PAUSED, State.DISPUTED, State.ARCHIVED)
    found = rows.aggregate(
        remembered=number(*living),
        in_use=number(State.ACTIVE),
        paused=number(State.PAUSED),
        disputed=number(State.DISPUTED),
        sensitive=number(*living, sensitivity__gte=Sensitivity.SPECIAL),
        forgotten=number(State.FORGOTTEN, undo_until__gt=timezone.now()),
        erasing=number(State.ERASING),
    )
    return Counts(**found)
