"""One person's messages, boards, summaries and memories, one after the other, each in one transaction.

A place in the order is written ``store:id``. Whoever is stopped goes on from the last place; whoever
begins anew finds nothing to do where the door of today has already been.
"""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import models

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import GONE
from memory.lifecycle import lock_subject
from memory.models import Event, Memory, Summary, TaskBoard
from memory.policy import WORK
from memory.rescan.events import scan_event
from memory.rescan.memories import scan_memory
from memory.rescan.notes import scan_board, scan_summary
from memory.vault import SubjectVault, open_vault

# What was done with one object: a word for the count, or None.
Scan = Callable[[Principal, SubjectVault, uuid.UUID], str | None]


@dataclass(frozen=True, slots=True)
class Store:
    """A store that is looked through, and what is done with each of its objects."""

    name: str
    model: type[models.Model]
    scan: Scan


# Messages first: what rests on a message then rests on what is left of it.
STORES = (
    Store("event", Event, scan_event),
    Store("board", TaskBoard, scan_board),
    Store("summary", Summary, scan_summary),
    Store("memory", Memory, scan_memory),
)


def scan(principal: Principal, after: str) -> Iterator[tuple[str, str | None]]:
    """Pass every object after the place ``after`` ("" for all); yield its place and what was done."""
    begun, _, last = after.partition(":")
    names = [store.name for store in STORES]
    for store in STORES[names.index(begun) if begun else 0 :]:
        since = last if store.name == begun else ""
        while ids := _next(principal, store, since):
            for one in ids:
                with acting(principal.unlimited()):
                    lock_subject(principal)
                    done = store.scan(principal, open_vault(principal), one)
                since = str(one)
                yield f"{store.name}:{since}", done


def _next(principal: Principal, store: Store, since: str) -> list[uuid.UUID]:
    with acting(principal.unlimited()):
        rows = store.model._default_manager.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id
        )
        if store.model is Memory:
            rows = rows.exclude(state__in=GONE)
        if since:
            rows = rows.filter(id__gt=since)
        return list(rows.order_by("id").values_list("id", flat=True)[: WORK.batch])
