"""From messages to decisions: each message once, in order, each in one transaction.

Reading comes first and holds no transaction, because a model may take its time. A crash between two
messages loses nothing: what has no ``extracted_at`` is taken up again, and a message whose
transaction committed is not.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action
from accounts.principal import Principal
from memory.choices import Reason, Role
from memory.models import Event, Message, Session
from memory.policy import MODEL, SESSION, WORK
from memory.providers import deadline
from memory.providers.chat import ModelGarbled
from memory.vault import Place, SubjectVault, open_vault
from memory.write.candidate import Found, Refused, Talk, Turn
from memory.write.extractors import RulesExtractor, get_extractor, parts
from memory.write.interests import count_questions
from memory.write.pipeline import decide, refuse
from memory.write.proposal import Source, from_candidate
from memory.write.sources import spoken
from memory.write.speakers import others
from memory.write.wishes import Wish

# A turn and the one before it.
type Said = tuple[Turn, Turn | None]

# Does what the person asked to have forgotten, and says which codes tell the agent about it.
Obey = Callable[[Principal, Wish], Sequence[Reason]]


def extract_session(
    principal: Principal, session_id: uuid.UUID, *, obey: Obey, at_once: bool = False
) -> datetime | None:
    """Decide on every message of the session that has not been looked at, oldest first.

    Return None, or the moment to come back if an extractor that is not free sees nothing that
    presses: then the session is read when it has gone idle or was closed. ``at_once`` does not wait.
    ``obey`` is called in the transaction of the message that holds the wish.

    Raises:
        ModelUnavailable, ModelGarbled: if some of it could not be read; the rest is decided.
        OutOfTime: if nobody waits any more, or others have their turn; what was decided stays.
    """
    # Who may not learn now is answered by the rules: no model is shown what comes to nothing.
    learns = principal.may(Action.WRITE) and principal.may_learn
    extractor = get_extractor() if learns else RulesExtractor()
    talks = _unread(principal, session_id)
    idle = _idle_at(principal, session_id)
    may_wait = talks and not at_once and idle > timezone.now()
    if may_wait and not any(extractor.wants(talk) for talk in talks):
        return idle
    garbled, until = False, time.monotonic() + WORK.turn
    for talk in (part for whole in talks for part in parts(whole)):
        deadline.check()
        previous = talk.before[-1] if talk.before else None
        for turn, found in zip(talk.turns, extractor.read(talk), strict=True):
            if found is None:
                garbled = True
            else:
                deadline.check()
                _settle(principal, session_id, (turn, previous), found, obey)
            previous = turn
        if time.monotonic() > until and not garbled:  # what failed counts as tried
            raise deadline.OutOfTime
    if garbled:
        raise ModelGarbled("Some messages could not be read; they are kept.")
    return None


def _idle_at(principal: Principal, session_id: uuid.UUID) -> datetime:
    """Return when the session is idle; a closed one is."""
    with acting(principal.unlimited()):
        session = Session.objects.filter(id=session_id).first()
    if session is None or session.closed_at is not None:
        return timezone.now()
    return session.last_active_at + SESSION.idle


@dataclass(frozen=True, slots=True)
class _Opened:
    """A message of the session, opened; ``unread`` if nobody has decided on it."""

    turn: Turn
    unread: bool


def _unread(principal: Principal, session_id: uuid.UUID) -> list[Talk]:
    """Return the unread stretches of a session, each with the turns before it."""
    with acting(principal.unlimited()):
        mine = Message.objects.filter(
            session_id=session_id, subject_id=principal.person_id, may_learn=True
        )
        first = mine.filter(extracted_at__isnull=True).order_by("sequence").first()
        if first is None:
            return []
        near = mine.filter(sequence__gte=first.sequence - MODEL.before).order_by("sequence")
        opened = _opened(principal, list(near.select_related("event")))
    turns = [one.turn for one in opened]
    return [
        Talk(before=turns[max(0, start - MODEL.before) : start], turns=turns[start:end])
        for start, end in _runs(opened)
    ]


def _runs(opened: Sequence[_Opened]) -> Iterator[tuple[int, int]]:
    """Where unread messages stand together."""
    start: int | None = None
    for number, one in enumerate(opened):
        if one.unread and start is None:
            start = number
        if not one.unread and start is not None:
            yield start, number
            start = None
    if start is not None:
        yield start, len(opened)


def _opened(principal: Principal, messages: Sequence[Message]) -> list[_Opened]:
    """Open messages, without those that an erasure has reached."""
    vault = open_vault(principal)
    vault.load(message.event_id for message in messages)
    kept = [message for message in messages if vault.holds(message.event_id)]
    turns = others(principal, vault, [_turn(principal, vault, one.event) for one in kept])
    return [
        _Opened(turn, message.extracted_at is None)
        for turn, message in zip(turns, kept, strict=True)
    ]


def _turn(principal: Principal, vault: SubjectVault, event: Event) -> Turn:
    speaker = None
    if event.speaker:
        speaker = vault.unseal(Place(object_id=event.id, field="speaker"), event.speaker)
    return Turn(
        role=Role(event.role),
        text=vault.unseal(Place(object_id=event.id), event.text),
        at=_here(principal, event),
        name=speaker,
        event_id=event.id,
    )


def _here(principal: Principal, event: Event) -> datetime:
    """When it was, where the person is: "yesterday" is theirs, wherever server and agent are.

    Until the person has named a zone, the offset counts with which the message was handed over.
    """
    if principal.time_zone != "UTC":
        return event.occurred_at.astimezone(principal.zone)
    return event.occurred_at.astimezone(timezone.get_fixed_timezone(event.utc_offset))


def _settle(
    principal: Principal, session_id: uuid.UUID, said: Said, found: Sequence[Found], obey: Obey
) -> None:
    """Decide on what was found in one message, unless somebody did meanwhile or it was erased."""
    with acting(principal.unlimited()):
        message = (
            Message.objects.select_for_update()
            .filter(session_id=session_id, event=said[0].event_id, extracted_at__isnull=True)
            .first()
        )
        if message is None or not open_vault(principal).holds(message.event_id):
            return
        message.extracted_at = timezone.now()
        message.save(update_fields=["extracted_at"])
        count_questions(principal, said[0], found)
        for one in found:
            _decide(principal, session_id, said, one, obey)


def _decide(
    principal: Principal, session_id: uuid.UUID, said: Said, found: Found, obey: Obey
) -> None:
    turn, previous = said
    if isinstance(found, Wish):
        refuse(principal, found, also=obey(principal, found))
        return
    if isinstance(found, Refused):
        refuse(principal, found)
        return
    source = Source(
        origin=spoken(turn, previous, found.text),
        said_at=turn.at,
        role=turn.role,
        event_id=turn.event_id,
        session_id=session_id,
    )
    decide(principal, from_candidate(found, source))
