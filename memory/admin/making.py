"""An operator makes tenants, agents and keys. A key's text is returned once, to be shown, and stored nowhere."""

import uuid
from datetime import timedelta

from django.utils import timezone

from accounts import keys, rights
from accounts.acting import acting
from accounts.choices import KeyKind
from accounts.models import Agent, ApiKey, Tenant
from accounts.principal import Principal
from accounts.subjects import is_printable
from memory.admin.services import note, require_operator
from memory.errors import InvalidInput

MAX_NAME, MAX_LABEL = 200, 100
# For how many hours the former key of an agent may go on working beside the new one.
OVERLAPS = {0: "Not at all: it stops now", 24: "One day", 7 * 24: "Seven days"}


def add_tenant(
    operator: Principal, tenant_id: uuid.UUID, *, reason: str, name: str, grants_on_first_use: bool
) -> bool:
    """Make an organisation under the id that ``operator`` is at work in.

    Raises:
        InvalidInput: for a name that is no name or is taken.
    """
    require_operator(operator)
    named = checked(name, most=MAX_NAME)
    with acting(operator):
        if Tenant.objects.filter(name=named).exists():
            raise InvalidInput("There is a tenant of this name.")
        Tenant.objects.create(id=tenant_id, name=named, grants_on_first_use=grants_on_first_use)
        note(operator, "add_tenant", "tenant", tenant_id, reason)
    return True


def set_defaults(
    operator: Principal,
    tenant_id: uuid.UUID,
    *,
    reason: str,
    grants_on_first_use: bool | None = None,
    default_clearance: int | None = None,
    default_learning: str | None = None,
) -> bool:
    """Change what an organisation's new people begin with; None stays. Return whether anything changed.

    Who is known already keeps what holds for them.
    """
    require_operator(operator)
    asked = {
        "grants_on_first_use": grants_on_first_use,
        "default_clearance": default_clearance,
        "default_learning": default_learning,
    }
    with acting(operator):
        tenant = Tenant.objects.select_for_update().get(id=tenant_id)
        changes = {
            name: one
            for name, one in asked.items()
            if one is not None and one != getattr(tenant, name)
        }
        if changes:
            rights.change(Tenant.objects.filter(id=tenant_id), **changes)
            note(operator, "set_defaults", "tenant", tenant_id, reason)
    return bool(changes)


def add_agent(
    operator: Principal, tenant_id: uuid.UUID, *, reason: str, name: str, may_link: bool
) -> str:
    """Make an agent of an organisation and return its first key.

    Raises:
        InvalidInput: for a name that is no name or is taken.
    """
    require_operator(operator)
    named = checked(name, most=MAX_NAME)
    with acting(operator):
        if Agent.objects.filter(tenant_id=tenant_id, name=named).exists():
            raise InvalidInput("The tenant has an agent of this name.")
        agent = Agent.objects.create(tenant_id=tenant_id, name=named, may_link=may_link)
        note(operator, "add_agent", "agent", agent.id, reason)
        return keys.issue(operator, kind=KeyKind.AGENT, agent=agent)[1]


def add_key(operator: Principal, agent_id: uuid.UUID, *, reason: str, label: str) -> str | None:
    """Return another key of an agent; None if there is no such agent.

    Raises:
        InvalidInput: for a label that cannot be shown.
    """
    require_operator(operator)
    named = checked(label, most=MAX_LABEL)
    with acting(operator):
        agent = Agent.objects.filter(tenant_id=operator.tenant_id, id=agent_id).first()
        if agent is None:
            return None
        key, full = keys.issue(operator, kind=KeyKind.AGENT, agent=agent, label=named)
        note(operator, "add_key", "key", key.id, reason)
    return full


def add_pipeline_key(
    operator: Principal, tenant_id: uuid.UUID, *, reason: str, label: str
) -> str | None:
    """Return a key that hands in an organisation's documents and does nothing else.

    Raises:
        InvalidInput: for a label that cannot be shown.
    """
    require_operator(operator)
    named = checked(label, most=MAX_LABEL)
    inside = operator.using(tenant_id=tenant_id)
    with acting(inside):
        key, full = keys.issue(inside, kind=KeyKind.PIPELINE, label=named)
        note(inside, "add_pipeline_key", "key", key.id, reason)
    return full


def rotate_key(
    operator: Principal, key_id: uuid.UUID, *, reason: str, overlap: int = 0
) -> str | None:
    """Put a new key in the place of one that works, which goes on for ``overlap`` hours.

    Return the new one; None if there is no such key, it has ended, or it speaks for a person: whoever
    held that could read what operators may not.
    """
    require_operator(operator)
    with acting(operator):
        live = ApiKey.objects.select_for_update().filter(
            tenant_id=operator.tenant_id, id=key_id, revoked_at__isnull=True
        )
        old = live.exclude(kind=KeyKind.PERSON).exclude(expires_at__lte=timezone.now()).first()
        if old is None:
            return None
        new, full = keys.replace(
            operator, old, expires_at=old.expires_at, overlap=timedelta(hours=overlap)
        )
        note(operator, "rotate_key", "key", new.id, reason)
    return full


def checked(text: str, *, most: int) -> str:
    """Return a name as it is stored.

    Raises:
        InvalidInput: if it is empty, too long or cannot be shown.
    """
    named = text.strip()
    if not is_printable(named, most=most):
        raise InvalidInput(f"A name is 1 to {most} characters that can be shown.")
    return named
