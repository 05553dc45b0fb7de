"""Taking messages in: redacted at the door, in order, with their extraction scheduled."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import Role
from memory.choices.events import EventType
from memory.errors import InvalidInput, StaleState, TooLarge
from memory.measuring import Step, step
from memory.models import Event, Job, Message, Session
from memory.policy import RETENTION, SESSION
from memory.providers.tokens import count_tokens
from memory.sessions import chatter
from memory.sessions.life import schedule
from memory.sessions.originals import open_texts
from memory.vault import Place, SubjectVault, open_vault
from memory.write.redact import Redacted, redact


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
        session = access.access_session(principal, session_id, lock=True)
        access.require(principal, Action.WRITE)
        if session.closed_at is not None:
            raise StaleState("The session was closed; open another one.")
        events = _store_all(principal, session, messages)
        session.last_active_at = timezone.now()
        session.save(update_fields=["next_sequence", "last_active_at"])
        audit.record(
            principal,
            AuditCode.MESSAGES_APPENDED,
            object_kind="session",
            object_id=session.id,
            result_count=len(events),
        )
        job = schedule(session, due=due) if principal.may_learn else None
    return Appended(event_ids=[event.id for event in events], job=job)


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


def _store_all(
    principal: Principal, session: Session, messages: Sequence[IncomingMessage]
) -> list[Event]:
    """Store the messages one after the other; the session's row is locked."""
    vault = open_vault(principal)
    events: list[Event] = []
    before: str | None = None
    for message in messages:
        redacted = redact(message.content)
        if before is None and chatter.is_chatter(redacted.text):
            before = _last_text(vault, session)
        low = chatter.is_low(role=message.role, text=redacted.text, before=before or "")
        event = _store_event(vault, session, message, redacted)
        _store_place(principal, session, event, tokens=count_tokens(redacted.text), low=low)
        events.append(event)
        before = redacted.text
    return events


def _last_text(vault: SubjectVault, session: Session) -> str:
    """Return the text of the last turn stored, or nothing."""
    last = (
        Message.objects.filter(session=session)
        .order_by("-sequence")
        .select_related("event")
        .first()
    )
    return "" if last is None else open_texts(vault, [last.event]).get(last.event_id, "")


def _store_event(
    vault: SubjectVault, session: Session, message: IncomingMessage, redacted: Redacted
) -> Event:
    event_id, at = uuid.uuid4(), message.at or timezone.now()
    named = message.name.strip()
    return Event.objects.create(
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


def _store_place(
    principal: Principal, session: Session, event: Event, *, tokens: int, low: bool
) -> None:
    Message.objects.create(
        tenant_id=session.tenant_id,
        subject_id=session.subject_id,
        session=session,
        event=event,
        sequence=session.next_sequence,
        role=event.role,
        at=event.occurred_at,
        tokens=tokens,
        low_information=low,
        # Where learning is off the message serves the conversation and is never read for memories.
        extracted_at=None if principal.may_learn else timezone.now(),
    )
    session.next_sequence += 1


def event_digest(vault: SubjectVault, *, role: Role, at: datetime, text: str) -> int:
    """Return the keyed digest that names one source message: who, when and what, not its id."""
    return vault.digest("suppress event", access.event_name(role=role, at=at, text=text))
