"""What one agent can see of a person: the exact list, by the very rules that bind the agent."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, ActorKind, AuditCode
from accounts.principal import Principal
from accounts.subjects import rights_for
from memory import access
from memory.vault import open_vault

SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """How many memories the agent can see, how many of them it may use now, and the newest."""

    total: int
    usable: int
    items: Sequence[access.OpenedMemory]


NOTHING = Sight(total=0, usable=0, items=())


def sight(principal: Principal, agent_id: uuid.UUID) -> Sight:
    """Return what an agent that has a grant can see, opened for the person, the newest first.

    Raises:
        Forbidden: for anybody without the right to read.
    """
    access.require(principal, Action.READ)
    subject = access.subject_of(principal)
    agent = Principal(kind=ActorKind.AGENT, tenant_id=principal.tenant_id, actor_id=agent_id)
    rights = rights_for(agent, subject).at_most()
    if not rights.may(Action.READ) or not rights.may_use:
        return NOTHING
    with acting(rights):  # the walls of the database bind as they bind the agent
        seen = access.memories_visible_to(rights)
        total, usable = seen.count(), seen.in_use(timezone.now()).count()
        rows = list(seen.order_by("-created_at", "-id")[:SHOWN])
    with acting(principal):
        audit.record(principal, AuditCode.MEMORY_LISTED, result_count=len(rows), reason="sight")
        opened = access.open_current(open_vault(principal), rows)
    return Sight(total=total, usable=usable, items=opened)
