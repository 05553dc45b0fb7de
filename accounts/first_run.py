"""The first operator of a new installation: made once, by whoever reads a token that lies on the server.

The token lies in a file of `DATA_DIR` that only the service's own user reads, and is said on a terminal,
never in a log. Once there is an operator the file is gone and nothing here opens any more.
"""

import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from accounts import audit, keys
from accounts.acting import acting
from accounts.charge import BadLogin, checked_login
from accounts.choices import ActorKind, AuditCode, KeyKind
from accounts.models import Agent, Tenant, User
from accounts.principal import Principal
from accounts.subjects import MAX_ID, is_printable

FILE = "setup.token"
LOCK = 0x6B656570  # of the database: two at once make one operator


class AlreadyBegun(Exception):
    """There is an operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """What was made: the operator's login, the organisation, and its first agent with its key."""

    user: User
    tenant: Tenant
    agent: Agent
    key: str


def offer(data_dir: Path) -> str:
    """Return the token, made if there is none."""
    path = data_dir / FILE
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32) + "\n")
    return path.read_text().strip()


def withdraw(data_dir: Path) -> None:
    """Take the token away."""
    (data_dir / FILE).unlink(missing_ok=True)


def is_open() -> bool:
    """Whether the first operator is still to be made."""
    return not User.objects.filter(is_staff=True).exists()


def is_fresh() -> bool:
    """Whether nobody has a login yet."""
    return not User.objects.exists()


def begin(*, token: str, email: str, password: str, tenant: str, agent: str) -> Beginning:
    """Make the first operator, an organisation, and its first agent with a key; or nothing at all.

    Raises:
        AlreadyBegun: if there is an operator.
        BadLogin: for a wrong token, a login that cannot be made, or a name that is none or is taken;
            its ``field`` is one of token, email, taken, password, tenant, tenant_taken and agent.
    """
    _check(token)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        if not is_open():
            raise AlreadyBegun
        address = checked_login(email, password)
        names = {"tenant": tenant.strip(), "agent": agent.strip()}
        for field, name in names.items():
            if not is_printable(name, most=MAX_ID):
                raise BadLogin(field)
        if Tenant.objects.filter(name=names["tenant"]).exists():
            raise BadLogin("tenant_taken")
        made = _make(address, password, **names)
        transaction.on_commit(lambda: withdraw(settings.DATA_DIR))
    return made


def _check(token: str) -> None:
    try:
        wanted = (settings.DATA_DIR / FILE).read_text().strip()
    except FileNotFoundError:
        wanted = ""
    if not wanted or not hmac.compare_digest(wanted.encode(), token.strip().encode()):
        if not is_open():
            raise AlreadyBegun
        raise BadLogin("token")


def _make(email: str, password: str, *, tenant: str, agent: str) -> Beginning:
    user = User.objects.create_superuser(email, password)
    organisation = Tenant.objects.create(name=tenant)
    operator = Principal(
        kind=ActorKind.OPERATOR, tenant_id=organisation.id, actor_id=user.id, label="setup"
    )
    with acting(operator):
        program = Agent.objects.create(tenant=organisation, name=agent)
        _, key = keys.issue(operator, kind=KeyKind.AGENT, agent=program, label="first")
        audit.record(
            operator,
            AuditCode.CONSOLE_ACTED,
            object_kind="tenant",
            object_id=organisation.id,
            decision="first_operator",
            reason="setup",
        )
    return Beginning(user=user, tenant=organisation, agent=program, key=key)
