"""Linking a subject to a login: an agent's app or an operator gives a link, the person opens it, once.

Whoever opens the link takes charge of the subject, so it works once, for an hour (three days if an
operator has to hand it over), and is never given for a subject that somebody already took charge of.
"""

import hashlib
import secrets
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import ActorKind, AuditCode
from accounts.models import Agent, PersonLink, Subject, User
from accounts.principal import Principal
from accounts.subjects import system

LIFE = timedelta(hours=1)
INVITATION_LIFE = timedelta(days=3)


class LinkRefused(Exception):
    """The link cannot be given or used; the text says why and holds no id."""


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def issue_link(principal: Principal) -> tuple[str, PersonLink]:
    """Return a link's secret, shown once, and its row.

    Raises:
        PermissionDenied: for an agent that an operator has not allowed to give links.
        LinkRefused: if a person already took charge of the subject.
    """
    with acting(principal):
        if not _may_link(principal):
            raise PermissionDenied(
                "This agent may not give links. An operator allows it in the console."
            )
        subject = Subject.objects.select_for_update().get(id=principal.person_id)
        if subject.login_id is not None:
            raise LinkRefused("A person already took charge of this subject.")
        secret = secrets.token_urlsafe(32)
        link = PersonLink.objects.create(
            tenant_id=principal.tenant_id,
            subject=subject,
            digest=_digest(secret),
            agent_id=principal.agent_id,
            expires_at=timezone.now() + (INVITATION_LIFE if _invites(principal) else LIFE),
        )
        audit.record(principal, AuditCode.LINK_ISSUED, object_kind="link", object_id=link.id)
    return secret, link


def _may_link(principal: Principal) -> bool:
    if principal.agent_id is None:
        return principal.is_person or _invites(principal)
    mine = Agent.objects.filter(tenant_id=principal.tenant_id, id=principal.agent_id)
    return mine.filter(may_link=True).exists()


def _invites(principal: Principal) -> bool:
    return principal.kind == ActorKind.OPERATOR


def find_link(secret: str) -> PersonLink | None:
    """Return the link of this secret if it can still be used."""
    now = timezone.now()
    open_links = PersonLink.objects.filter(used_at__isnull=True, expires_at__gt=now)
    found = open_links.select_related("subject").filter(digest=_digest(secret)).first()
    return None if found is None or found.subject.login_id or found.subject.erased_at else found


@transaction.atomic
def redeem(secret: str, user: User) -> Subject:
    """Put ``user`` in charge of the link's subject.

    Raises:
        LinkRefused: if the link is unknown, used or too old.
    """
    link = find_link(secret)
    used = link and rights.change(
        PersonLink.objects.filter(id=link.id, used_at=None), used_at=timezone.now()
    )
    if link is None or not used:
        raise LinkRefused("This link is no longer good. Ask whoever gave it for a new one.")
    subject = link.subject
    taken = Subject.objects.filter(id=subject.id, login=None, merged_into=None)
    if not taken.update(login=user, is_anonymous=False):
        raise LinkRefused("A person already took charge of this subject.")
    person = system(link.tenant_id, subject.id, label="link").using(actor_id=user.id)
    with acting(person):
        audit.record(person, AuditCode.LINK_USED, object_kind="link", object_id=link.id)
    subject.login = user
    return subject


def new_login(*, email: str, password: str) -> User:
    """Return a new login; the caller has checked that the address is free and the password good."""
    return User.objects.create_user(email, password)
