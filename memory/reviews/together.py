"""Guesses of one agent from one conversation, answered together: kept, or not true.

What is sensitive, and what changes or contradicts something, is answered one by one.
"""

import uuid
from collections.abc import Sequence
from enum import StrEnum

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import ReviewKind, Sensitivity
from memory.errors import InvalidInput
from memory.reviews import answers
from memory.reviews.listing import OpenReview, list_open, require_person


class Answer(StrEnum):
    """What can be said of a group."""

    KEEP = "keep"
    REJECT = "reject"


def groups(waiting: Sequence[OpenReview]) -> list[list[OpenReview]]:
    """Return what waits by the agent and the conversation it came from, in the order it waits."""
    found: dict[tuple[uuid.UUID | None, uuid.UUID | None], list[OpenReview]] = {}
    for one in waiting:
        memory = one.opened.memory
        found.setdefault((memory.agent_id, memory.session_id), []).append(one)
    return list(found.values())


def may_be_answered(group: Sequence[OpenReview]) -> bool:
    """Whether a group can be answered together: several plain guesses, none of them sensitive."""
    return len(group) > 1 and all(
        one.item.kind == ReviewKind.NEW
        and one.current is None
        and one.opened.memory.sensitivity < Sensitivity.SPECIAL
        for one in group
    )


def answer_together(principal: Principal, review_ids: Sequence[uuid.UUID], answer: Answer) -> int:
    """Give all of these the same answer, or none of them; return how many.

    Raises:
        Forbidden: for anybody but the person.
        InvalidInput: if they do not wait together, or one has to be answered by itself.
    """
    require_person(principal)
    give = answers.keep if answer == Answer.KEEP else answers.reject
    with acting(principal.unlimited()):
        waiting = {one.item.id: one for one in list_open(principal)}
        asked = [waiting[id_] for id_ in review_ids if id_ in waiting]
        if len(asked) != len(review_ids) or len(groups(asked)) != 1 or not may_be_answered(asked):
            raise InvalidInput("These can't be answered together; answer them one by one.")
        for one in asked:
            give(principal, one.item.id)
    return len(asked)
