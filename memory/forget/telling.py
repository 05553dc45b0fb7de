"""Sending notices to the addresses of agents: leased, signed, tried again with a growing pause.

Nothing is sent but ids and times. After the policy's attempts a notice needs the operator's attention;
the agent can still fetch what it says.
"""

import json
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.acting import acting
from accounts.subjects import system
from memory.choices.notices import NoticeState
from memory.forget.signing import headers, secret_of
from memory.models import Erasure, LedgerEntry, OutboxMessage, WebhookTarget
from memory.policy import NOTICE, WORK
from memory.providers import outside
from memory.queue import in_time, is_due, is_free
from memory.vault import open_tenant_vault

log = structlog.get_logger()
PURPOSE = "webhook"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Letter:
    url: str
    secret: bytes
    body: bytes


def sweep(limit: int = 100) -> int:
    """Send the notices that are due, as many as a sweep may begin; return how many were due."""
    now = timezone.now()
    ids = list(_due(now).order_by("due_at").values_list("id", flat=True)[:limit])
    for notice_id in in_time(ids):
        send(notice_id)
    return len(ids)


def send(notice_id: uuid.UUID) -> None:
    """Send one notice, if nobody else is at it; the agent may get it twice, under the same id."""
    notice = _lease(notice_id)
    if notice is None:
        return
    try:
        status = _post(notice)
    except outside.Refused:
        _put_back(notice, error="refused")
    except outside.Unreached as error:
        _put_back(notice, error=str(error))
    except Exception as error:
        log.exception("notice_broken", notice=str(notice.id))
        _put_back(notice, error=type(error).__name__)
    else:
        _settle(notice, status)


def _post(notice: OutboxMessage) -> int | None:
    """Return what the agent's address answered; None if it has none any more."""
    letter = _letter(notice)
    if letter is None:
        return None
    signed = headers(letter.secret, message_id=str(notice.id), at=timezone.now(), body=letter.body)
    return outside.post(letter.url, letter.body, signed)


def _settle(notice: OutboxMessage, status: int | None) -> None:
    if status is None:
        _note(notice, state=NoticeState.TO_FETCH)
    elif status in NOTICE.taken:
        now = timezone.now()
        _note(notice, state=NoticeState.DELIVERED, status=status, error="", delivered_at=now)
    else:
        _put_back(notice, error="status", status=status)


def _due(now: datetime) -> QuerySet[OutboxMessage]:
    due = is_due(now, within=NOTICE.backoff_cap_seconds)
    return OutboxMessage.objects.filter(is_free(now), due, state=NoticeState.QUEUED)


def _lease(notice_id: uuid.UUID) -> OutboxMessage | None:
    now = timezone.now()
    with transaction.atomic():
        notice = _due(now).filter(id=notice_id).select_for_update(skip_locked=True).first()
        if notice is None:
            return None
        notice.attempts += 1
        notice.leased_until = now + timedelta(seconds=WORK.lease_seconds)
        notice.save(update_fields=["attempts", "leased_until"])
    return notice


def _letter(notice: OutboxMessage) -> _Letter | None:
    """Return what is sent where, or None if the agent has no address any more."""
    if notice.agent_id is None or notice.erasure_id is None:
        return None
    with acting(system(notice.tenant_id, notice.subject_id, label="notices")) as principal:
        target = WebhookTarget.objects.filter(
            tenant_id=notice.tenant_id, agent_id=notice.agent_id, revoked_at__isnull=True
        ).first()
        if target is None:
            return None
        key = open_tenant_vault(principal).derived(PURPOSE)
    return _Letter(
        url=target.url, secret=secret_of(key, target.id), body=_body(notice, notice.erasure_id)
    )


def _body(notice: OutboxMessage, erasure_id: uuid.UUID) -> bytes:
    """Return the notice as JSON: ids, as `/deletions` lists them; the rest is to be fetched there."""
    erasure = Erasure.objects.get(tenant_id=notice.tenant_id, id=erasure_id)
    lines = LedgerEntry.objects.filter(tenant_id=notice.tenant_id, erasure_id=erasure_id)
    found = list(lines.order_by("number")[: NOTICE.most + 1])
    said = {
        "type": notice.topic,
        "timestamp": notice.created_at.isoformat(),
        "data": {
            "erasure_id": str(erasure_id),
            "person_id": str(notice.subject_id),
            "scope": erasure.scope,
            "deletions": [
                {"number": one.number, "kind": one.object_kind, "id": str(one.object_id)}
                for one in found[: NOTICE.most]
            ],
            "more": len(found) > NOTICE.most,
        },
    }
    return json.dumps(said, separators=(",", ":")).encode()


def _put_back(notice: OutboxMessage, *, error: str, status: int | None = None) -> None:
    log.warning("notice_failed", notice=str(notice.id), attempts=notice.attempts, error=error)
    over = notice.attempts >= WORK.attempts
    delay = min(NOTICE.backoff_seconds * 2 ** min(notice.attempts, 16), NOTICE.backoff_cap_seconds)
    _note(
        notice,
        state=NoticeState.NEEDS_ATTENTION if over else NoticeState.QUEUED,
        due_at=timezone.now() + timedelta(seconds=delay),
        error=error[:40],
        status=status,
    )


def _note(notice: OutboxMessage, **columns: object) -> None:
    OutboxMessage.objects.filter(id=notice.id).update(leased_until=None, **columns)
