"""What an operator may do about telling agents of erasures: give an address, take it back, try again."""

import uuid

from django.utils import timezone

from accounts import rights
from accounts.acting import acting
from accounts.models import Agent
from accounts.principal import Principal
from memory import queue
from memory.admin.services import note, require_operator
from memory.choices.notices import NoticeState
from memory.errors import InvalidInput
from memory.forget.signing import secret_of, shown
from memory.forget.telling import PURPOSE
from memory.models import OutboxMessage, WebhookTarget
from memory.providers import outside
from memory.vault import open_tenant_vault


def register_target(
    operator: Principal, agent_id: uuid.UUID, *, reason: str, url: str
) -> str | None:
    """Tell the agent of erasures at ``url`` from now on, in place of where it was told before.

    Return the secret that signs what is sent, to be shown once; None if there is no such agent. What
    the agent has not been told yet is sent there as well.

    Raises:
        Forbidden: for anybody but an operator.
        InvalidInput: for an address that may not be posted to.
    """
    require_operator(operator)
    try:
        outside.check(url)
    except outside.Refused as refused:
        raise InvalidInput(str(refused)) from None
    with acting(operator):
        if not Agent.objects.filter(tenant_id=operator.tenant_id, id=agent_id).exists():
            return None
        _revoke(operator, agent_id=agent_id)
        target = WebhookTarget.objects.create(
            tenant_id=operator.tenant_id, agent_id=agent_id, url=url
        )
        notices = OutboxMessage.objects.filter(
            tenant_id=operator.tenant_id, agent_id=agent_id, acknowledged_at__isnull=True
        ).filter(state__in=(NoticeState.TO_FETCH, NoticeState.NEEDS_ATTENTION))
        notices.update(state=NoticeState.QUEUED, attempts=0, due_at=timezone.now())
        note(operator, "register_target", "agent", agent_id, reason)
        queue.enqueue("memory.sweep_notices")
        return shown(secret_of(open_tenant_vault(operator).derived(PURPOSE), target.id))


def revoke_target(operator: Principal, target_id: uuid.UUID, *, reason: str) -> bool:
    """Send nothing to an address any more; return whether it was in use. The agent can still fetch."""
    require_operator(operator)
    with acting(operator):
        changed = _revoke(operator, id=target_id)
        if changed:
            note(operator, "revoke_target", "target", target_id, reason)
    return changed


def retry_notice(operator: Principal, notice_id: uuid.UUID, *, reason: str) -> bool:
    """Send a notice that could not be delivered once more, with new attempts; return whether it had failed."""
    require_operator(operator)
    with acting(operator):
        failed = OutboxMessage.objects.filter(
            tenant_id=operator.tenant_id, id=notice_id, state=NoticeState.NEEDS_ATTENTION
        )
        changed = bool(failed.update(state=NoticeState.QUEUED, attempts=0, due_at=timezone.now()))
        if changed:
            note(operator, "retry_notice", "notice", notice_id, reason)
            queue.enqueue("memory.sweep_notices")
    return changed


def _revoke(operator: Principal, **which: uuid.UUID) -> bool:
    live = WebhookTarget.objects.filter(
        tenant_id=operator.tenant_id, revoked_at__isnull=True, **which
    )
    return bool(rights.change(live, revoked_at=timezone.now()))
