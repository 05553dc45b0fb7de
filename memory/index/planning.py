"""How the database is to run the search."""

from collections.abc import Mapping
from typing import Any

from django.db import connection

BEFORE = "SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)"
AFTER = "SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL work_mem TO DEFAULT"


def hashed(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a statement whose joins are hashed; call it inside ``acting``.

    Without fresh statistics the planner takes the rows of a new person, or of one who just imported
    ten thousand, for a single one, and a nested loop over them would take minutes. Hashing costs a
    search next to nothing: it reads all rows of the one person in any case. Nor does it spill to disk: a
    hundred thousand rows take 20 MB. After an error the settings end with the transaction.
    """
    with connection.cursor() as cursor:  # one way there and back
        cursor.execute(f"{BEFORE}; {sql}; {AFTER}", values)
        cursor.nextset()
        return list(cursor.fetchall())
