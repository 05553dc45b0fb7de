"""How an agent comes in: its keys revoked or replaced, and the agent disconnected, by the person."""

import uuid

from django.core.exceptions import PermissionDenied
from django.utils import timezone

from accounts import audit, grants, keys, rights
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.grants import NoGrant
from accounts.models import ApiKey, Grant, Subject
from accounts.principal import Principal


def may_revoke_keys(principal: Principal) -> bool:
    """Whether the keys of the tenant's agents serve this person alone.

    A key speaks for its agent about everybody in the tenant; one person may not take it from others.
    """
    others = Subject.objects.of_tenant(principal.tenant_id).filter(erased_at__isnull=True)
    mine = Subject.objects.filter(id=principal.person_id).values("login_id")
    return not others.exclude(id=principal.person_id).exclude(login_id__in=mine).exists()


def revoke_key(principal: Principal, agent_id: uuid.UUID, key_id: uuid.UUID) -> None:
    """Revoke one key of an agent that serves nobody but this person.

    Raises:
        PermissionDenied, NoGrant: not the person, or others depend on it; not their agent's key.
    """
    grants.require_person(principal)
    with acting(principal):
        _key(principal, agent_id, key_id)
        keys.revoke(principal, key_id=key_id)


def rotate_key(principal: Principal, agent_id: uuid.UUID, key_id: uuid.UUID) -> str:
    """Put a new key in the place of one that serves nobody else; return its text, shown once.

    It lasts from now as long as the one before did, and that one is refused from now on.

    Raises:
        PermissionDenied, NoGrant: as for revoking it.
    """
    grants.require_person(principal)
    with acting(principal):
        old = _key(principal, agent_id, key_id)
        ends = old.expires_at and timezone.now() + (old.expires_at - old.created_at)
        _, full = keys.replace(principal, old, expires_at=ends)
    return full


def disconnect(principal: Principal, agent_id: uuid.UUID) -> None:
    """Take every right away from an agent, and its keys where they serve nobody else.

    Raises:
        PermissionDenied, NoGrant: not the person; not their agent.
    """
    grants.require_person(principal)
    with acting(principal):
        found = grants.find_agent(principal, agent_id)
        alone = may_revoke_keys(principal)
        rows = Grant.objects.filter(id=found.grant.id)
        if rights.change(rows.exclude(actions=[]), actions=[]):
            audit.record(
                principal,
                AuditCode.GRANT_CHANGED,
                object_kind="agent",
                object_id=agent_id,
                fields=["actions"],
                decision="disconnect",
            )
        for key in (*found.keys, *found.expired) if alone else ():
            keys.revoke(principal, key_id=key.id)


def disconnect_all(principal: Principal) -> int:
    """Disconnect every agent of the person; return how many there are.

    Raises:
        PermissionDenied: not the person.
    """
    grants.require_person(principal)
    with acting(principal):
        found = grants.list_agents(principal)
        for one in found:
            disconnect(principal, one.agent.id)
    return len(found)


def _key(principal: Principal, agent_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    found = grants.find_agent(principal, agent_id)
    own = (key for key in (*found.keys, *found.expired) if key.id == key_id)
    if (key := next(own, None)) is None:
        raise NoGrant
    if not may_revoke_keys(principal):
        raise PermissionDenied("This key serves other people too.")
    return key
