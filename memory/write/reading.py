"""What a written statement fills: an agent's "The user lives in Beijing" is read like "I live in Beijing".

So that a paraphrase meets the memory it repeats, and a later change the value it replaces.
"""

from dataclasses import replace

from memory.choices import Kind, Role
from memory.text.normalise import clean
from memory.text.perspective import first_person
from memory.write.candidate import Candidate, Turn
from memory.write.proposal import Proposal
from memory.write.rules import extract


def read(proposal: Proposal) -> Proposal:
    """Return the proposal with the attribute and value that its text states, if its writer named none.

    Only a text that is one statement about the person is read; what the writer said of it stands.
    """
    if proposal.attribute or proposal.about or proposal.kind not in (None, Kind.SEMANTIC):
        return proposal
    one = stated(proposal)
    if one is None or one.attribute is None:
        return proposal
    unsorted = proposal.kind is None and proposal.subtype is None
    return replace(
        proposal,
        subtype=one.subtype if unsorted else proposal.subtype,
        attribute=one.attribute,
        value=proposal.value or one.value or "",
        condition=proposal.condition or one.condition or "",
        valid_from=proposal.valid_from or one.valid_from,
    )


def stated(proposal: Proposal) -> Candidate | None:
    """Return the one fact that a text states about the person, as the rules read it."""
    at = proposal.source.said_at
    text = first_person(clean(proposal.text))
    found = extract(Turn(role=Role.USER, text=text, at=at), at=at)
    only = found[0] if len(found) == 1 else None
    if not isinstance(only, Candidate) or only.about or only.kind != Kind.SEMANTIC:
        return None
    return only
