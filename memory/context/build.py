"""One call: session, task and memories, laid out for a model."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.context.fit import lay_out
from memory.context.gather import gather
from memory.context.render import Spoken, in_turn, joined
from memory.context.values import ContextQuery, Desk, Laid, Style
from memory.context.words import words
from memory.models import Session
from memory.recall.values import RecallAnswer
from memory.sessions.life import require_reading
from memory.sessions.summaries import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A context that is ready to send, in its style: messages, with ``system`` apart, or one ``text``.

    ``recalled`` is the answer of the recall behind it, None if memory was not asked.
    """

    laid: Laid
    messages: Sequence[Spoken] | None = None
    system: str | None = None
    text: str | None = None
    recalled: RecallAnswer | None = None


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
        laid = laid_out(principal, session, found.desk, query)
    labels = words(found.desk.language)
    context = Context(laid=laid, recalled=found.recalled)
    if query.style == Style.TEXT:
        return replace(context, text=joined(laid.pieces, labels))
    if query.style == Style.ANTHROPIC:
        system, messages = in_turn(laid.pieces, labels)
        return replace(context, system=system, messages=messages)
    return replace(context, messages=[(piece.role, piece.text) for piece in laid.pieces])


def laid_out(principal: Principal, session: Session, desk: Desk, query: ContextQuery) -> Laid:
    """Lay a desk out, keep the summary of what has no room, and note in the log that it was read.

    Raises:
        TooLarge: if system text and new message alone are over the budget.
    """
    laid = lay_out(desk, budget=query.budget, style=query.style)
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
    return laid
