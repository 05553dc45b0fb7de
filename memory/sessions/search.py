"""Finding a turn of a running session by its words: what was said here is exact, not remembered."""

import math
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Role
from memory.index.terms import is_rare_shape, terms
from memory.policy import SESSION
from memory.sessions.life import require_reading
from memory.sessions.reading import OpenedMessage, in_order, open_messages
from memory.vault import open_vault


def find_turns(principal: Principal, session_id: uuid.UUID, text: str) -> list[OpenedMessage]:
    """Return the session's turns that share enough words with ``text``, best first.

    Raises:
        Forbidden: without a grant to read.
        NotFound: for another person's or agent's session.
    """
    require_reading(principal)
    with acting(principal):
        session = access.access_session(principal, session_id)
        rows = in_order(session).filter(low_information=False).exclude(role=Role.SYSTEM)
        newest = list(rows.reverse().select_related("event")[: SESSION.searched])
        turns = open_messages(open_vault(principal), newest)
        found = [turns[n] for n in ranked(terms(text), [terms(turn.text) for turn in turns])]
        audit.record(
            principal,
            AuditCode.SESSION_READ,
            object_kind="session",
            object_id=session.id,
            reason="search",
            result_count=len(found),
        )
    return found


def ranked(asked: Mapping[str, int], texts: Sequence[Mapping[str, int]]) -> list[int]:
    """Return which texts answer by their words, best first; of equals, the earlier in the list.

    A text must hold enough of the question's weight (rare words weigh more), or a name, id or number
    of it. What it said of itself, word for word, is the question and no answer. Pure.
    """
    known = Counter(term for counted in texts for term in counted)
    weights = {term: math.log(1 + (len(texts) + 1) / max(known[term], 1)) for term in asked}
    total = sum(weights.values())
    scores: dict[int, float] = {}
    for number, counted in enumerate(texts):
        shared = [term for term in asked if term in counted]
        score = sum(weights[term] for term in shared)
        is_named = any(is_rare_shape(term) for term in shared)
        if counted.keys() != asked.keys() and (is_named or score >= SESSION.share * total > 0):
            scores[number] = score
    return sorted(scores, key=lambda number: (-scores[number], number))
