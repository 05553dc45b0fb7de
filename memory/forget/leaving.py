"""Closing a login: everything about each of its persons is erased, then nobody can sign in with it."""

import uuid

from django.db import transaction

from accounts import audit
from accounts.choices import AuditCode
from accounts.logins import close_login, subjects_of
from accounts.models import User
from accounts.subjects import person
from memory.errors import Forbidden
from memory.forget.requests import erase_by_hand
from memory.models import Erasure


@transaction.atomic
def leave(user_id: uuid.UUID, *, address: str = "") -> list[Erasure]:
    """Erase every person of a login and close it, or do neither; return the erasures.

    The fence stands before the login is gone, and with the login every session of it. ``address`` is
    the network the request came from.

    Raises:
        Forbidden: for an operator's login, which other people's memories may depend on.
    """
    if User.objects.filter(id=user_id, is_staff=True).exists():
        raise Forbidden(
            "An operator's login is not closed: dismiss them first (manage.py dismiss_operator)."
        )
    erased = []
    for subject in subjects_of(user_id):
        principal = person(subject, address=address)
        erased.append(erase_by_hand(principal, anew=False))
        audit.record(principal, AuditCode.LOGIN_CLOSED, object_kind="subject", object_id=subject.id)
    close_login(user_id)
    return erased
