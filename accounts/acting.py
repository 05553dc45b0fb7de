"""The one place that opens the wall: inside it, the database shows one person's rows."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction

from accounts.principal import ALL_KINDS, FULL_CLEARANCE, Principal

NAMES = ("tenant_id", "subject_id", "clearance", "kinds", "agent_id", "look_id")
NO_LOOK = uuid.UUID(int=0)  # what an operator who may not look names
PATIENCE = "statement_timeout"
HOLD = "SELECT merged_into_id IS NOT NULL FROM accounts_subject WHERE id = %s FOR KEY SHARE"
STAYS = "SELECT erased_at IS NULL FROM accounts_subject WHERE id = %s FOR KEY SHARE"


class SubjectMoved(Exception):
    """The anonymous subject became part of a person meanwhile: find out anew whom the id means."""


def _values(principal: Principal) -> list[str]:
    clearance, kinds, agent = principal.reach, principal.kinds, principal.agent_id
    if principal.unrestricted:
        clearance, kinds, agent = FULL_CLEARANCE, ALL_KINDS, None
    look = (principal.look_id or NO_LOOK) if principal.is_operator else None
    who = (principal.tenant_id, principal.subject_id)
    found = (*who, clearance, ",".join(sorted(kinds)), agent, look)
    return ["" if value is None else str(value) for value in found]


@contextmanager
def acting(principal: Principal, *, patience: float | None = None) -> Iterator[Principal]:
    """Open a transaction in which row policies show what ``principal`` may see.

    With ``patience`` the database gives up a statement that takes more seconds; it raises
    ``OperationalError`` then.

    For an anonymous subject it holds a merge off until the end, and raises ``SubjectMoved`` after one.

    Nested use sees the inner principal's rows and restores the outer's settings afterwards (a
    savepoint's release keeps local settings, so they are set back by hand; a rollback undoes them).
    Where both see the same, nothing is set.
    """
    names = [f"app.{name}" for name in NAMES]
    values = _values(principal)
    if patience is not None:
        names, values = [*names, PATIENCE], [*values, f"{patience * 1000:.0f}"]
    nested = connection.in_atomic_block
    with transaction.atomic():
        if principal.anonymous:
            _hold(principal)
        before = _read(names) if nested else []
        if before != values:
            _set(names, values)
        yield principal
        if nested and before != values:  # else the values end with the transaction
            _set(names, before)


def _hold(principal: Principal) -> None:
    with connection.cursor() as cursor:
        cursor.execute(HOLD, [principal.subject_id])
        found = cursor.fetchone()
    if found and found[0]:
        raise SubjectMoved


def stays(subject_id: uuid.UUID) -> bool:
    """Hold an erasure of the whole person off until the transaction ends; False after one.

    It waits for one that is under way. Whoever stores something for a person asks first: it would
    stay for good, since nothing looks for it any more.
    """
    with connection.cursor() as cursor:
        cursor.execute(STAYS, [subject_id])
        found = cursor.fetchone()
    return bool(found and found[0])


def _read(names: Sequence[str]) -> list[str]:
    columns = ", ".join("current_setting(%s, true)" for _ in names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns}", names)
        return [value or "" for value in cursor.fetchone()]


def _set(names: Sequence[str], values: Sequence[str]) -> None:
    columns = ", ".join("set_config(%s, %s, true)" for _ in names)
    given = [part for pair in zip(names, values, strict=True) for part in pair]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns}", given)
