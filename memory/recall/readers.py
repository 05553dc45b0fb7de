"""Which of a person's agents can see one memory now, by the very rule that recall obeys."""

import uuid
from dataclasses import dataclass

from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action, ActorKind
from accounts.models import Grant
from accounts.principal import Principal
from accounts.subjects import rights_for
from memory import access
from memory.models import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """An agent with a grant, and whether it can see the memory."""

    agent_id: uuid.UUID
    name: str
    sees: bool


def readers(principal: Principal, memory_id: uuid.UUID) -> list[Reader]:
    """Return the person's agents by name, each with whether it can see the memory.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    subject = access.subject_of(principal)
    with acting(principal):
        access.access_memory(principal, memory_id)
        rows = Grant.objects.filter(tenant_id=principal.tenant_id, subject=subject)
        granted = list(rows.values_list("agent_id", "agent__name").order_by("agent__name"))
    return [
        Reader(agent_id=agent_id, name=name, sees=_sees(rights, memory_id))
        for agent_id, name in granted
        for rights in [rights_for(_agent(principal, agent_id), subject)]
    ]


def _agent(principal: Principal, agent_id: uuid.UUID) -> Principal:
    return Principal(kind=ActorKind.AGENT, tenant_id=principal.tenant_id, actor_id=agent_id)


def _sees(rights: Principal, memory_id: uuid.UUID) -> bool:
    if not rights.may(Action.READ) or not rights.may_use:
        return False
    with acting(rights):
        return (
            Memory.objects.visible_to(rights).in_use(timezone.now()).filter(id=memory_id).exists()
        )
