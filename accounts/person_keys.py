"""The person's own API keys: with one, a program may do all that the person may."""

import uuid
from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import keys
from accounts.acting import acting
from accounts.choices import KeyKind
from accounts.grants import NoGrant, require_person
from accounts.models import ApiKey, Subject
from accounts.principal import Principal
from accounts.subjects import is_printable

MAX_LABEL = 100
MOST_KEYS = 20
DAYS = (30, 90, 365)


class BadKey(ValueError):
    """A name, a life or a number of keys that cannot be."""


def own_keys(person: Principal) -> Sequence[ApiKey]:
    """Return the person's keys that work, the oldest first."""
    require_person(person)
    with acting(person):
        return list(_live(person))


def make_key(person: Principal, *, label: str, days: int) -> str:
    """Make a key that lasts so many days; return its text, shown once.

    Raises:
        PermissionDenied, BadKey: not the person; no name, another life, or one key too many.
    """
    require_person(person)
    if not is_printable(label, most=MAX_LABEL) or days not in DAYS:
        raise BadKey
    with acting(person):
        subject = Subject.objects.select_for_update().get(id=person.person_id)
        if _live(person).count() >= MOST_KEYS:
            raise BadKey
        _, full = keys.issue(
            person,
            kind=KeyKind.PERSON,
            subject=subject,
            label=label,
            expires_at=timezone.now() + timedelta(days=days),
        )
    return full


def revoke_own_key(person: Principal, key_id: uuid.UUID) -> None:
    """Revoke one of the person's keys.

    Raises:
        PermissionDenied, NoGrant: not the person; not their key.
    """
    require_person(person)
    with acting(person):
        if not _live(person).filter(id=key_id).exists():
            raise NoGrant
        keys.revoke(person, key_id=key_id)


def _live(person: Principal) -> QuerySet[ApiKey]:
    now = timezone.now()
    rows = ApiKey.objects.filter(
        tenant_id=person.tenant_id,
        subject_id=person.person_id,
        kind=KeyKind.PERSON,
        revoked_at__isnull=True,
    )
    return rows.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now)).order_by("created_at")
