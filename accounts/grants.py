"""What each agent may do for a person: listed, changed, paused. Only the person changes it."""

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import models
from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import Action, AuditCode, KeyKind, MemoryMode
from accounts.models import Agent, ApiKey, Grant
from accounts.modes import checked, mode_of
from accounts.principal import ALL_KINDS, Principal
from accounts.weeks import Week, week_of

CLEARANCES = (10, 20, 30, 40)
# A purpose stands in logs, so it has no room for words.
PURPOSE = re.compile(r"[a-z][a-z0-9_.-]{0,49}")
MOST_PURPOSES = 20


class NoGrant(LookupError):
    """The person has no such agent, or no such key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRights:
    """One agent of a person: what it may do, the keys it comes with that work now, and its week.

    ``expired`` are the keys whose time is over and that nobody revoked.
    """

    agent: Agent
    grant: Grant
    keys: Sequence[ApiKey]
    expired: Sequence[ApiKey]
    week: Week

    @property
    def last_seen(self) -> datetime | None:
        """When one of its keys was used last."""
        return max((key.last_used_at for key in self.keys if key.last_used_at), default=None)

    @property
    def refused(self) -> ApiKey | None:
        """The expired key that was presented last, if that was after every use of a good one."""
        tried = [key for key in self.expired if key.refused_at]
        last = max(tried, key=lambda key: key.refused_at or key.created_at, default=None)
        seen = self.last_seen
        return last if last and (seen is None or (last.refused_at or seen) > seen) else None

    @property
    def standing(self) -> str:
        """Return why it can do nothing now (stopped, disconnected, paused…), else allowed."""
        if self.agent.paused_at:
            return "stopped"
        if not self.grant.actions:
            return "disconnected"
        if self.grant.paused_at:
            return "paused"
        if self.grant.expires_at and self.grant.expires_at <= timezone.now():
            return "expired"
        if mode_of(self.grant)[0] == MemoryMode.OFF:
            return "off"
        return "allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """What a person lets an agent do."""

    actions: Sequence[str]
    kinds: Sequence[str]
    clearance: int
    memory_mode: str
    expires_at: datetime | None
    purposes: Sequence[str] = ()
    mode_until: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse what no form of ours sends.

        Raises:
            ValueError: for an unknown action, kind, level or mode, or a purpose that is no code.
        """
        known = (
            set(self.actions) <= set(Action.values),
            set(self.kinds) <= ALL_KINDS,
            self.clearance in CLEARANCES,
            self.memory_mode in MemoryMode.values,
            len(self.purposes) <= MOST_PURPOSES,
            all(map(PURPOSE.fullmatch, self.purposes)),
        )
        if not all(known):
            raise ValueError("Not rights a grant can hold.")


def list_agents(principal: Principal) -> list[AgentRights]:
    """Return the agents that ever acted for the person, by name."""
    with acting(principal):
        grants = list(_grants(principal).select_related("agent").order_by("agent__name"))
        keys = _keys_of(principal, [grant.agent_id for grant in grants])
        week = week_of(principal)
        return [_rights(grant, keys, week) for grant in grants]


def find_agent(principal: Principal, agent_id: uuid.UUID) -> AgentRights:
    """Return one agent of the person.

    Raises:
        NoGrant: if it never acted for them.
    """
    with acting(principal):
        grant = _grants(principal).select_related("agent").filter(agent_id=agent_id).first()
        if grant is None:
            raise NoGrant
        return _rights(grant, _keys_of(principal, [agent_id]), week_of(principal))


def change(principal: Principal, agent_id: uuid.UUID, rights: Rights) -> None:
    """Let an agent do this much from now on.

    Raises:
        PermissionDenied, NoGrant: not the person; not their agent.
        ValueError: for a time of the mode that is over.
    """
    values = {
        "actions": sorted(rights.actions),
        "kinds": sorted(rights.kinds),
        "clearance": rights.clearance,
        "purposes": sorted(set(rights.purposes)),
        "memory_mode": rights.memory_mode,
        "memory_mode_until": checked(MemoryMode(rights.memory_mode), rights.mode_until),
        "expires_at": rights.expires_at,
    }
    require_person(principal)
    with acting(principal):
        grant = _lock(principal, agent_id)
        changed = [name for name, value in values.items() if _differs(grant, name, value)]
        if changed:
            _set(grant, **{name: values[name] for name in changed})
            _note(principal, grant, changed)


