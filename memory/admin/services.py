"""What an operator may do: each one function, with permission, change and audit together.

Every change leaves the line ``console.acted`` with what was done and why, besides what the service
below writes. The reason is a code and a ticket's name, so that the log stays free of content.
"""

import re
import uuid
from typing import Any

from django.utils import timezone

from accounts import audit, keys, rights
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode, HoldReason
from accounts.models import Agent, ApiKey
from accounts.principal import Principal
from memory import queue
from memory.choices import UNFINISHED, ErasureState, JobState, StepState
from memory.errors import Forbidden, InvalidInput
from memory.forget import holds
from memory.models import Erasure, ErasureStep, Job

REASONS = {
    "fault_fixed": "The fault is fixed",
    "security": "Security incident",
    "asked_by_tenant": "The tenant asked for it",
    "asked_by_person": "The person asked for it",
    "mistake": "Something was set up wrongly",
    "drill": "Drill",
}
# Letters, digits and a few signs, no spaces: a name like OPS-123, not a sentence.
TICKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9#/._-]{1,23}")


def because(code: str, ticket: str) -> str:
    """Return the reason as the audit log keeps it.

    Raises:
        InvalidInput: for a code that is not on the list or a ticket that reads like a sentence.
    """
    if code not in REASONS or not TICKET.fullmatch(ticket):
        raise InvalidInput("Give a reason from the list and the name of a ticket, like OPS-123.")
    return f"{code} {ticket}"


def revoke_key(operator: Principal, key_id: uuid.UUID, *, reason: str) -> bool:
    """Stop a key at once; return whether it was alive."""
    require_operator(operator)
    with acting(operator):
        mine = ApiKey.objects.filter(tenant_id=operator.tenant_id, id=key_id)
        if not mine.filter(revoked_at__isnull=True).exists():
            return False
        keys.revoke(operator, key_id=key_id)
        note(operator, "revoke_key", "key", key_id, reason)
    return True


def pause_agent(operator: Principal, agent_id: uuid.UUID, *, reason: str) -> bool:
    """Let none of the agent's keys in until it is resumed; return whether that is new."""
    return _change_agent(operator, agent_id, "pause_agent", reason, paused_at=timezone.now())


def resume_agent(operator: Principal, agent_id: uuid.UUID, *, reason: str) -> bool:
    """Let the agent's keys in again; return whether it was paused."""
    return _change_agent(operator, agent_id, "resume_agent", reason, paused_at=None)


def allow_links(operator: Principal, agent_id: uuid.UUID, *, reason: str) -> bool:
    """Let the agent give people the link to take charge; return whether that is new."""
    return _change_agent(operator, agent_id, "allow_links", reason, may_link=True)


def refuse_links(operator: Principal, agent_id: uuid.UUID, *, reason: str) -> bool:
    """Let the agent give no more links; return whether it could."""
    return _change_agent(operator, agent_id, "refuse_links", reason, may_link=False)


def _change_agent(
    operator: Principal, agent_id: uuid.UUID, action: str, reason: str, **switch: Any
) -> bool:
    """Set one switch of an agent; return whether it stood otherwise. A pause keeps its first time."""
    ((name, value),) = switch.items()
    require_operator(operator)
    with acting(operator):
        agent = (
            Agent.objects.select_for_update()
            .filter(tenant_id=operator.tenant_id, id=agent_id)
            .first()
        )
        changed = agent is not None and bool(getattr(agent, name)) != bool(value)
        if changed:
            rights.change(Agent.objects.filter(id=agent_id), **switch)
            note(operator, action, "agent", agent_id, reason)
    return changed


def hold_person(operator: Principal, person_id: uuid.UUID, *, reason: str, ground: str) -> bool:
    """Keep everything of a person from being destroyed; return whether that is new."""
    require_operator(operator)
    with acting(operator):
        changed = holds.place(operator, person_id, reason=HoldReason(ground))
        if changed:
            note(operator, "hold_person", "subject", person_id, reason)
    return changed


def end_hold(operator: Principal, person_id: uuid.UUID, *, reason: str) -> bool:
    """Let what a person had erased be destroyed; return whether they were on hold."""
    require_operator(operator)
    with acting(operator):
        changed = holds.end(operator, person_id)
        if changed:
            note(operator, "end_hold", "subject", person_id, reason)
    return changed


def retry_step(operator: Principal, step_id: uuid.UUID, *, reason: str) -> bool:
    """Make a failed erasure step due now, with new attempts; return whether it had failed."""
    require_operator(operator)
    with acting(operator):
        step = ErasureStep.objects.filter(
            tenant_id=operator.tenant_id, id=step_id, state=StepState.FAILED
        ).first()
        if step is None:
            return False
        ErasureStep.objects.filter(id=step.id, state=StepState.FAILED).update(
            state=StepState.QUEUED, attempts=0, due_at=timezone.now(), leased_until=None
        )
        Erasure.objects.filter(id=step.erasure_id, state=ErasureState.NEEDS_ATTENTION).update(
            state=ErasureState.RUNNING
        )
        note(operator, "retry_step", "erasure", step.erasure_id, reason)
        queue.enqueue("memory.run_erasure", step.erasure_id)
    return True


def cancel_job(operator: Principal, job_id: uuid.UUID, *, reason: str) -> bool:
    """Stop a job that waits or runs, which a worker sees at its next step, or put one away that was
    given up; return whether it did."""
    require_operator(operator)
    with acting(operator):
        mine = Job.objects.filter(tenant_id=operator.tenant_id, id=job_id)
        changed = bool(
            mine.filter(state__in=(*UNFINISHED, JobState.FAILED)).update(
                state=JobState.CANCELLED, finished_at=timezone.now(), leased_until=None
            )
        )
        if changed:
            note(operator, "cancel_job", "job", job_id, reason)
    return changed


def retry_job(operator: Principal, job_id: uuid.UUID, *, reason: str) -> bool:
    """Make a job that was given up or cancelled due now, with new attempts; return whether it was."""
    require_operator(operator)
    with acting(operator):
        ended = Job.objects.filter(
            tenant_id=operator.tenant_id,
            id=job_id,
            state__in=(JobState.FAILED, JobState.CANCELLED),
        )
        changed = bool(
            ended.update(
                state=JobState.PENDING,
                attempts=0,
                due_at=timezone.now(),
                leased_until=None,
                finished_at=None,
            )
        )
        if changed:
            note(operator, "retry_job", "job", job_id, reason)
            queue.enqueue("memory.run_job", job_id)
    return changed


def require_operator(principal: Principal) -> None:
    """Refuse anybody but an operator.

    Raises:
        Forbidden: for anybody else.
    """
    if principal.kind != ActorKind.OPERATOR:
        raise Forbidden("Only an operator may do this.")


def note(operator: Principal, action: str, kind: str, object_id: uuid.UUID, reason: str) -> None:
    """Write down what was done and why, inside the transaction that did it."""
    audit.record(
        operator,
        AuditCode.CONSOLE_ACTED,
        object_kind=kind,
        object_id=object_id,
        decision=action,
        reason=reason,
    )
