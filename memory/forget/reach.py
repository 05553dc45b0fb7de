"""What forgetting and erasing reach: counted before, listed after, for the person."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.models import AuditEvent
from accounts.principal import Principal
from memory import access
from memory.choices import GONE
from memory.choices.transfer import LOG
from memory.errors import Forbidden
from memory.forget.receipt import access_erasure
from memory.models import (
    Derivation,
    Erasure,
    ErasureStep,
    Event,
    Evidence,
    Memory,
    Session,
    Term,
    Vector,
    Version,
)
from memory.policy import LOOK
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What goes with one memory. ``siblings`` came from the same messages and stay."""

    opened: access.OpenedMemory
    versions: int
    index_entries: int
    quotes: int
    messages: int
    siblings: Sequence[access.OpenedMemory]


def reach(principal: Principal, memory_id: uuid.UUID) -> Reach:
    """Count what an erasure of one memory would take along, and list what would stay.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    with acting(principal):
        memory = access.access_memory(principal, memory_id, action=Action.FORGET)
        mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
        cited = Evidence.objects.filter(**mine, memory_id=memory_id)
        events = set(cited.filter(event_id__isnull=False).values_list("event_id", flat=True))
        shared = Evidence.objects.filter(**mine, event_id__in=events).exclude(memory_id=memory_id)
        others = access.memories_visible_to(principal).filter(
            id__in=shared.values_list("memory_id", flat=True)
        )
        vault = open_vault(principal)
        siblings = access.open_current(vault, others.order_by("-created_at"))
        note_reach(principal, memory)
        return Reach(
            opened=access.open_current(vault, [memory])[0],
            versions=Version.objects.filter(**mine, memory_id=memory_id).count(),
            index_entries=Term.objects.filter(**mine, memory_id=memory_id).count()
            + Vector.objects.filter(**mine, memory_id=memory_id).count(),
            quotes=cited.count(),
            messages=Event.objects.filter(**mine, id__in=events).count(),
            siblings=siblings,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeReach:
    """How much there is of a person: what an erasure of everything takes. ``derived`` are memories that
    were worked out from others; ``exports`` the files of memories that were made, which stay where
    they are."""

    memories: int
    versions: int
    sessions: int
    messages: int
    derived: int
    exports: int


def whole_reach(principal: Principal) -> WholeReach:
    """Count what an erasure of everything would take along.

    Raises:
        Forbidden: for anybody but the person.
    """
    if not principal.is_person:
        raise Forbidden("Only the person sees how much there is of them.")
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    with acting(principal):
        there = Memory.objects.filter(**mine).exclude(state__in=GONE)
        exported = AuditEvent.objects.filter(**mine, code=AuditCode.DATA_EXPORTED)
        exported = exported.exclude(reason=LOG)
        found = WholeReach(
            memories=there.count(),
            versions=Version.objects.filter(**mine, memory__in=there).count(),
            sessions=Session.objects.filter(**mine).count(),
            messages=Event.objects.filter(**mine).count(),
            derived=there.filter(id__in=Derivation.objects.filter(**mine).values("memory")).count(),
            exports=exported.count(),
        )
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=found.memories, reason="reach"
        )
        return found


def note_reach(principal: Principal, memory: Memory, *, count: int | None = None) -> None:
    """Note that it was looked at what goes with a memory; ``count`` are the other memories shown."""
    audit.record(
        principal,
        AuditCode.MEMORY_READ,
        object_kind="memory",
        object_id=memory.id,
        sensitivity=memory.sensitivity,
        result_count=count,
        reason="reach",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was forgotten at one moment and can be taken back until another: one memory, or many
    together. ``first`` are the first of them, a page at most, ``number`` is how many there are."""

    until: datetime
    number: int
    first: Sequence[access.OpenedMemory]


def forgotten(principal: Principal, *, limit: int = 200) -> list[Forgotten]:
    """Return what was forgotten and can still be taken back, the most urgent first.

    Raises:
        Forbidden: without a grant to forget.
    """
    access.require(principal, Action.FORGET)
    with acting(principal):
        rows = Memory.objects.visible_to(principal).undoable(timezone.now())
        by_moment: dict[datetime, list[uuid.UUID]] = {}
        for until, id_ in rows.order_by("undo_until", "id").values_list("undo_until", "id"):
            if until is not None:
                by_moment.setdefault(until, []).append(id_)
        moments = list(by_moment.items())[:limit]
        shown = rows.filter(id__in=[id_ for _, ids in moments for id_ in ids[: LOOK.page]])
        opened = access.open_current(open_vault(principal), shown)
        by_id = {one.memory.id: one for one in opened}
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=len(opened), reason="forgotten"
        )
    return [
        Forgotten(
            until=until,
            number=len(ids),
            first=[by_id[id_] for id_ in ids[: LOOK.page] if id_ in by_id],
        )
        for until, ids in moments
    ]


def erasures(
    principal: Principal, *, limit: int = 200
) -> list[tuple[Erasure, Sequence[ErasureStep]]]:
    """Return the person's erasures with their steps, newest first: ids, counts and times."""
    rows = Erasure.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    found = list(rows.order_by("-requested_at", "id").prefetch_related("steps")[:limit])
    return [(one, sorted(one.steps.all(), key=lambda step: step.position)) for one in found]


def tracked(principal: Principal, erasure_id: uuid.UUID) -> tuple[Erasure, list[ErasureStep]]:
    """Return one erasure with its steps in order.

    Raises:
        NotFound: if it is not theirs.
    """
    erasure = access_erasure(principal, erasure_id)
    return erasure, steps_of(erasure)


def steps_of(erasure: Erasure) -> list[ErasureStep]:
    """Return the steps of an erasure in order."""
    return list(erasure.steps.order_by("position"))


def erasure_of(principal: Principal, memory_id: uuid.UUID) -> Erasure | None:
    """Return the erasure that took one memory of the person, if one did."""
    rows = Erasure.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    return rows.filter(memory_ids__contains=[memory_id]).first()
