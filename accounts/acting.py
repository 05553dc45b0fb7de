"""The one place that opens the wall: inside it, the database shows one person's rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from accounts.principal import ALL_KINDS, FULL_CLEARANCE, Principal

NAMES = ("tenant_id", "subject_id", "clearance", "kinds", "agent_id")
READ = "SELECT " + ", ".join(f"current_setting('app.{name}', true)" for name in NAMES)
SET = "SELECT " + ", ".join(f"set_config('app.{name}', %s, true)" for name in NAMES)


def _values(principal: Principal) -> list[str]:
    clearance, kinds, agent = principal.clearance, principal.kinds, principal.agent_id
    if principal.unrestricted:
        clearance, kinds, agent = FULL_CLEARANCE, ALL_KINDS, None
    found = (principal.tenant_id, principal.subject_id, clearance, ",".join(sorted(kinds)), agent)
    return ["" if value is None else str(value) for value in found]


@contextmanager
def acting(principal: Principal) -> Iterator[Principal]:
    """Open a transaction in which row policies show what ``principal`` may see.

    Nested use sees the inner principal's rows and restores the outer's settings afterwards (a
    savepoint's release keeps local settings, so they are set back by hand; a rollback undoes them).
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(READ)
            before = cursor.fetchone()
            cursor.execute(SET, _values(principal))
        yield principal
        with connection.cursor() as cursor:
            cursor.execute(SET, [value or "" for value in before])
