"""The summary of a session: points of its older turns, sealed, one a session.

It is made when a context has no room for everything, and moves by compare-and-set: of two compactions
at once one is kept, and the other's caller loses nothing, because it has its answer already and the
turns are still there.
"""

import json
import uuid
from collections.abc import Collection
from dataclasses import asdict, replace

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.choices import JobKind, Role
from memory.lifecycle import lock_subject
from memory.models import Message, ObjectKey, Session, Summary, Tombstone
from memory.providers import chat
from memory.sessions.compaction import Summarised
from memory.sessions.life import schedule
from memory.sessions.points import Point
from memory.sessions.rewording import reworded
from memory.vault import Place, SubjectVault, open_vault

LLM = "llm"


def stored(principal: Principal, vault: SubjectVault, session: Session) -> Summarised:
    """Return the session's summary, inside ``acting``.

    If one of its turns was erased nothing of it is left, and it is made anew from those that remain.
    """
    row = _rows(principal, session).first()
    if row is None:
        return Summarised()
    erased = _tells_erased(principal, row.event_ids)
    if erased or not ObjectKey.objects.filter(object_id=row.id).exists():
        return Summarised(version=row.version)
    told = json.loads(vault.unseal(Place(object_id=row.id, number=row.version), row.text))
    return Summarised(
        points=[_point(one) for one in told["points"]],
        event_ids=frozenset(row.event_ids),
        dropped=frozenset(map(uuid.UUID, told["dropped"])),
        prose=told.get("prose", ""),
        version=row.version,
    )


def fold(principal: Principal, session: Session, summary: Summarised) -> bool:
    """Store what a compaction made of the summary of ``summary.version``; return whether it was kept.

    What is unread of its turns is read for memories in the same step. Runs inside ``acting``.
    """
    # Locked first: a session that is being erased gets no summary any more.
    if not Session.objects.select_for_update(no_key=True).filter(id=session.id).exists():
        return False
    lock_subject(principal)
    if _tells_erased(principal, summary.event_ids) or not _stored(principal, session, summary):
        return False
    audit.record(
        principal,
        AuditCode.SESSION_COMPACTED,
        object_kind="session",
        object_id=session.id,
        version_after=summary.version + 1,
        result_count=len(summary.event_ids),
    )
    unread = Message.objects.filter(
        session=session, event_id__in=summary.event_ids, extracted_at__isnull=True
    )
    if principal.may_learn and unread.exists():
        schedule(session)
    if settings.SUMMARISER == LLM and not summary.prose:
        schedule(session, kind=JobKind.SUMMARISE)
    return True


def _tells_erased(principal: Principal, event_ids: Collection[uuid.UUID]) -> bool:
    erased = Tombstone.objects.filter(tenant_id=principal.tenant_id, object_id__in=event_ids)
    return erased.exists()


def reword(principal: Principal, session_id: uuid.UUID) -> None:
    """Have a model tell the session's summary in fewer words; kept if the summary is still the same.

    Holds no transaction while the model thinks.

    Raises:
        ModelUnavailable, ModelGarbled: without an answer.
    """
    if not principal.may_use:
        return  # the person has switched memory off since
    with acting(principal):
        session = Session.objects.filter(id=session_id).first()
        if session is None:
            return
        before = stored(principal, open_vault(principal), session)
    if before.prose or not before.points:
        return
    prose = reworded(chat.build(model=settings.LLM_SUMMARY_MODEL), before.points)
    if not prose:
        return
    with acting(principal):
        if stored(principal, open_vault(principal), session) == before:
            fold(principal, session, replace(before, prose=prose))


def _stored(principal: Principal, session: Session, summary: Summarised) -> bool:
    row = _rows(principal, session).filter(version=summary.version).first()
    if row is None and summary.version:
        return False
    id_, version = (row.id if row else uuid.uuid4()), summary.version + 1
    sealed = open_vault(principal).seal(Place(object_id=id_, number=version), _written(summary))
    changed = {
        "text": sealed,
        "event_ids": sorted(summary.event_ids),
        "version": version,
        "updated_at": timezone.now(),
    }
    if row is not None:
        rows = _rows(principal, session).filter(version=summary.version)
        return bool(rows.update(**changed))
    try:
        with transaction.atomic():
            Summary.objects.create(
                id=id_,
                tenant_id=principal.tenant_id,
                subject_id=principal.person_id,
                session=session,
                **changed,
            )
    except IntegrityError:  # another compaction was first
        ObjectKey.objects.filter(object_id=id_).delete()
        return False
    return True


def _rows(principal: Principal, session: Session) -> QuerySet[Summary]:
    return Summary.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, session=session
    )


def _written(summary: Summarised) -> str:
    points = [asdict(point) for point in summary.points]
    dropped = sorted(summary.dropped)
    told = {"points": points, "dropped": dropped, "prose": summary.prose}
    return json.dumps(told, ensure_ascii=False, default=str)


def _point(told: dict[str, object]) -> Point:
    """A point as it was written down."""
    point = Point(**told)  # type: ignore[arg-type]
    by = None if point.by is None else (uuid.UUID(str(point.by[0])), point.by[1])
    return replace(point, event_id=uuid.UUID(str(point.event_id)), role=Role(point.role), by=by)
