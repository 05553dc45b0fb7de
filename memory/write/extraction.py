"""From messages to decisions: each message once, in order, each in one transaction.

A crash between two messages loses nothing: what has no ``extracted_at`` is taken up again, and a
message whose transaction committed is not.
"""

import uuid
from datetime import datetime

from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import Origin, Role
from memory.models import Event, Message
from memory.vault import Place, SubjectVault, open_vault
from memory.write.candidate import Candidate, Refused, Turn
from memory.write.pipeline import decide, refuse
from memory.write.proposal import Decided, Source, from_candidate
from memory.write.rules import extract

ORIGIN = {Role.USER: Origin.PERSON, Role.ASSISTANT: Origin.AGENT, Role.TOOL: Origin.TOOL}


def extract_session(principal: Principal, session_id: uuid.UUID) -> list[Decided]:
    """Decide on every message of the session that has not been looked at, oldest first."""
    with acting(principal.unlimited()):
        waiting = list(
            Message.objects.filter(session_id=session_id, extracted_at__isnull=True)
            .order_by("sequence")
            .values_list("id", flat=True)
        )
    return [decided for message_id in waiting for decided in _extract(principal, message_id)]


def _extract(principal: Principal, message_id: uuid.UUID) -> list[Decided]:
    with acting(principal.unlimited()):
        message = (
            Message.objects.select_for_update()
            .filter(id=message_id, extracted_at__isnull=True)
            .first()
        )
        if message is None:  # another worker was faster, or it was erased
            return []
        vault = open_vault(principal)
        turn, previous = _turns(vault, message)
        message.extracted_at = timezone.now()
        message.save(update_fields=["extracted_at"])
        if turn is None or turn.role == Role.SYSTEM:
            return []
        found = extract(turn, previous, at=_here(principal, turn.at))
        return [_decide(principal, message, turn, one) for one in found]


def _here(principal: Principal, at: datetime) -> datetime:
    """When it was, where the person is: "yesterday" is theirs, wherever server and agent are.

    Until the person has named a zone, the offset counts with which the message was handed over.
    """
    return at.astimezone(principal.zone) if principal.time_zone != "UTC" else at


def _turns(vault: SubjectVault, message: Message) -> tuple[Turn | None, Turn | None]:
    """Return the message and the one before it, opened; None for what was erased meanwhile."""
    near = (
        Message.objects.filter(session_id=message.session_id, sequence__lte=message.sequence)
        .order_by("-sequence")
        .select_related("event")[:2]
    )
    turns = [_turn(vault, one.event) for one in near]
    return turns[0], turns[1] if len(turns) > 1 else None


def _turn(vault: SubjectVault, event: Event) -> Turn | None:
    if not vault.holds(event.id):
        return None
    speaker = None
    if event.speaker:
        speaker = vault.unseal(Place(object_id=event.id, field="speaker"), event.speaker)
    return Turn(
        role=Role(event.role),
        text=vault.unseal(Place(object_id=event.id), event.text),
        at=event.occurred_at.astimezone(timezone.get_fixed_timezone(event.utc_offset)),
        name=speaker,
        event_id=event.id,
    )


def _decide(
    principal: Principal, message: Message, turn: Turn, found: Candidate | Refused
) -> Decided:
    if isinstance(found, Refused):
        return refuse(principal, found)
    source = Source(
        origin=ORIGIN[turn.role],
        said_at=turn.at,
        role=turn.role,
        event_id=turn.event_id,
        session_id=message.session_id,
    )
    return decide(principal, from_candidate(found, source))
