"""How the database is to run what ranges over all that one person has.

Without fresh statistics the planner takes the rows of a new person, or of one who just imported ten
thousand, for a single one. A nested loop over them then takes minutes, and an index on the person
seems as good as one on an id. So such statements follow two rules, by which no statistics can make
one worse than a few passes over the person's rows: joins are hashed, and what needs few rows of a
table names them in an array.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BooleanField, F, Func, QuerySet
from django.db.models.expressions import RawSQL

BEFORE = "SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)"
AFTER = "SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL work_mem TO DEFAULT"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a statement, and the values of the parameters it names."""

    sql: str
    values: Mapping[str, Any]


def hashed(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a statement whose joins are hashed; call it inside ``acting``.

    Nor does it spill to disk: a hundred thousand rows take 20 MB. After an error the settings end
    with the transaction.
    """
    with connection.cursor() as cursor:  # one way there and back
        cursor.execute(f"{BEFORE}; {sql}; {AFTER}", values)
        cursor.nextset()
        return list(cursor.fetchall())


def part(name: str, rows: QuerySet[Any], *columns: str) -> Part:
    """Return the query for some columns of ``rows`` as a part of a statement.

    Its parameters are called after ``name``: psycopg does not mix named and positional ones.
    """
    try:
        sql, params = rows.values(*columns).query.sql_with_params()
    except EmptyResultSet:  # a grant without kinds, a filter without values
        table = rows.model._meta.db_table
        return Part(f"SELECT {', '.join(columns)} FROM {table} WHERE false", {})  # noqa: S608
    values = {f"{name}_{position}": value for position, value in enumerate(params)}
    return Part(sql % tuple(f"%({one})s" for one in values), values)


def one_of(column: str, ids: QuerySet[Any] | str) -> Func:
    """Return the condition that ``column`` is one of ``ids``, which are found first, as an array.

    ``ids`` is a query of one column, or the SQL of an array.
    """
    array = RawSQL(ids, []) if isinstance(ids, str) else ArraySubquery(ids)  # noqa: S611 - our own words
    return Func(
        F(column),
        array,
        template="%(expressions)s)",
        arg_joiner=" = ANY (",
        output_field=BooleanField(),
    )
