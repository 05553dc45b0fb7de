"""Working memory: sessions and their messages."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from accounts.subjects import is_valid_id
from memory import access, queue
from memory.choices import EventType, JobKind, Role
from memory.errors import InvalidInput, StaleState, TooLarge
from memory.models import Event, Job, Message, Session
from memory.policy import RETENTION, SESSION
from memory.providers.tokens import count_tokens
from memory.vault import Place, SubjectVault, open_vault
from memory.write.redact import redact


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


def open_session(principal: Principal, *, session_id: str | None) -> tuple[Session, bool]:
    """Return the agent's session of this name for its subject, opened if new, and whether it was.

    Raises:
        Forbidden: without a grant to write.
        InvalidInput: if ``session_id`` is not printable Unicode of 1 to 200 characters.
    """
    access.require(principal, Action.WRITE)
    if session_id is not None and not is_valid_id(session_id):
        raise InvalidInput("session_id must be printable text of 1 to 200 characters, not padded.")
    new_id = uuid.uuid4()
    names = {
        "tenant_id": principal.tenant_id,
        "subject_id": principal.person_id,
        "agent_id": principal.actor_id,
        "external_id": session_id or str(new_id),
    }
    with acting(principal):
        if found := Session.objects.filter(**names).first():
            return found, False
        try:
            with transaction.atomic():
                session = Session.objects.create(id=new_id, **names)
        except IntegrityError:  # another request opened it first
            return Session.objects.get(**names), False
        audit.record(
            principal, AuditCode.SESSION_OPENED, object_kind="session", object_id=session.id
        )
    return session, True


def append(
    principal: Principal, *, session_id: uuid.UUID, messages: Sequence[IncomingMessage]
) -> Appended:
    """Add messages to a session, redacted at the door, and schedule their extraction.

    Raises:
        Forbidden: without a grant to write.
        NotFound: for another person's or agent's session.
        StaleState: if the session was closed.
        TooLarge: for too many or too long messages; nothing is stored then.
    """
    access.require(principal, Action.WRITE)
    check(messages)
    with acting(principal):
        session = access.access_session(principal, session_id, lock=True)
        if session.closed_at is not None:
            raise StaleState("The session was closed; open another one.")
        vault = open_vault(principal)
        events = [_store(vault, principal, session, message) for message in messages]
        session.last_active_at = timezone.now()
        session.save(update_fields=["next_sequence", "last_active_at"])
        audit.record(
            principal,
            AuditCode.MESSAGES_APPENDED,
            object_kind="session",
            object_id=session.id,
            result_count=len(events),
        )
        job = _schedule(principal, session) if principal.may_learn else None
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


def _schedule(principal: Principal, session: Session) -> Job:
    return queue.add_job(
        kind=JobKind.EXTRACT,
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        target_id=session.id,
        agent_id=session.agent_id,
    )


def _store(
    vault: SubjectVault, principal: Principal, session: Session, message: IncomingMessage
) -> Event:
    redacted = redact(message.content)
    event_id, at = uuid.uuid4(), message.at or timezone.now()
    named = message.name.strip()
    event = Event.objects.create(
        id=event_id,
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        type=EventType.TOOL_RESULT if message.role == Role.TOOL else EventType.MESSAGE,
        role=message.role,
        agent_id=session.agent_id,
        session_id=session.id,
        text=vault.seal(Place(object_id=event_id), redacted.text),
        speaker=vault.seal(Place(object_id=event_id, field="speaker"), named) if named else b"",
        digest=event_digest(vault, role=message.role, at=at, text=redacted.text),
        redacted=sorted({found.type for found in redacted.secrets}),
        occurred_at=at,
        expires_at=timezone.now() + RETENTION.message,
    )
    Message.objects.create(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        session=session,
        event=event,
        sequence=session.next_sequence,
        role=message.role,
        at=at,
        tokens=count_tokens(redacted.text),
        # Where learning is off the message serves the conversation and is never read for memories.
        extracted_at=None if principal.may_learn else timezone.now(),
    )
    session.next_sequence += 1
    return event


def event_digest(vault: SubjectVault, *, role: Role, at: datetime, text: str) -> int:
    """Return the keyed digest that names one source message: who, when and what, not its id."""
    return vault.digest("suppress event", json.dumps([role, at.isoformat(), text]))
