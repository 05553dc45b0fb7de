"""Which agents have called about a person since a line of the log, or were refused: for whoever waits
for a first call.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Max, Min, Q, QuerySet

from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode
from accounts.logins import agent_names
from accounts.models import ApiKey, AuditEvent, Subject
from accounts.principal import Principal

READS = (
    AuditCode.MEMORY_RECALLED,
    AuditCode.MEMORY_READ,
    AuditCode.MEMORY_LISTED,
    AuditCode.CONTEXT_BUILT,
)
WRITES = (AuditCode.MESSAGES_APPENDED, AuditCode.MEMORY_DECIDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One agent: when it first read and wrote since then, and its newest line."""

    agent: str
    read_at: datetime | None
    wrote_at: datetime | None
    line: int


class Refusal(StrEnum):
    """Why a call was refused, or was not about the person."""

    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    SOMEBODY_ELSE = "somebody_else"
    KEY = "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """One agent, why, when last; ``mark`` is a number that grows with each."""

    agent: str
    why: Refusal
    at: datetime
    mark: int


def last_line(principal: Principal) -> int:
    """Return the number of the log's newest line about the person; 0 if there is none."""
    return _lines(principal).aggregate(n=Max("id"))["n"] or 0


def calls_after(principal: Principal, line: int) -> Sequence[Call]:
    """Return the agents with lines after ``line``, whoever called last at the end."""
    after = _lines(principal).filter(id__gt=line, actor_kind=ActorKind.AGENT)
    found: Any = (
        after.values("actor_id")
        .annotate(
            read_at=Min("at", filter=Q(code__in=READS)),
            wrote_at=Min("at", filter=Q(code__in=WRITES)),
            line=Max("id"),
        )
        .order_by("line")
    )
    names = agent_names(principal)
    return [
        Call(agent=names.get(one.pop("actor_id"), ""), **one)
        for one in found
        if one["read_at"] or one["wrote_at"]
    ]


def last_call(principal: Principal) -> tuple[str, datetime] | None:
    """Return which agent called about the person last, and when; None if none has."""
    rows = _lines(principal).filter(actor_kind=ActorKind.AGENT, code__in=(*READS, *WRITES))
    found: Any = rows.order_by("-id").values_list("actor_id", "at").first()
    return (agent_names(principal).get(found[0], ""), found[1]) if found else None


def refused_after(principal: Principal, line: int) -> Sequence[Refused]:
    """Return the agents that were refused after ``line``, with what for, the last at the end.

    A refusal that names nobody, a call about a name nobody had, and one with a key that is over are
    told only where no other person of the tenant has a login: else they may be about others.
    """
    with acting(principal):
        alone = _is_alone(principal)
        names = agent_names(principal)
        found = [*_denied(principal, line, names, alone=alone)]
        if alone:
            found += [*_elsewhere(principal, line, names), *_keys_over(principal, line, names)]
    return sorted(found, key=lambda one: one.at)


def _is_alone(principal: Principal) -> bool:
    living = Subject.objects.of_tenant(principal.tenant_id).filter(erased_at__isnull=True)
    mine = Subject.objects.filter(id=principal.person_id).values("login_id")
    return not living.filter(login_id__isnull=False).exclude(login_id__in=mine).exists()


def _denied(
    principal: Principal, line: int, names: Mapping[uuid.UUID, str], *, alone: bool
) -> Iterator[Refused]:
    about = Q(subject_id=principal.person_id)
    about |= Q(subject_id__isnull=True) if alone else Q()
    rows = _since(principal, line).filter(about, code=AuditCode.ACCESS_DENIED)
    for actor, reason, at, mark in _newest(rows, "actor_id", "reason"):
        why = Refusal.FORBIDDEN if reason == Refusal.FORBIDDEN else Refusal.NOT_FOUND
        yield Refused(agent=names.get(actor, ""), why=why, at=at, mark=mark)


def _elsewhere(
    principal: Principal, line: int, names: Mapping[uuid.UUID, str]
) -> Iterator[Refused]:
    rows = _since(principal, line).filter(code=AuditCode.SUBJECT_CREATED)
    for actor, at, mark in _newest(rows.exclude(subject_id=principal.person_id), "actor_id"):
        yield Refused(agent=names.get(actor, ""), why=Refusal.SOMEBODY_ELSE, at=at, mark=mark)


def _keys_over(
    principal: Principal, line: int, names: Mapping[uuid.UUID, str]
) -> Iterator[Refused]:
    rows = ApiKey.objects.filter(tenant_id=principal.tenant_id, agent_id__isnull=False)
    last = AuditEvent.objects.filter(id=line).values_list("at", flat=True).first()
    rows = rows.filter(refused_at__gt=last) if last else rows.filter(refused_at__isnull=False)
    for agent_id, at in rows.order_by().values_list("agent_id").annotate(at=Max("refused_at")):
        mark = int(at.timestamp())
        yield Refused(agent=names.get(agent_id, ""), why=Refusal.KEY, at=at, mark=mark)


def _since(principal: Principal, line: int) -> QuerySet[AuditEvent]:
    rows = AuditEvent.objects.filter(tenant_id=principal.tenant_id, id__gt=line)
    return rows.filter(actor_kind=ActorKind.AGENT)


def _newest(rows: QuerySet[AuditEvent], *by: str) -> Any:
    return rows.order_by().values_list(*by).annotate(at=Max("at"), mark=Max("id"))


def _lines(principal: Principal) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
