"""A session's life: opened, listed, closed."""

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
from memory.choices import JobKind
from memory.errors import Forbidden, InvalidInput
from memory.models import Job, Message, Session
from memory.recall.pages import page


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A closed session and the job that reads what was left, if this call left one."""

    session: Session
    job: Job | None


def require_reading(principal: Principal) -> None:
    """Refuse whoever may not read the person's sessions.

    Whether memory is switched on does not matter here: a session serves its own conversation.

    Raises:
        Forbidden: without a grant to read.
    """
    if not principal.may(Action.READ):
        raise Forbidden("This key has no grant to read for this person.")


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


def list_sessions(
    principal: Principal, *, limit: int, cursor: str | None
) -> tuple[Sequence[Session], str | None]:
    """Return a page of the person's sessions, newest first; an agent sees only its own.

    Raises:
        Forbidden: without a grant to read.
        InvalidInput: for a cursor that is not ours.
    """
    require_reading(principal)
    with acting(principal):
        rows = Session.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
        if principal.agent_id is not None:
            rows = rows.filter(agent_id=principal.agent_id)
        found, more = page(rows, by="opened_at", limit=limit, cursor=cursor)
        audit.record(principal, AuditCode.SESSION_LISTED, result_count=len(found))
    return found, more


def find_session(principal: Principal, session_id: uuid.UUID) -> Session:
    """Return one session as it stands.

    Raises:
        NotFound: if there is none, or it is another agent's.
    """
    with acting(principal):
        return access.access_session(principal, session_id)


def close(principal: Principal, *, session_id: uuid.UUID) -> Closed:
    """Close a session: it takes no more messages, and what is unread is read for memories.

    Closing a closed one changes nothing.

    Raises:
        Forbidden: without a grant to write.
        NotFound: for another person's or agent's session.
    """
    with acting(principal):
        session = access.access_session(principal, session_id, lock=True)
        access.require(principal, Action.WRITE)
        if session.closed_at is not None:
            return Closed(session=session, job=None)
        session.closed_at = timezone.now()
        session.save(update_fields=["closed_at"])
        audit.record(
            principal, AuditCode.SESSION_CLOSED, object_kind="session", object_id=session.id
        )
        unread = Message.objects.filter(session=session, extracted_at__isnull=True).exists()
        job = schedule(session) if unread and principal.may_learn else None
    return Closed(session=session, job=job)


def schedule(
    session: Session, *, kind: JobKind = JobKind.EXTRACT, due: datetime | None = None
) -> Job:
    """Write down what is to be done with a session, now or when it is ``due``.

    If nothing else is said, its unread messages are to be read for memories.
    """
    return queue.job_for(
        kind=kind,
        tenant_id=session.tenant_id,
        subject_id=session.subject_id,
        target_id=session.id,
        agent_id=session.agent_id,
        due=due,
    )
