"""The first half of the gate: is there anything here worth remembering?"""

from memory.choices import Origin, Reason
from memory.policy import WRITE
from memory.write.proposal import Draft

# What the person types in the dashboard or says outright is not asked whether it is useful.
EXEMPT = (Origin.PERSON,)


def admit(draft: Draft) -> Reason | None:
    """Return why the draft is refused before anybody's consent is asked, or None."""
    if not draft.text.strip():
        return Reason.EMPTY
    if draft.only_secret:
        return Reason.SECRET
    if len(draft.text) > WRITE.max_text:
        return Reason.TOO_LONG
    if draft.importance < WRITE.minimum_importance and draft.proposal.source.origin not in EXEMPT:
        return Reason.NOT_USEFUL
    return None
