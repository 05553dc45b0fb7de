"""Writes that are answered once: what a request named by its caller has made.

A record holds keyed digests of the caller's key and of the request, the status, and the ids of what
was made; no content. It is written in the transaction of the effect, so that no crash can leave the
one without the other. A request that still runs holds an advisory lock, which a second one does not
get.
"""

import hashlib
import hmac
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db import connection
from django.utils import timezone

from memory.errors import Gone, IdempotencyConflict, IdempotencyInFlight
from memory.models import IdempotencyRecord
from memory.policy import RETENTION

LOCK = "SELECT pg_try_advisory_xact_lock(%s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One request as its caller named it: whose key, and digests of its name and content."""

    tenant_id: uuid.UUID
    key_id: uuid.UUID
    key: bytes
    request: bytes


def make_claim(*, tenant_id: uuid.UUID, key_id: uuid.UUID, name: str, request: bytes) -> Claim:
    """Return the claim of the API key ``key_id`` on the request it calls ``name``."""
    return Claim(
        tenant_id=tenant_id,
        key_id=key_id,
        key=_digest(b"name", key_id.bytes + name.encode()),
        request=_digest(b"request", key_id.bytes + request),
    )


def find(claim: Claim) -> IdempotencyRecord | None:
    """Return what the request has made before; None: it is the first, and holds the lock now.

    Call it in the transaction of the effect; the lock ends with it.

    Raises:
        IdempotencyInFlight: if the same request still runs.
        IdempotencyConflict: if the name was used for another request.
        Gone: if what the request made was erased since.
    """
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [int.from_bytes(claim.key[:8], signed=True)])
        (taken,) = cursor.fetchone()
    if not taken:
        raise IdempotencyInFlight
    record = IdempotencyRecord.objects.filter(key_id=claim.key_id, key=claim.key).first()
    if record is None:
        return None
    if record.expires_at <= timezone.now():
        record.delete()
        return None
    if not record.request:
        raise Gone("What this request made was erased.")
    if not hmac.compare_digest(bytes(record.request), claim.request):
        raise IdempotencyConflict
    return record


def keep(
    claim: Claim, *, status: int, ids: Sequence[uuid.UUID], subject_id: uuid.UUID | None
) -> None:
    """Write down what the request has made, in the transaction that made it."""
    IdempotencyRecord.objects.create(
        tenant_id=claim.tenant_id,
        subject_id=subject_id,
        key_id=claim.key_id,
        key=claim.key,
        request=claim.request,
        status=status,
        object_ids=list(ids),
        expires_at=timezone.now() + RETENTION.idempotency,
    )


def _digest(what: bytes, value: bytes) -> bytes:
    return hmac.new(_key(settings.SECRET_KEY), what + b"\0" + value, hashlib.sha256).digest()


@cache
def _key(secret: str) -> bytes:
    return hmac.digest(secret.encode(), b"keepsake idempotency", "sha256")
