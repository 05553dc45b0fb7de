"""Grading a proposal: what it is, how sensitive, how important, how far believed."""

from dataclasses import replace

from memory.choices import KIND_OF_SUBTYPE, Kind, Origin, Sensitivity, Subtype, Trust
from memory.choices.slots import PATTERN_SLOT, PROCEDURE_SLOT
from memory.policy import DEFAULT_SUBTYPE, IMPORTANCE, WRITE
from memory.text.normalise import fold, language
from memory.write.attributes import Attribute, known_attribute, tidy
from memory.write.orders import is_instruction_like
from memory.write.proposal import Draft, Proposal
from memory.write.redact import only_secret, redact, safe

TRUST = {
    Origin.PERSON: Trust.STATED,
    Origin.PERSON_QUOTED: Trust.STATED,
    Origin.AGENT: Trust.INFERRED,
    Origin.TOOL: Trust.UNTRUSTED,
    Origin.WEB: Trust.UNTRUSTED,
    Origin.OTHER_AGENT: Trust.UNTRUSTED,
    Origin.IMPORT: Trust.UNTRUSTED,
}


def classify(proposal: Proposal, *, by_hand: bool = False) -> Draft:
    """Return the proposal redacted and graded.

    ``by_hand`` says that the person typed it in the dashboard: trust is confirmed. A fact about a
    third party takes no attribute of the person; the catalogue gives level, profile and plurality.
    """
    proposal = _redacted(proposal)
    redacted = redact(proposal.text)
    known = known_attribute(proposal.attribute)
    kind, subtype = _kind(proposal, known)
    own = known if known is not None and not proposal.about else None
    pinned = proposal.pinned or bool(own and own.pinned)
    return Draft(
        proposal=proposal,
        text=redacted.text,
        index_text=redacted.index_text,
        language=language(redacted.text),
        kind=kind,
        subtype=subtype,
        sensitivity=_level(proposal, redacted.level, known),
        confidence=_confidence(proposal),
        importance=proposal.importance if proposal.importance is not None else IMPORTANCE[subtype],
        trust=_trust(proposal.source.origin, by_hand=by_hand),
        single=bool(own and own.single) or proposal.attribute in (PROCEDURE_SLOT, PATTERN_SLOT),
        pinned=pinned,
        in_profile=pinned or _is_standing(subtype, proposal, own),
        value=_value(proposal, known),
        secret=bool(redacted.secrets),
        only_secret=only_secret(redacted.text),
        details=frozenset(found.type for found in redacted.found),
        instruction_like=is_instruction_like(redacted.text),
    )


def _confidence(proposal: Proposal) -> float:
    if proposal.confidence is not None:
        return proposal.confidence
    said = proposal.source.origin in {Origin.PERSON, Origin.PERSON_QUOTED}
    return WRITE.stated_confidence if said else WRITE.inferred_confidence


def _trust(origin: Origin, *, by_hand: bool) -> Trust:
    """What the person types is confirmed; what they bring from elsewhere is no more than its origin."""
    return Trust.CONFIRMED if by_hand and origin == Origin.PERSON else TRUST[origin]


def _kind(proposal: Proposal, known: Attribute | None) -> tuple[Kind, Subtype]:
    subtype = proposal.subtype
    if subtype is None and proposal.kind is None and known is not None:
        subtype = known.subtype
    if subtype is None:
        kind = proposal.kind or Kind.SEMANTIC
        return kind, DEFAULT_SUBTYPE[kind]
    return KIND_OF_SUBTYPE[subtype], subtype


def _level(proposal: Proposal, found: Sensitivity, known: Attribute | None) -> Sensitivity:
    levels = [found, proposal.sensitivity, known.sensitivity if known else None]
    return Sensitivity(max(level for level in levels if level is not None))


def _is_standing(subtype: Subtype, proposal: Proposal, own: Attribute | None) -> bool:
    """Lasting instructions always come along; one that holds for one topic waits for the topic."""
    if proposal.condition:
        return False
    return subtype == Subtype.INSTRUCTION or bool(own and own.profile)


def _redacted(proposal: Proposal) -> Proposal:
    """Take secrets out of every field but the text, whose redaction the gate looks at."""
    return replace(
        proposal,
        value=safe(proposal.value),
        about=safe(proposal.about),
        condition=safe(proposal.condition),
        cause=safe(proposal.cause),
        steps=tuple(safe(step) for step in proposal.steps),
        tags=tuple(safe(tag) for tag in proposal.tags),
        metadata={safe(name): safe(value) for name, value in proposal.metadata.items()},
    )


def _value(proposal: Proposal, known: Attribute | None) -> str:
    if not proposal.value:
        return ""
    return known.normalise(proposal.value) if known else fold(tidy(proposal.value))
