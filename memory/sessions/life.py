"""A session's life: opened, listed, closed."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit
from accounts.acting import acting, stays
from accounts.choices import Action, AuditCode
from accounts.models import Subject
from accounts.principal import Principal
from accounts.subjects import is_valid_id, system
from memory import access, queue
from memory.choices import JobKind
from memory.errors import Forbidden, InvalidInput, NotFound
from memory.models import Job, Message, Session
from memory.policy import SESSION, WORK
from memory.recall.pages import page
from memory.rounds import go_round

FIRST = 1  # number of a session's first message


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

    One that was closed is opened again.

    Raises:
        Forbidden: without a grant to write.
        InvalidInput: if ``session_id`` is not printable Unicode of 1 to 200 characters.
        NotFound: if the person was erased whole meanwhile.
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
            return _reopened(principal, found), False
        if not stays(principal.person_id):
            raise NotFound
        try:
            with transaction.atomic():
                session = Session.objects.create(id=new_id, **names)
        except IntegrityError:  # another request opened it first
            return Session.objects.get(**names), False
        audit.record(
            principal, AuditCode.SESSION_OPENED, object_kind="session", object_id=session.id
        )
    return session, True


def _reopened(principal: Principal, session: Session) -> Session:
    if session.closed_at is None:
        return session
    session.closed_at = None
    session.last_active_at = timezone.now()  # else it would be closed as idle before it can go on
    session.save(update_fields=["closed_at", "last_active_at"])
    audit.record(principal, AuditCode.SESSION_OPENED, object_kind="session", object_id=session.id)
    return session


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
    """Close a session: it takes no more messages, what is unread is read for memories, and what it held
    besides may become an episode.

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
        _shut(principal, session)
        job = _read_rest(session) if principal.may_learn else None
    return Closed(session=session, job=job)


def sweep() -> int:
    """Go round all people: close the sessions that nobody has gone on with; return how many."""
    return go_round("sweep_sessions", Subject.objects.all(), _visit)


def _visit(person: Subject) -> int:
    return close_idle(system(person.tenant_id, person.id, label="sessions"))


def close_idle(principal: Principal) -> int:
    """Close the subject's sessions without a message for the policy's time; return how many."""
    with acting(principal):
        due = Session.objects.select_for_update(skip_locked=True).filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            closed_at__isnull=True,
            last_active_at__lte=timezone.now() - SESSION.ends,
        )
        sessions = list(due.order_by("last_active_at")[: WORK.batch])
        for session in sessions:
            _shut(principal, session)
            _read_rest(session)
    return len(sessions)


def _shut(principal: Principal, session: Session) -> None:
    session.closed_at = timezone.now()
    session.save(update_fields=["closed_at"])
    audit.record(principal, AuditCode.SESSION_CLOSED, object_kind="session", object_id=session.id)


def _read_rest(session: Session) -> Job | None:
    """Have a closed session read; a single message that was read already is nothing to tell of."""
    unread = Message.objects.filter(session=session, extracted_at__isnull=True).exists()
    return schedule(session) if unread or session.next_sequence > FIRST + 1 else None


def schedule(
    session: Session, *, kind: JobKind = JobKind.EXTRACT, due: datetime | None = None
) -> Job:
    """Write down what is to be done with a session, now or when it is ``due``.

    If nothing else is said, its unread messages are to be read for memories.
    """
    return queue.job_for(kind=kind, due=due, **about(session))


def about(session: Session) -> dict[str, Any]:
    """Return whose and what for a session's job is."""
    return {
        "tenant_id": session.tenant_id,
        "subject_id": session.subject_id,
        "target_id": session.id,
        "agent_id": session.agent_id,
    }
