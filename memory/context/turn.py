"""One turn: the person's message is kept, and the context for the answer laid out, in one go.

Recall comes before inference, extraction after it: the message is read for memories once the answer is
handed over, or when the session has gone idle.
"""

import uuid
from dataclasses import dataclass, replace

from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.context.build import Context, build
from memory.context.values import ContextQuery
from memory.policy import SESSION
from memory.sessions import IncomingMessage, append
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """The event of the message, and the context that ends with it."""

    event_id: uuid.UUID
    context: Context


def take(
    principal: Principal, *, session_id: uuid.UUID, said: IncomingMessage, query: ContextQuery
) -> Turned:
    """Append what the person ``said`` and lay the session out for the answer; both, or neither.

    ``query`` asks for the rest of the context. One transaction, which holds the session's row: what is
    appended meanwhile comes after it.

    Raises:
        Forbidden, NotFound, StaleState, TooLarge: as for appending and for a context.
    """
    with acting(principal):
        due = timezone.now() + SESSION.idle
        done = append(principal, session_id=session_id, messages=[said], due=due)
        (event_id,) = done.event_ids
        found = context_of(principal, session_id=session_id, event_id=event_id, query=query)
    return Turned(event_id=event_id, context=found)


def context_of(
    principal: Principal, *, session_id: uuid.UUID, event_id: uuid.UUID, query: ContextQuery
) -> Context:
    """Lay the session out as it stood when one of its messages came in, for the answer to it.

    The message is shown as it was kept: a secret in it is a placeholder.

    Raises:
        Forbidden, NotFound, TooLarge: as for a context.
        Gone: if the message was erased.
    """
    with acting(principal):
        _, text = access.open_event(open_vault(principal), principal, event_id)
        asked = replace(query, query=text, event_id=event_id)
        return build(principal, session_id=session_id, query=asked)
