"""Why a memory was handed over, or why not: for the one it is about, or an operator.

An explanation repeats the recall as the asker would have made it (the person, or one of their agents,
under exactly the agent's walls) and then searches everything that exists, to say of what the recall
never looked at why it did not. It is no use of a memory and leaves no recall.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, ActorKind, AuditCode
from accounts.models import Grant
from accounts.principal import Principal
from accounts.subjects import rights_for, system
from memory import access
from memory.choices import RecallStatus
from memory.errors import Forbidden, NotFound
from memory.policy import RecallPolicy
from memory.recall.pipeline import check, status_of
from memory.recall.table import Line, Table
from memory.recall.values import RecallQuery
from memory.recall.weigh import Weighed, weigh
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The table, best first; ``about`` is the line of the memory that was asked about.

    ``weighed`` is None if nothing is handed to the asker at all: no grant to read, or memory is off.
    """

    status: RecallStatus
    policy: RecallPolicy
    weighed: Weighed | None
    lines: Sequence[Line]
    about: Line | None


def explain(
    principal: Principal,
    query: RecallQuery,
    *,
    memory_id: uuid.UUID | None = None,
    agent_id: uuid.UUID | None = None,
) -> Explanation:
    """Return what a recall by the person, or by the agent ``agent_id``, weighs and why.

    An operator gets ids and numbers, no words.

    Raises:
        Forbidden: for an agent: it would learn of what it may not see.
        NotFound: if the person has no such agent or memory.
        Gone: if the memory was erased.
        InvalidInput: as for a recall.
    """
    policy = check(principal, query)
    if principal.kind not in (ActorKind.PERSON, ActorKind.OPERATOR):
        raise Forbidden("Only the person or an operator may ask why.")
    access.require(principal, Action.READ)
    whole = principal if principal.is_person else _service(principal)
    asker = whole if agent_id is None else _agent(principal, agent_id, purpose=query.purpose)
    now, weighed = timezone.now(), None
    if asker.may(Action.READ) and asker.may_use:
        with acting(asker, patience=policy.patience):
            weighed = weigh(asker, open_vault(asker), query, policy=policy, now=now)
    with acting(whole, patience=policy.patience):
        table = Table(
            whole=whole,
            asker=asker,
            vault=open_vault(whole),
            query=query,
            policy=policy,
            weighed=weighed,
            now=now,
        )
        lines, about = table.lines(), None
        if memory_id is not None:
            memory = access.access_memory(whole, memory_id)
            mine = (line for line in lines if line.memory_id == memory_id)
            about = next(mine, None) or table.line_of(memory)
        audit.record(
            principal,
            AuditCode.MEMORY_EXPLAINED,
            object_kind="memory" if memory_id else "",
            object_id=memory_id,
            result_count=len(lines),
        )
    if not principal.is_person:
        lines = [_closed(line) for line in lines]
        about = about and _closed(about)
    return Explanation(
        status=status_of(weighed) if weighed else RecallStatus.NOTHING_RELEVANT,
        policy=policy,
        weighed=weighed,
        lines=lines,
        about=about,
    )


def _service(principal: Principal) -> Principal:
    """Return the service, which weighs for an operator: nobody else is handed a word."""
    return system(principal.tenant_id, principal.person_id, label="explain").unlimited()


def _agent(principal: Principal, agent_id: uuid.UUID, *, purpose: str) -> Principal:
    """Return the agent with its rights, without making a grant it does not have."""
    subject = access.subject_of(principal)
    with acting(principal):
        known = Grant.objects.filter(
            tenant_id=principal.tenant_id, subject=subject, agent_id=agent_id
        )
        if not known.exists():
            raise NotFound("No agent of this id acts for the person.")
    agent = Principal(kind=ActorKind.AGENT, tenant_id=principal.tenant_id, actor_id=agent_id)
    return rights_for(agent, subject).using(purpose=purpose)


def _closed(line: Line) -> Line:
    return replace(line, opened=None)