def set_mode(
    principal: Principal, agent_id: uuid.UUID, *, mode: MemoryMode, until: datetime | None = None
) -> Grant:
    """Switch memory on or off for one agent, until then or until it is changed; return its grant.

    Raises:
        PermissionDenied, NoGrant, ValueError: not the person; not their agent; a time that is over.
    """
    require_person(principal)
    until = checked(mode, until)
    with acting(principal):
        grant = _lock(principal, agent_id)
        _set(grant, memory_mode=mode, memory_mode_until=until)
        _note(principal, grant, ["memory_mode", "memory_mode_until"], decision=mode)
    return grant


def pause(principal: Principal, agent_id: uuid.UUID, *, paused: bool) -> None:
    """Stop one agent for this person at once, or let it go on.

    Raises:
        PermissionDenied, NoGrant: not the person; not their agent.
    """
    require_person(principal)
    with acting(principal):
        _set_paused(principal, _lock(principal, agent_id), paused=paused)


def pause_all(principal: Principal) -> int:
    """Stop every agent for this person at once; return how many were stopped now.

    Raises:
        PermissionDenied: not the person.
    """
    require_person(principal)
    with acting(principal):
        found = list(_grants(principal).filter(paused_at__isnull=True).select_for_update())
        for grant in found:
            _set_paused(principal, grant, paused=True)
    return len(found)


def quarantine(principal: Principal, *, until: datetime) -> None:
    """Let the acting agent learn nothing about the person until then; it may go on reading.

    Raises:
        PermissionDenied: if no agent acts.
    """
    if principal.agent_id is None:
        raise PermissionDenied("Only an agent can be kept from learning.")
    mine = _grants(principal).filter(agent_id=principal.agent_id)
    rights.change(mine, memory_mode=MemoryMode.USE_ONLY, memory_mode_until=until)
    audit.record(
        principal,
        AuditCode.GRANT_CHANGED,
        object_kind="agent",
        object_id=principal.agent_id,
        fields=["memory_mode", "memory_mode_until"],
        decision="quarantine",
    )


def require_person(principal: Principal) -> None:
    """Refuse anybody but the person.

    Raises:
        PermissionDenied: for anybody else.
    """
    if not principal.is_person:
        raise PermissionDenied("Only the person decides what agents may do.")


def _grants(principal: Principal) -> models.QuerySet[Grant]:
    return Grant.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)


def _lock(principal: Principal, agent_id: uuid.UUID) -> Grant:
    grant = _grants(principal).select_for_update().filter(agent_id=agent_id).first()
    if grant is None:
        raise NoGrant
    return grant


def _set(grant: Grant, **values: Any) -> None:
    rights.change(Grant.objects.filter(id=grant.id), **values)
    for name, value in values.items():
        setattr(grant, name, value)


def _keys_of(principal: Principal, agent_ids: list[uuid.UUID]) -> list[ApiKey]:
    rows = ApiKey.objects.filter(
        tenant_id=principal.tenant_id,
        kind=KeyKind.AGENT,
        agent_id__in=agent_ids,
        revoked_at__isnull=True,
    )
    return list(rows.order_by("created_at"))


def _rights(grant: Grant, keys: list[ApiKey], week: Mapping[uuid.UUID, Week]) -> AgentRights:
    now = timezone.now()
    own = [key for key in keys if key.agent_id == grant.agent_id]
    return AgentRights(
        agent=grant.agent,
        grant=grant,
        keys=[key for key in own if key.expires_at is None or key.expires_at > now],
        expired=[key for key in own if key.expires_at is not None and key.expires_at <= now],
        week=week.get(grant.agent_id, Week()),
    )


def _differs(grant: Grant, name: str, value: object) -> bool:
    before = getattr(grant, name)
    return (sorted(before) if isinstance(before, list) else before) != value


def _set_paused(principal: Principal, grant: Grant, *, paused: bool) -> None:
    if bool(grant.paused_at) == paused:
        return
    _set(grant, paused_at=timezone.now() if paused else None)
    _note(principal, grant, ["paused_at"], decision="pause" if paused else "resume")


def _note(principal: Principal, grant: Grant, fields: list[str], *, decision: str = "") -> None:
    audit.record(
        principal,
        AuditCode.GRANT_CHANGED,
        object_kind="agent",
        object_id=grant.agent_id,
        fields=fields,
        decision=decision,
    )
