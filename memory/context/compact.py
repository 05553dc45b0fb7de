"""Compacting a session when it is asked for: what a context of this budget would do, without memory."""

import uuid

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.context.build import laid_out
from memory.context.conversation import conversation
from memory.context.remembered import tongue_of
from memory.context.values import ContextQuery, Desk, Laid, LeftOut, Part, Why
from memory.sessions.life import require_reading
from memory.sessions.summaries import stored
from memory.vault import open_vault


def compact(principal: Principal, *, session_id: uuid.UUID, budget: int) -> Laid:
    """Lay a session out in ``budget`` tokens, and keep its summary of the turns that have no room.

    Where everything fits nothing is summarised. Doing it again changes nothing. The log says each time
    that it was read.

    Raises:
        Forbidden: without a grant to read.
        NotFound, Gone: as for any access to a session.
        TooLarge: if its system text alone is over the budget.
    """
    require_reading(principal)
    with acting(principal):
        session = access.access_session(principal, session_id)
        vault = open_vault(principal)
        summary, asked = stored(principal, vault, session), ContextQuery(budget=budget)
        talk = conversation(vault, session, asked, told=summary.event_ids, zone=principal.zone)
        low = LeftOut(part=Part.RECENT, why=Why.LOW_INFORMATION, ids=talk.low)
        desk = Desk(
            language=tongue_of(principal, [], talk.last_said),
            system=talk.system,
            summary=summary,
            exchanges=talk.exchanges,
            order=talk.order,
            left_out=[low] if talk.low else [],
        )
        return laid_out(principal, session, desk, asked)
