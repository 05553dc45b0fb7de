"""The turns of a session as a context needs them: exchanges, newest ones opened."""

import uuid
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import tzinfo

from memory.choices import Role
from memory.context.values import ContextQuery, Turn
from memory.models import Message, Session
from memory.sessions.originals import open_texts, speaker
from memory.sessions.reading import in_order
from memory.vault import SubjectVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A session's turns: exchanges opened, all events as they were said, and what was passed over.

    ``ahead`` are the new message and whatever came in after it.
    """

    system: str = ""
    exchanges: Sequence[Sequence[Turn]] = ()
    order: Sequence[uuid.UUID] = ()
    low: Sequence[uuid.UUID] = ()
    ahead: Set[uuid.UUID] = frozenset()

    @property
    def turns(self) -> Sequence[Turn]:
        """All turns, oldest first."""
        return [turn for turns in self.exchanges for turn in turns]

    @property
    def last_said(self) -> str:
        """What the person said last; empty if nothing is known."""
        said = [turn for turn in self.turns if turn.role == Role.USER]
        return said[-1].text if said else ""


def conversation(
    vault: SubjectVault,
    session: Session,
    query: ContextQuery,
    *,
    told: Set[uuid.UUID],
    zone: tzinfo,
) -> Conversation:
    """Return the session's exchanges in order, opened, but for events a summary has ``told``.

    Times are those of the person's ``zone``.

    An exchange begins where the person speaks after somebody else. A new message that the session
    holds already is left to the query. System text the session holds stands in for none given.
    """
    rows = list(in_order(session).only("event_id", "role", "low_information", "sequence"))
    rows, ahead = _until(rows, query.event_id)
    low = [row.event_id for row in rows if row.low_information]
    spoken = [row for row in rows if row.role != Role.SYSTEM and not row.low_information]
    system = [row for row in rows if row.role == Role.SYSTEM][-1:]
    untold = [row for row in spoken if row.event_id not in told]
    turns = _open(vault, untold, zone)
    groups = _exchanges([row for row in untold if row.event_id in turns])
    exchanges = [[turns[row.event_id] for row in rows] for rows in groups]
    return Conversation(
        system="" if query.system else _text(_open(vault, system, zone)),
        exchanges=exchanges if query.event_id else _without_query(exchanges, query.query),
        order=[row.event_id for row in spoken],
        low=low,
        ahead=ahead,
    )


def _until(rows: list[Message], event_id: uuid.UUID | None) -> tuple[list[Message], Set[uuid.UUID]]:
    """Part what came in before a message from itself and the rest."""
    number = next((row.sequence for row in rows if row.event_id == event_id), None)
    if number is None:
        return rows, frozenset()
    ahead = frozenset(row.event_id for row in rows if row.sequence >= number)
    return [row for row in rows if row.event_id not in ahead], ahead


def _exchanges(rows: Sequence[Message]) -> list[list[Message]]:
    groups: list[list[Message]] = []
    for row in rows:
        opens = row.role == Role.USER and (not groups or groups[-1][-1].role != Role.USER)
        if opens or not groups:
            groups.append([])
        groups[-1].append(row)
    return groups


def _open(vault: SubjectVault, rows: Sequence[Message], zone: tzinfo) -> dict[uuid.UUID, Turn]:
    events = [
        row.event
        for row in Message.objects.filter(id__in=[row.id for row in rows]).select_related("event")
    ]
    texts = open_texts(vault, events)
    return {
        event.id: Turn(
            event_id=event.id,
            role=Role(event.role),
            text=texts[event.id],
            at=event.occurred_at.astimezone(zone),
            name=speaker(vault, event),
        )
        for event in events
        if event.id in texts
    }


def _text(turns: dict[uuid.UUID, Turn]) -> str:
    return next((turn.text for turn in turns.values()), "")


def _without_query(exchanges: list[list[Turn]], query: str) -> list[list[Turn]]:
    """Leave out the last turn if it is the new message itself."""
    if not exchanges or not query:
        return exchanges
    last = exchanges[-1][-1]
    if last.role != Role.USER or last.text.split() != query.split():
        return exchanges
    shorter = exchanges[-1][:-1]
    return [*exchanges[:-1], shorter] if shorter else exchanges[:-1]
