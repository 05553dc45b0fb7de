"""Where a proposal comes from. The server decides the origin; a quote must be found verbatim."""

import uuid
from datetime import datetime
from typing import Any

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import Origin, Role
from memory.errors import InvalidInput
from memory.text.normalise import clean
from memory.vault import open_vault
from memory.write.faithful import supported
from memory.write.proposal import Source


def source_of(
    principal: Principal,
    *,
    event_id: uuid.UUID | None = None,
    quote: str = "",
    claim: str = "",
    now: datetime,
) -> tuple[Source, dict[str, Any]]:
    """Return the source of a proposal and the proposal's quote fields.

    A person's own key: origin person. An agent: its inference, unless it names a stored message of
    the person in which ``quote`` stands word for word and says what is claimed: the person, quoted.
    A letter of the person's does not lend their word to somebody else's sentence; a summary in another
    language is not recognised and then is what it is, an inference.

    Raises:
        NotFound, Gone: for an event the principal may not see, or that was erased.
        InvalidInput: for a quote without an event, or one that does not stand in it.
    """
    if principal.is_person:
        return Source(origin=Origin.PERSON, said_at=now, role=Role.USER), {}
    if event_id is None:
        if quote:
            raise InvalidInput("evidence.quote needs evidence.event_id, the message it stands in.")
        return Source(origin=Origin.AGENT, said_at=now), {}
    with acting(principal):
        event, text = access.open_event(open_vault(principal), principal, event_id)
    cleaned = clean(quote)
    start = text.find(cleaned) if cleaned else -1
    if quote and start < 0:
        raise InvalidInput("evidence.quote does not stand word for word in that event.")
    said = event.role == Role.USER and start >= 0 and supported(claim, by=cleaned)
    source = Source(
        origin=Origin.PERSON_QUOTED if said else Origin.AGENT,
        said_at=event.occurred_at,
        role=Role(event.role),
        event_id=event.id,
        session_id=event.session_id,
    )
    if start < 0:
        return source, {}
    end = start + len(cleaned)
    return source, {"quote": cleaned, "quote_start": start, "quote_end": end}
