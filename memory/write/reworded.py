"""A new wording for what is remembered: graded like any other, with everything else as it was."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.principal import Principal
from memory import access
from memory.choices import Kind, Origin, Role
from memory.errors import InvalidInput
from memory.text.perspective import first_person
from memory.write.admit import admit
from memory.write.attributes import known_attribute
from memory.write.candidate import Candidate, Turn
from memory.write.classify import classify
from memory.write.proposal import Draft, Source, from_memory
from memory.write.rules import extract
from memory.write.steps import steps_in


def reworded(
    principal: Principal,
    before: access.OpenedMemory,
    text: str,
    source: Source | None,
    quote: Mapping[str, Any],
) -> Draft:
    """Return the new wording graded; everything else stays as it was.

    Raises:
        InvalidInput: if nothing storable is left of the text.
    """
    origin = Origin.PERSON if principal.is_person else Origin.AGENT
    now = timezone.now()
    # A mistake was never true: the new wording holds from where the old one did.
    proposal = replace(
        from_memory(before, source or Source(origin=origin, said_at=now)),
        **quote,
        text=text,
        value=_value(text, before, now),
    )
    if before.memory.kind == Kind.PROCEDURAL:
        proposal = replace(proposal, steps=steps_in(text))
    draft = classify(proposal, by_hand=principal.is_person)
    if reason := admit(draft):
        raise InvalidInput(f"This text cannot be kept: {reason.label.lower()}.")
    return draft


def _value(text: str, before: access.OpenedMemory, now: datetime) -> str:
    """Return the value the new wording gives the memory's attribute.

    The rules read those of the catalogue; an attribute of the agent's own keeps its value.
    """
    attribute = before.memory.attribute
    if known_attribute(attribute) is None:
        return str(before.details.get("value", ""))
    said = first_person(text)
    found = extract(Turn(role=Role.USER, text=said, at=now), at=now)
    values = (
        one.value for one in found if isinstance(one, Candidate) and one.attribute == attribute
    )
    return next((value for value in values if value), "")
