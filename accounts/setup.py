"""Making the first rows: tenants, agents, logins. Each may run twice and makes nothing double."""

import secrets
import uuid

from django.db import transaction

from accounts import audit, keys, rights
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode, KeyKind
from accounts.logins import end_sign_ins
from accounts.models import Agent, Subject, Tenant, User
from accounts.principal import Principal


def operator(tenant_id: uuid.UUID) -> Principal:
    """Return the service at work for a whole tenant, before any person."""
    return Principal(kind=ActorKind.SYSTEM, tenant_id=tenant_id, actor_id=None, label="setup")


def find_tenant(name: str) -> Tenant | None:
    """Return the tenant of this name, if there is one."""
    return Tenant.objects.filter(name=name).first()


def get_or_create_tenant(name: str) -> Tenant:
    """Return the tenant of this name."""
    return find_tenant(name) or Tenant.objects.create(name=name)


def get_or_create_agent(tenant: Tenant, name: str, *, may_link: bool = False) -> Agent:
    """Return the tenant's agent of this name; ``may_link`` lets a new one give people links."""
    with acting(operator(tenant.id)):
        agent, _ = Agent.objects.get_or_create(
            tenant=tenant, name=name, defaults={"may_link": may_link}
        )
    return agent


def new_agent_key(agent: Agent, *, label: str, environment: str = "live") -> str:
    """Return the full text of a new key of the agent; it is not stored and cannot be shown again."""
    _, full = keys.issue(
        operator(agent.tenant_id),
        kind=KeyKind.AGENT,
        agent=agent,
        label=label,
        environment=environment,
    )
    return full


def new_pipeline_key(tenant: Tenant, *, label: str, environment: str = "live") -> str:
    """Return the full text of a new key that writes the tenant's documents, as `new_agent_key` does."""
    _, full = keys.issue(
        operator(tenant.id), kind=KeyKind.PIPELINE, label=label, environment=environment
    )
    return full


class NoOperator(LookupError):
    """No operator has this address."""


class LastOperator(Exception):
    """Nobody else could look after the service."""


@transaction.atomic
def login_for(subject: Subject, *, email: str) -> tuple[User, str]:
    """Return the login linked to ``subject`` with a new password, made if there is none."""
    password = secrets.token_urlsafe(9)
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(email, password)
    else:
        user.set_password(password)
        user.save(update_fields=["password"])
    Subject.objects.filter(id=subject.id).update(login=user)
    return user, password


def new_operator(email: str, password: str) -> bool:
    """Make an operator's login; return False if the address is taken (its password stays)."""
    if User.objects.filter(email=email.lower()).exists():
        return False
    User.objects.create_superuser(email, password)
    return True


@transaction.atomic
def dismiss_operator(email: str) -> None:
    """Take the console from a login and end where it is signed in; its own memories stay its own.

    Raises:
        NoOperator: for an address that is no operator's.
        LastOperator: if nobody else is one.
    """
    operators = {one.email: one for one in User.objects.select_for_update().filter(is_staff=True)}
    user = operators.get(email.lower())
    if user is None:
        raise NoOperator(email)
    if len(operators) == 1:
        raise LastOperator
    rights.change(User.objects.filter(pk=user.pk), is_staff=False, is_superuser=False)
    end_sign_ins(user.id)
    for tenant in Tenant.objects.order_by("id"):
        audit.record(
            operator(tenant.id),
            AuditCode.CONSOLE_ACTED,
            object_kind="operator",
            object_id=user.id,
            decision="dismiss_operator",
        )
