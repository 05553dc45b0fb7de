"""API keys: made, shown once, found by prefix, compared by digest, revoked at once.

A key reads ``ks_<env>_<8 id>_<secret>``: the id finds the row, the SHA-256 of the 256-bit secret
decides (a slow hash would add nothing to a random secret).
"""

import hashlib
import hmac
import re
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode, KeyKind
from accounts.models import Agent, ApiKey, Subject
from accounts.principal import Principal

SHAPE = re.compile(r"ks_[a-z]{1,10}_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{40,60})")
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
FIND = "SELECT * FROM keepsake_find_key(%s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyOwner:
    """Whom a presented key speaks for."""

    key_id: uuid.UUID
    kind: KeyKind
    tenant_id: uuid.UUID
    prefix: str
    agent_id: uuid.UUID | None
    subject_id: uuid.UUID | None
    label: str
    system_of_record: bool


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def issue(
    principal: Principal,
    *,
    kind: KeyKind,
    agent: Agent | None = None,
    subject: Subject | None = None,
    label: str = "",
    expires_at: datetime | None = None,
    environment: str = "live",
) -> tuple[ApiKey, str]:
    """Make a key and return it with its full text, which is shown once and stored nowhere."""
    prefix = "".join(secrets.choice(ALPHABET) for _ in range(8))
    secret = secrets.token_urlsafe(32)
    with acting(principal):
        key = ApiKey.objects.create(
            tenant_id=principal.tenant_id,
            kind=kind,
            agent=agent,
            subject=subject,
            label=label,
            prefix=prefix,
            digest=_digest(secret),
            expires_at=expires_at,
        )
        audit.record(principal, AuditCode.KEY_CREATED, object_kind="key", object_id=key.id)
    return key, f"ks_{environment}_{prefix}_{secret}"


def replace(
    principal: Principal,
    old: ApiKey,
    *,
    expires_at: datetime | None,
    overlap: timedelta = timedelta(0),
) -> tuple[ApiKey, str]:
    """Put a new key, until ``expires_at``, in the place of ``old``, which goes on for ``overlap``.

    Call it inside ``acting``. Return what `issue` does.
    """
    made = issue(
        principal,
        kind=KeyKind(old.kind),
        agent=old.agent,
        label=old.label,
        expires_at=expires_at,
    )
    if overlap:
        end = timezone.now() + overlap
        rights.change(ApiKey.objects.filter(id=old.id), expires_at=min(end, old.expires_at or end))
    else:
        revoke(principal, key_id=old.id)
    return made


def revoke(principal: Principal, *, key_id: uuid.UUID) -> None:
    """Stop a key of the principal's tenant at once; one that is stopped already stays as it is."""
    with acting(principal):
        live = ApiKey.objects.filter(
            tenant_id=principal.tenant_id, id=key_id, revoked_at__isnull=True
        )
        if rights.change(live, revoked_at=timezone.now()):
            audit.record(principal, AuditCode.KEY_REVOKED, object_kind="key", object_id=key_id)


def find(presented: str) -> KeyOwner | None:
    """Return whom ``presented`` speaks for, or None if it is unknown, wrong, expired or revoked.

    The key row is behind the tenant wall before anybody is known, so one SECURITY DEFINER function
    looks it up by prefix.
    """
    shape = SHAPE.fullmatch(presented.strip())
    if shape is None:
        return None
    prefix, secret = shape.groups()
    with connection.cursor() as cursor:
        cursor.execute(FIND, [prefix])
        row = cursor.fetchone()
    if row is None:
        return None
    key_id, kind, tenant_id, agent_id, subject_id, digest, live, label, of_record = row
    if not hmac.compare_digest(bytes(digest), _digest(secret)):
        return None
    if not live:
        _stamp(tenant_id, key_id, "refused_at")
        return None
    return KeyOwner(
        key_id=key_id,
        kind=KeyKind(kind),
        tenant_id=tenant_id,
        prefix=prefix,
        agent_id=agent_id,
        subject_id=subject_id,
        label=label or "",
        system_of_record=bool(of_record),
    )


def touch(owner: KeyOwner) -> None:
    """Note that the key was used, at most once a minute."""
    _stamp(owner.tenant_id, owner.key_id, "last_used_at")


def _stamp(tenant_id: uuid.UUID, key_id: uuid.UUID, column: str) -> None:
    """Put the time into a column of times of a key, at most once a minute."""
    now = timezone.now()
    principal = Principal(kind=ActorKind.SYSTEM, tenant_id=tenant_id, actor_id=None, label="keys")
    with acting(principal):
        fresh = {f"{column}__gt": now - timedelta(minutes=1)}
        ApiKey.objects.filter(id=key_id).exclude(**fresh).update(**{column: now})
