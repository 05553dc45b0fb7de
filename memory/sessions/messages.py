"""Taking messages in: redacted at the door, in order, with their extraction scheduled."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Model
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.inserting import insert
from accounts.principal import Principal
from memory import access, queue
from memory.choices import JobKind, Role
from memory.choices.events import EventType
from memory.errors import InvalidInput, StaleState, TooLarge
from memory.measuring import Step, step
from memory.models import Event, Job, Message, Session
from memory.policy import RETENTION, SESSION
from memory.providers.tokens import count_tokens
from memory.sessions import chatter
from memory.sessions.life import about
from memory.sessions.originals import open_texts
from memory.vault import Place, SubjectVault, open_vault
from memory.write.redact import Redacted, redact

RESERVE = """
UPDATE memory_session SET next_sequence = next_sequence + %(number)s, last_active_at = %(now)s
WHERE id = %(session)s AND tenant_id = %(tenant)s AND subject_id = %(subject)s AND closed_at IS NULL
  AND (%(agent)s::uuid IS NULL OR agent_id = %(agent)s)
RETURNING *
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """One message as an agent hands it over. ``at`` is when it was said; None means now."""

    role: Role
    content: str
    at: datetime | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What became of a batch of messages: their events in order, and the job that reads them."""

    event_ids: Sequence[uuid.UUID]
    job: Job | None


def append(
    principal: Principal,
    *,
    session_id: uuid.UUID,
    messages: Sequence[IncomingMessage],
    due: datetime | None = None,
) -> Appended:
    """Add messages to a session, redacted at the door, and schedule their extraction: now or when ``due``.

    Raises:
        Forbidden: without a grant to write.
        NotFound: for another person's or agent's session.
        StaleState: if the session was closed.
        TooLarge: for too many or too long messages; nothing is stored then.
    """
    with step(Step.APPEND):
        return _append(principal, session_id, messages, due)


def _append(
    principal: Principal,
    session_id: uuid.UUID,
    messages: Sequence[IncomingMessage],
    due: datetime | None,
) -> Appended:
    check(messages)
    with acting(principal):
        session = _reserve(principal, session_id, len(messages))
        events, rows = _rows(principal, session, messages)
        line = audit.line(
            principal,
            AuditCode.MESSAGES_APPENDED,
            object_kind="session",
            object_id=session.id,
            result_count=len(events),
        )
        rows.append(line)
        job = None
        if principal.may_learn:
            job, new = queue.waiting_or_new(kind=JobKind.EXTRACT, due=due, **about(session))
            rows += [job] if new else []
        insert(rows)
    return Appended(event_ids=[event.id for event in events], job=job)


def _reserve(principal: Principal, session_id: uuid.UUID, number: int) -> Session:
    """Return an open session, locked, with so many places taken: those before its ``next_sequence``.

    Raises:
        Forbidden, NotFound, StaleState: as for `append`.
    """
    given = {
        "number": number,
        "now": timezone.now(),
        "session": session_id,
        "tenant": principal.tenant_id,
        "subject": principal.person_id,
        "agent": principal.agent_id,
    }
    session: Session | None = next(iter(Session.objects.raw(RESERVE, given)), None)
    if session is None:
        access.access_session(principal, session_id)  # says so if there is none
    access.require(principal, Action.WRITE)
    if session is None:
        raise StaleState("The session was closed; open another one.")
    return session


def check(messages: Sequence[IncomingMessage]) -> None:
    """Refuse what is over a limit, before anything is stored.

    Raises:
        InvalidInput: for no message at all, or an empty one.
        TooLarge: names the limit.
    """
    if not messages:
        raise InvalidInput("Give at least one message.")
    if len(messages) > SESSION.max_messages:
        raise TooLarge(f"At most {SESSION.max_messages} messages in one request.")
    for position, message in enumerate(messages):
        if len(message.content) > SESSION.max_message:
            raise TooLarge(f"Message {position} is over {SESSION.max_message} characters.")


def _rows(
    principal: Principal, session: Session, messages: Sequence[IncomingMessage]
) -> tuple[list[Event], list[Model]]:
    """Return the messages' events, and all rows they are stored as; the session's row is locked."""
    vault = open_vault(principal)
    keys: list[Model] = []
    events: list[Event] = []
    places: list[Model] = []
    before: str | None = None
    first = session.next_sequence - len(messages)
    for sequence, message in enumerate(messages, start=first):
        redacted = redact(message.content)
        if before is None and chatter.is_chatter(redacted.text):
            before = _last_text(vault, session)
        low = chatter.is_low(role=message.role, text=redacted.text, before=before or "")
        event_id = uuid.uuid4()
        keys.append(vault.new_key(event_id))
        event = _event(vault, session, message, redacted, event_id)
        places.append(
            _place(principal, session, event, sequence, tokens=count_tokens(redacted.text), low=low)
        )
        events.append(event)
        before = redacted.text
    return events, [*keys, *events, *places]


def _last_text(vault: SubjectVault, session: Session) -> str:
    """Return the text of the last turn stored, or nothing."""
    last = (
        Message.objects.filter(session=session)
        .order_by("-sequence")
        .select_related("event")
        .first()
    )
    return "" if last is None else open_texts(vault, [last.event]).get(last.event_id, "")


def _event(
    vault: SubjectVault,
    session: Session,
    message: IncomingMessage,
    redacted: Redacted,
    event_id: uuid.UUID,
) -> Event:
    at, named = message.at or timezone.now(), message.name.strip()
    return Event(
        id=event_id,
        tenant_id=session.tenant_id,
        subject_id=session.subject_id,
        type=EventType.TOOL_RESULT if message.role == Role.TOOL else EventType.MESSAGE,
        role=message.role,
        agent_id=session.agent_id,
        session_id=session.id,
        text=vault.seal(Place(object_id=event_id), redacted.text),
        speaker=vault.seal(Place(object_id=event_id, field="speaker"), named) if named else b"",
        digest=event_digest(vault, role=message.role, at=at, text=redacted.text),
        redacted=sorted({found.type for found in redacted.secrets}),
        occurred_at=at,
        utc_offset=(at.utcoffset() or timedelta()) // timedelta(minutes=1),
        expires_at=timezone.now() + RETENTION.message,
    )


def _place(
    principal: Principal,
    session: Session,
    event: Event,
    sequence: int,
    *,
    tokens: int,
    low: bool,
) -> Message:
    return Message(
        tenant_id=event.tenant_id,
        subject_id=event.subject_id,
        session=session,
        event=event,
        sequence=sequence,
        role=event.role,
        at=event.occurred_at,
        tokens=tokens,
        low_information=low,
        may_learn=principal.may_learn,
        # Where learning is off the message serves the conversation and is never read for memories.
        extracted_at=None if principal.may_learn else timezone.now(),
    )


def event_digest(vault: SubjectVault, *, role: Role, at: datetime, text: str) -> int:
    """Return the keyed digest that names one source message: who, when and what, not its id."""
    return vault.digest("suppress event", access.event_name(role=role, at=at, text=text))
