"""Everything held about a person: how much is in which store, who read it, and who was handed what.

The stores are those that an erasure of everything empties, so that none can be missing here.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Max, Min, Value, When

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.logins import kept_of
from accounts.models import Agent, AuditEvent, Look
from accounts.principal import Principal
from memory import access
from memory.choices import GONE, ErasureScope
from memory.errors import Forbidden
from memory.forget.erasers import ERASERS
from memory.models import Erasure, Memory
from memory.transfer.export import note, whole_memories

# What somebody looked at, as the log says it.
LOOKS = (
    AuditCode.MEMORY_READ, AuditCode.MEMORY_LISTED, AuditCode.MEMORY_RECALLED,
    AuditCode.MEMORY_EXPLAINED, AuditCode.HISTORY_READ, AuditCode.EVENT_READ,
    AuditCode.CONTEXT_BUILT, AuditCode.SESSION_READ, AuditCode.SESSION_LISTED, AuditCode.BOARD_READ,
    AuditCode.DATA_EXPORTED, AuditCode.OPERATOR_LOOKED,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who looked at what: an actor, one kind of look, how often, and between when.

    ``export`` says of an export what left with it.
    """

    kind: str
    name: str
    code: str
    export: str
    times: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is held: rows of each store by its eraser's name, memories that stand, lines of the log,
    erasures, who read, the looks of operators, and what an export says of the login."""

    memories: int
    stores: Mapping[str, int]
    lines: int
    erasures: int
    readers: Sequence[Reader]
    looks: Sequence[Look]
    login: Mapping[str, Any] | None


def report(principal: Principal) -> Report:
    """Count what is held and say who read it; no text.

    Raises:
        Forbidden: for anybody but the person.
    """
    if not principal.is_person:
        raise Forbidden("Only the person sees everything that is held about them.")
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    everything = Erasure(**mine, scope=ErasureScope.PERSON)  # never saved: it says what to count
    with acting(principal.unlimited()):
        stores = {eraser.store: eraser.rows(everything).count() for eraser in ERASERS}
        log = AuditEvent.objects.filter(**mine)
        found = Report(
            memories=Memory.objects.filter(**mine).exclude(state__in=GONE).count(),
            stores=stores,
            lines=log.count(),
            erasures=Erasure.objects.filter(**mine).count(),
            readers=_readers(principal),
            looks=list(Look.objects.filter(**mine).order_by("-created_at")),
            login=kept_of(access.subject_of(principal).login_id),
        )
        audit.record(
            principal, AuditCode.MEMORY_LISTED, result_count=found.memories, reason="report"
        )
    return found


def _readers(principal: Principal) -> list[Reader]:
    rows = (
        AuditEvent.objects.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id, code__in=LOOKS
        )
        .annotate(export=Case(When(code=AuditCode.DATA_EXPORTED, then="reason"), default=Value("")))
        .values("actor_kind", "actor_id", "code", "export")
        .annotate(times=Count("id"), first=Min("at"), last=Max("at"))
        .order_by("actor_kind", "-last")
    )
    names = _names(principal)
    return [
        Reader(
            kind=row["actor_kind"],
            name=names.get(row["actor_id"], ""),
            code=row["code"],
            export=row["export"],
            times=row["times"],
            first=row["first"],
            last=row["last"],
        )
        for row in rows
    ]


def told(principal: Principal) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Note that everything leaves, then return each memory with the agents it was handed to: who, how
    often, and when last.

    Raises:
        Forbidden: for anybody but the person; at the call.
    """
    note(principal)
    with acting(principal):
        names = _names(principal)
    return (
        (item, [_named(one, names) for one in item["told_to"]])
        for item in whole_memories(principal)
    )


def _named(told: Mapping[str, Any], names: Mapping[uuid.UUID | None, str]) -> dict[str, Any]:
    return {"agent": names.get(told["agent_id"], ""), "times": told["times"], "last": told["last"]}


def _names(principal: Principal) -> dict[uuid.UUID | None, str]:
    rows = Agent.objects.filter(tenant_id=principal.tenant_id)
    return dict(rows.values_list("id", "name"))
