"""Where a proposal comes from. The server decides the origin; a quote must be found verbatim."""

import uuid
from datetime import datetime
from typing import Any

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import Origin, Role
from memory.errors import InvalidInput
from memory.models import Event
from memory.policy import TRUST as TRUST_POLICY
from memory.text.normalise import clean
from memory.vault import Place, open_vault
from memory.write.candidate import Turn
from memory.write.classify import TRUST
from memory.write.faithful import supported
from memory.write.proposal import Source

SPOKEN = {Role.USER: Origin.PERSON, Role.ASSISTANT: Origin.AGENT, Role.TOOL: Origin.TOOL}


def source_of(
    principal: Principal,
    *,
    event_id: uuid.UUID | None = None,
    quote: str = "",
    claim: str = "",
    origin: Origin | None = None,
    now: datetime,
) -> tuple[Source, dict[str, Any]]:
    """Return the source of a proposal and the proposal's quote fields.

    A person's own key: origin person. An agent: its inference, unless it names a stored message of
    the person in which ``quote`` stands word for word and says what is claimed: the person, quoted.
    A letter of the person's does not lend their word to somebody else's sentence; a summary in another
    language is not recognised and then is what it is, an inference.
    What rests on a tool's output, or repeats a recent one, is the tool's, whoever hands it over; and
    ``origin``, what the caller says of it, lowers the trust but never raises it.

    Raises:
        NotFound, Gone: for an event the principal may not see, or that was erased.
        InvalidInput: for a quote without an event, or one that does not stand in it.
    """
    if principal.is_person:
        return Source(origin=lower(Origin.PERSON, origin), said_at=now, role=Role.USER), {}
    if event_id is None:
        if quote:
            raise InvalidInput("evidence.quote needs evidence.event_id, the message it stands in.")
        with acting(principal.unlimited()):
            repeats = _repeats_a_tool(principal, claim, now=now)
        found = Origin.TOOL if repeats else Origin.AGENT
        return Source(origin=lower(found, origin), said_at=now), {}
    with acting(principal):
        event, text = access.open_event(open_vault(principal), principal, event_id)
    cleaned = clean(quote)
    start = text.find(cleaned) if cleaned else -1
    if quote and start < 0:
        raise InvalidInput("evidence.quote does not stand word for word in that event.")
    said = event.role == Role.USER and start >= 0 and supported(claim, by=cleaned)
    unsaid = Origin.TOOL if event.role == Role.TOOL else Origin.AGENT
    source = Source(
        origin=lower(Origin.PERSON_QUOTED if said else unsaid, origin),
        said_at=event.occurred_at,
        role=Role(event.role),
        event_id=event.id,
        session_id=event.session_id,
    )
    if start < 0:
        return source, {}
    end = start + len(cleaned)
    return source, {"quote": cleaned, "quote_start": start, "quote_end": end}


def spoken(turn: Turn, previous: Turn | None, claim: str) -> Origin:
    """Return the origin of what a turn claims: an assistant that repeats a tool speaks for the tool."""
    found = SPOKEN[turn.role]
    after_tool = previous is not None and previous.role == Role.TOOL and turn.role != Role.USER
    if previous is not None and after_tool and supported(claim, by=previous.text):
        return lower(found, Origin.TOOL)
    return found


def lower(found: Origin, claimed: Origin | None) -> Origin:
    """Return the less trusted of two origins."""
    return claimed if claimed is not None and TRUST[claimed] < TRUST[found] else found


def _repeats_a_tool(principal: Principal, claim: str, *, now: datetime) -> bool:
    """Whether a claim without evidence says what a tool told this agent a short while ago."""
    recent = Event.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        agent_id=principal.agent_id,
        role=Role.TOOL,
        received_at__gte=now - TRUST_POLICY.taint,
    )
    vault = open_vault(principal)
    latest = list(recent.order_by("-received_at")[: TRUST_POLICY.tainting])
    vault.load(event.id for event in latest)
    texts = (
        vault.unseal(Place(object_id=event.id), event.text)
        for event in latest
        if vault.holds(event.id)
    )
    return any(supported(claim, by=text) for text in texts)
