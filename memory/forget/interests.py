"""Erasing what a person's questions were counted as, and switching the counting on or off."""

from accounts import audit, preferences
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory.errors import Forbidden
from memory.models import Interest


def erase_interests(principal: Principal) -> int:
    """Erase every count; return how many topics there were.

    Raises:
        Forbidden: for anybody but the person.
    """
    _require_person(principal)
    with acting(principal):
        rows = Interest.objects.filter(
            tenant_id=principal.tenant_id, subject_id=principal.person_id
        )
        erased = rows.delete()[0]
        audit.record(principal, AuditCode.INTERESTS_ERASED, result_count=erased)
    return erased


def count_interests(principal: Principal, *, on: bool) -> None:
    """Count what the person asks about from now on, or stop and erase the counts.

    Raises:
        Forbidden: for anybody but the person.
    """
    _require_person(principal)
    with acting(principal):
        preferences.set_interests(principal, on=on)
        if not on:
            erase_interests(principal)


def _require_person(principal: Principal) -> None:
    if not principal.is_person:
        raise Forbidden("Only the person decides what their questions are counted as.")
