"""Making an anonymous subject part of a person: an agent asks, the person alone answers.

What is remembered of the subject moves elsewhere; here stands who asked, who agreed, and whom an id
means.
"""

import uuid
from datetime import timedelta

from django.db import models
from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode, MergeState
from accounts.models import Subject, SubjectMerge
from accounts.principal import Principal

LIFE = timedelta(days=7)


class MergeRefused(Exception):
    """The two cannot become one; the text says why and holds no id."""


def ask(agent: Principal, source: Principal) -> tuple[SubjectMerge, bool]:
    """Ask the person of ``agent`` whether the subject of ``source`` is them; say whether it is new.

    Both are the same agent's, each with its rights for one of the two.

    Raises:
        MergeRefused: if the source is nobody anonymous, or the two are one already.
    """
    assert agent.agent_id is not None
    with acting(agent):
        mine = Subject.objects.of_tenant(agent.tenant_id).select_for_update(no_key=True)
        subject = mine.get(id=source.person_id)
        if not _is_free(subject) or subject.id == agent.person_id:
            raise MergeRefused("Only an anonymous user can become part of a person, and once.")
        open_ = asked(agent).filter(source=subject).first()
        if open_ is not None:
            return open_, False
        SubjectMerge.objects.filter(
            subject_id=agent.person_id, source=subject, state=MergeState.ASKED
        ).update(state=MergeState.REFUSED, decided_at=timezone.now())  # nobody answered in time
        merge = SubjectMerge.objects.create(
            tenant_id=agent.tenant_id,
            subject_id=agent.person_id,
            source=subject,
            agent_id=agent.agent_id,
            expires_at=timezone.now() + LIFE,
        )
        for one in (agent.person_id, subject.id):
            _note(agent, AuditCode.MERGE_ASKED, merge, one)
    return merge, True


def _is_free(subject: Subject) -> bool:
    gone = subject.erased_at is not None or subject.merged_into_id is not None
    return subject.is_anonymous and subject.login_id is None and not gone


def _of(person: Principal) -> models.QuerySet[SubjectMerge]:
    return SubjectMerge.objects.filter(tenant_id=person.tenant_id, subject_id=person.person_id)


def asked(person: Principal) -> models.QuerySet[SubjectMerge]:
    """Return the questions that wait for the person."""
    return _of(person).filter(state=MergeState.ASKED, expires_at__gt=timezone.now())


def merged(person: Principal) -> list[SubjectMerge]:
    """Return what became part of the person and whose id still means them, newest first."""
    return list(_of(person).filter(state=MergeState.MERGED).order_by("-decided_at"))


def take(person: Principal, merge_id: uuid.UUID) -> SubjectMerge | None:
    """Lock a question and both its subjects until the end of the transaction; None if it is answered.

    Raises:
        MergeRefused: if the source is nobody anonymous any more.
    """
    merge = asked(person).select_for_update(of=("self",)).filter(id=merge_id).first()
    if merge is None:
        return None
    source = Subject.objects.select_for_update().get(
        id=merge.source_id
    )  # waits for who works for it
    if not _is_free(source):
        raise MergeRefused("It became part of somebody meanwhile.")
    return merge


def settle(person: Principal, merge: SubjectMerge, *, agreed: bool) -> None:
    """Write down the person's answer, in the transaction of what it does."""
    merge.state = MergeState.MERGED if agreed else MergeState.REFUSED
    merge.decided_at = timezone.now()
    merge.save(update_fields=["state", "decided_at"])
    if agreed:
        Subject.objects.filter(id=merge.source_id).update(merged_into=merge.subject_id)
    code = AuditCode.MERGED if agreed else AuditCode.MERGE_REFUSED
    for one in (merge.subject_id, merge.source_id):
        _note(person, code, merge, one)


def unlink(person: Principal, merge_id: uuid.UUID) -> bool:
    """Let the id mean an anonymous subject again, of whom nothing is known; say whether it did not.

    What was moved stays the person's.
    """
    with acting(person):
        merge = _of(person).select_for_update().filter(id=merge_id, state=MergeState.MERGED).first()
        if merge is None:
            return False
        Subject.objects.filter(id=merge.source_id).update(merged_into=None)
        SubjectMerge.objects.filter(id=merge.id).update(state=MergeState.UNLINKED)
        for one in (merge.subject_id, merge.source_id):
            _note(person, AuditCode.UNLINKED, merge, one)
    return True


def _note(principal: Principal, code: AuditCode, merge: SubjectMerge, about: uuid.UUID) -> None:
    audit.record(principal, code, subject_id=about, object_kind="merge", object_id=merge.id)
