"""Which of a person's agents can see one memory now, by the very rule that recall obeys."""

import uuid
from dataclasses import dataclass

from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action
from accounts.principal import Principal
from accounts.subjects import rights_of_agents
from memory import access
from memory.models import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """An agent with a grant, and whether it can see the memory."""

    name: str
    sees: bool


def readers(principal: Principal, memory_id: uuid.UUID) -> list[Reader]:
    """Return the person's agents by name, each with whether it can see the memory.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    subject = access.subject_of(principal)
    with acting(principal):
        memory = access.access_memory(principal, memory_id)
    seen: dict[tuple[object, ...], bool] = {}
    found = []
    for rights in map(Principal.at_most, rights_of_agents(principal, subject)):
        # Agents of equal rights see the same, but for what one of them keeps to itself.
        alike = rights.clearance, rights.kinds, rights.agent_id == memory.agent_id
        reads = rights.may(Action.READ) and rights.may_use
        if reads and alike not in seen:
            seen[alike] = _sees(rights, memory_id)
        found.append(Reader(name=rights.label, sees=reads and seen[alike]))
    return found


def _sees(rights: Principal, memory_id: uuid.UUID) -> bool:
    with acting(rights):
        return (
            Memory.objects.visible_to(rights).in_use(timezone.now()).filter(id=memory_id).exists()
        )
