"""The turns of a session as a context needs them: exchanges, newest ones opened."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from memory.choices import Role
from memory.context.values import ContextQuery, Turn
from memory.models import Message, Session
from memory.policy import CONTEXT
from memory.sessions.originals import open_texts, speaker
from memory.sessions.reading import in_order
from memory.vault import SubjectVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A session's turns: recent exchanges opened, the events before them, and what was passed over."""

    system: str = ""
    exchanges: Sequence[Sequence[Turn]] = ()
    earlier: Sequence[uuid.UUID] = ()
    low: Sequence[uuid.UUID] = ()

    @property
    def last_said(self) -> str:
        """What the person said last; empty if nothing is known."""
        said = [turn for turns in self.exchanges for turn in turns if turn.role == Role.USER]
        return said[-1].text if said else ""


def conversation(vault: SubjectVault, session: Session, query: ContextQuery) -> Conversation:
    """Return the session's recent exchanges in order, opened.

    An exchange begins where the person speaks after somebody else. A new message that the session
    holds already is left to the query. System text the session holds stands in for none given.
    """
    rows = list(in_order(session).only("event_id", "role", "low_information"))
    low = [row.event_id for row in rows if row.low_information]
    spoken = [row for row in rows if row.role != Role.SYSTEM and not row.low_information]
    system = [row for row in rows if row.role == Role.SYSTEM][-1:]
    groups = _exchanges(spoken)
    recent = groups[-CONTEXT.exchanges :]
    turns = _open(vault, [row for rows in recent for row in rows])
    told = [[turns[row.event_id] for row in rows if row.event_id in turns] for rows in recent]
    return Conversation(
        system="" if query.system else _text(_open(vault, system)),
        exchanges=_without_query([turns for turns in told if turns], query.query),
        earlier=[row.event_id for rows in groups[: -CONTEXT.exchanges] for row in rows],
        low=low,
    )


def _exchanges(rows: Sequence[Message]) -> list[list[Message]]:
    groups: list[list[Message]] = []
    for row in rows:
        opens = row.role == Role.USER and (not groups or groups[-1][-1].role != Role.USER)
        if opens or not groups:
            groups.append([])
        groups[-1].append(row)
    return groups


def _open(vault: SubjectVault, rows: Sequence[Message]) -> dict[uuid.UUID, Turn]:
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
