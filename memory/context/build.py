"""One call: session, task and memories, laid out for a model."""

import uuid
from dataclasses import dataclass

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.context.fit import lay_out
from memory.context.gather import gather
from memory.context.render import joined
from memory.context.values import ContextQuery, Laid, Style
from memory.context.words import words
from memory.recall.values import RecallAnswer
from memory.sessions.life import require_reading
from memory.sessions.summaries import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A context that is ready to send; ``text`` is the whole in the style of one text.

    ``recalled`` is the answer of the recall behind it, None if memory was not asked.
    """

    laid: Laid
    text: str | None
    recalled: RecallAnswer | None


def build(principal: Principal, *, session_id: uuid.UUID, query: ContextQuery) -> Context:
    """Lay out a session for a model, never over ``query.budget`` tokens of our counter.

    Raises:
        Forbidden: without a grant to read.
        NotFound: for another person's or agent's session.
        Gone: if what the task's board rests on was erased.
        TooLarge: if system text and new message alone are over the budget.
    """
    require_reading(principal)
    with acting(principal):
        session = access.access_session(principal, session_id)
        found = gather(principal, session, query)
        laid = lay_out(found.desk, budget=query.budget, style=query.style)
        if laid.folded is not None:
            fold(principal, session, laid.folded)
        audit.record(
            principal,
            AuditCode.CONTEXT_BUILT,
            object_kind="session",
            object_id=session.id,
            purpose=query.purpose,
            result_count=len(laid.pieces),
        )
    whole = joined(laid.pieces, words(found.desk.language))
    return Context(
        laid=laid,
        text=whole if query.style == Style.TEXT else None,
        recalled=found.recalled,
    )
