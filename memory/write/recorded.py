"""A decision of the past, with its memory as it stands now."""

import uuid

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import GONE, Outcome, Reason
from memory.errors import Gone
from memory.models import Decision, Memory
from memory.write.proposal import Decided


def recorded(principal: Principal, decision_id: uuid.UUID) -> Decided:
    """Return what was decided then.

    Raises:
        Gone: if the memory it made, raised or changed was erased since.
    """
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    with acting(principal.unlimited()):
        row = Decision.objects.filter(id=decision_id, **mine).first()
        if row is None:
            raise Gone("What this request made was erased.")
        found = Memory.objects.filter(**mine)
        memory = found.filter(id=row.memory_id).first() if row.memory_id else None
    if row.memory_id and (memory is None or memory.state in GONE):
        raise Gone("What this request made was erased.")
    return Decided(
        id=row.id,
        outcome=Outcome(row.outcome),
        reasons=tuple(Reason(one) for one in row.reasons),
        memory=memory,
        event_id=row.event_id,
    )
