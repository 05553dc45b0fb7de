"""Taking out everything that is remembered of a subject, behind its own wall."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.db import models

from accounts.models import Grant
from accounts.principal import Principal
from memory import access
from memory.choices import GONE
from memory.choices.slots import MERGE_SLOT
from memory.identity.stores import DROPPED, MOVED
from memory.lifecycle import lock_subject
from memory.models import (
    Conflict,
    Decision,
    Derivation,
    Evidence,
    Feedback,
    Interest,
    Memory,
    MemoryLink,
    Message,
    ObjectKey,
    RecalledMemory,
    ReviewItem,
    Vector,
    Version,
)
from memory.vault import SubjectVault, open_vault

# What hangs on a memory, and by which columns.
OF_A_MEMORY: dict[type[models.Model], tuple[str, ...]] = {
    Vector: ("memory_id",),
    MemoryLink: ("source_id", "target_id"),
    Version: ("memory_id",),
    Evidence: ("memory_id",),
    Derivation: ("memory_id", "parent_id"),
    ReviewItem: ("memory_id",),
    Conflict: ("current_id", "challenger_id"),
    Decision: ("memory_id",),
    Feedback: ("memory_id",),
    RecalledMemory: ("memory_id",),
}


class Rows:
    """Rows by their table, as they were taken out."""

    def __init__(self, found: dict[type[models.Model], list[Any]]) -> None:
        self.found = found

    def of[M: models.Model](self, model: type[M]) -> list[M]:
        """Return the rows of one table."""
        return self.found[model]

    def without(self, memory_ids: set[uuid.UUID]) -> None:
        """Leave out these memories and what hangs on them."""
        self.found[Memory] = [one for one in self.found[Memory] if one.id not in memory_ids]
        for model, names in OF_A_MEMORY.items():
            self.found[model] = [
                row
                for row in self.found[model]
                if not memory_ids & {getattr(row, name) for name in names}
            ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was taken out. ``vault`` holds every key, though their rows are destroyed."""

    vault: SubjectVault
    rows: Rows
    opened: dict[uuid.UUID, access.OpenedMemory]
    grants: list[Grant]
    interests: list[Interest]


def take_out(source: Principal) -> Taken:
    """Take out the subject's rows and destroy its keys, inside ``acting(source)``."""
    mine = {"tenant_id": source.tenant_id, "subject_id": source.person_id}
    _wait_for_workers(source)
    vault = open_vault(source)
    vault.load(ObjectKey.objects.filter(**mine).values_list("object_id", flat=True))
    rows = Rows({model: list(model._default_manager.filter(**mine)) for model in MOVED})
    # What waits to be merged is proposed anew among all the person's memories.
    rows.without(
        {one.id for one in rows.of(Memory) if one.state in GONE or one.attribute == MERGE_SLOT}
    )
    current = [one for one in rows.of(Version) if one.superseded_at is None]
    taken = Taken(
        vault=vault,
        rows=rows,
        opened={
            one.memory.id: one for one in access.open_versions(vault, rows.of(Memory), current)
        },
        grants=list(Grant.objects.filter(**mine)),
        interests=list(Interest.objects.filter(**mine)),
    )
    emptied: tuple[type[models.Model], ...] = (*DROPPED, *MOVED, Grant)
    for model in emptied:
        there = model._default_manager.filter(**mine)
        # Tombstones' twins stay: they hold nothing, and say when it went.
        (there.exclude(state__in=GONE) if model is Memory else there).delete()
    return taken


def _wait_for_workers(source: Principal) -> None:
    """Hold whoever reads a message or makes a vector; they find nothing afterwards."""
    mine = {"tenant_id": source.tenant_id, "subject_id": source.person_id}
    messages = Message.objects.filter(**mine).order_by("session_id", "sequence")
    list(messages.select_for_update(of=("self",)).values_list("id"))
    lock_subject(source)
    list(Memory.objects.filter(**mine).order_by("id").select_for_update().values_list("id"))
