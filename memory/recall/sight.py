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

SHOWN = 100  # in a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """How many memories the agent can see, how many of them it may use now, and a page of the list.

    ``past`` is how many stand before the page, ``left`` how many after it.
    """

    total: int
    usable: int
    past: int
    left: int
    items: Sequence[access.OpenedMemory]


NOTHING = Sight(total=0, usable=0, past=0, left=0, items=())


def sight(principal: Principal, agent_id: uuid.UUID, *, past: int = 0) -> Sight:
    """Return what an agent that has a grant can see, opened for the person, the newest first.

    The page begins ``past`` so many, so that the list can be read to its end; behind it, anew.

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
        begin = past if past < total else 0
        rows = list(seen.order_by("-created_at", "-id")[begin : begin + SHOWN])
    with acting(principal):
        audit.record(principal, AuditCode.MEMORY_LISTED, result_count=len(rows), reason="sight")
        opened = access.open_current(open_vault(principal), rows)
    left = max(0, total - begin - SHOWN)
    return Sight(total=total, usable=usable, past=begin, left=left, items=opened)
