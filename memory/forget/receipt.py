"""The receipt of an erasure: ids, counts and times. No content and no hash of it."""

import hashlib
import hmac
import json
import uuid
from collections.abc import Sequence
from typing import Any

from django.core import signing

from accounts.principal import Principal
from memory import access
from memory.errors import NotFound
from memory.models import Erasure, ErasureStep, LedgerEntry
from memory.vault import signing_key

SALT = "keepsake.receipt"


def access_erasure(principal: Principal, erasure_id: uuid.UUID) -> Erasure:
    """Return one erasure: a person's own; an agent's own request, or of a person it has rights for.

    Raises:
        NotFound: if there is none, or the principal may not know of it.
    """
    found = Erasure.objects.filter(tenant_id=principal.tenant_id, id=erasure_id)
    if principal.is_person:
        found = found.filter(subject_id=principal.person_id)
    erasure = found.first()
    if erasure is None:
        raise NotFound
    if principal.agent_id is None or erasure.requested_by_id == principal.agent_id:
        return erasure
    if not access.for_person(principal, erasure.subject_id).actions:
        raise NotFound
    return erasure


def receipt(erasure: Erasure) -> dict[str, Any]:
    """Return the receipt as JSON-ready values, signed with a key derived from the master key."""
    ledger = LedgerEntry.objects.filter(erasure_id=erasure.id).order_by("number")
    body: dict[str, Any] = {
        "id": str(erasure.id),
        "state": erasure.state,
        "memories": [str(id_) for id_ in erasure.memory_ids],
        "messages": len(erasure.event_ids),
        "session": str(erasure.session_id) if erasure.session_id else None,
        "requested_at": _time(erasure.requested_at),
        "fenced_at": _time(erasure.fenced_at),
        "erased_at": _time(erasure.erased_at),
        "backups_until": _time(erasure.backups_until),
        "ledger": list(ledger.values_list("number", flat=True)),
        "steps": [_step(step) for step in erasure.steps.order_by("position")],
    }
    return body | {"signature": sign(body)}


def token_for(erasures: Sequence[Erasure]) -> str:
    """Return a token for who was erased whole: with it alone, how far that is can be seen."""
    return signing.dumps([str(one.id) for one in erasures], salt=SALT)


def kept_by(token: str) -> list[Erasure]:
    """Return the erasures that a token of ours is for, as they stand.

    Raises:
        NotFound: for any other token.
    """
    try:
        ids = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        raise NotFound from None
    return list(Erasure.objects.filter(id__in=ids).order_by("requested_at", "id"))


def sign(body: dict[str, Any]) -> str:
    """Return the HMAC-SHA256 of a receipt's canonical JSON."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    return hmac.new(signing_key("receipt"), canonical, hashlib.sha256).hexdigest()


def _step(step: ErasureStep) -> dict[str, Any]:
    return {
        "store": step.store,
        "state": step.state,
        "before": step.count_before,
        "after": step.count_after,
        "verified_at": _time(step.verified_at),
    }


def _time(value: Any) -> str | None:
    return value.isoformat() if value is not None else None
