"""An operator invites people to take charge of what is remembered about them, by a link that works once.

This server sends no mail: the link is shown once, and the operator hands it to the person.
"""

import uuid

from django.conf import settings
from django.utils import timezone

from accounts import rights
from accounts.acting import acting
from accounts.links import LinkRefused, issue_link
from accounts.models import PersonLink, Subject
from accounts.principal import Principal
from accounts.subjects import get_or_create_subject, is_valid_id
from memory.admin.services import note, require_operator
from memory.errors import InvalidInput


def invite_user(
    operator: Principal, tenant_id: uuid.UUID, *, reason: str, user_id: str
) -> str | None:
    """Return the address at which the person of this ``user_id`` takes charge; they may be new.

    None if somebody took charge already.

    Raises:
        InvalidInput: for what is no ``user_id``.
    """
    require_operator(operator)
    if not is_valid_id(user_id):
        raise InvalidInput("user_id must be 1 to 200 printable characters.")
    inside = operator.using(tenant_id=tenant_id)
    with acting(inside):
        subject, _ = get_or_create_subject(inside, user_id)
        return _invite(inside, subject, reason)


def invite_person(operator: Principal, person_id: uuid.UUID, *, reason: str) -> str | None:
    """Return the address at which a person takes charge; None if somebody did, or they are erased."""
    require_operator(operator)
    mine = Subject.objects.of_tenant(operator.tenant_id).filter(id=person_id)
    subject = mine.filter(erased_at__isnull=True, merged_into=None).first()
    return _invite(operator, subject, reason) if subject else None


def withdraw_invitation(operator: Principal, link_id: uuid.UUID, *, reason: str) -> bool:
    """Let a link that nobody has opened yet open nothing; return whether it could."""
    require_operator(operator)
    now = timezone.now()
    with acting(operator):
        waiting = PersonLink.objects.filter(
            tenant_id=operator.tenant_id, id=link_id, used_at=None, expires_at__gt=now
        )
        changed = bool(rights.change(waiting, expires_at=now))
        if changed:
            note(operator, "withdraw_invitation", "link", link_id, reason)
    return changed


def _invite(operator: Principal, subject: Subject, reason: str) -> str | None:
    inviting = operator.using(subject_id=subject.id)
    with acting(inviting):
        try:
            secret, link = issue_link(inviting)
        except LinkRefused:
            return None
        note(inviting, "invite", "link", link.id, reason)
    return f"{settings.PUBLIC_URL}/link/{secret}/"
