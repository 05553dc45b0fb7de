"""Putting in rows of several tables at once: one statement, one way to the database and back."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, groupby
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

# A table, and how many rows of it come one after the other.
type Run = tuple[type[models.Model], int]


def insert(rows: Sequence[models.Model]) -> None:
    """Put in new rows, whatever their tables; a number the database gives is not read back.

    All come into being at once, so none may rely on another but by a key that is checked at the end
    of the transaction, as all of ours are.
    """
    if not rows:
        return
    runs = [(model, list(found)) for model, found in groupby(rows, key=type)]
    sql = _statement(tuple((model, len(found)) for model, found in runs))
    values = list(chain.from_iterable(_values(row) for row in rows))
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def _fields(model: type[models.Model]) -> list[Any]:
    fields = model._meta.concrete_fields
    return [field for field in fields if not isinstance(field, models.AutoField)]


def _values(row: models.Model) -> list[Any]:
    return [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for field in _fields(type(row))
    ]


@lru_cache(maxsize=256)
def _statement(runs: tuple[Run, ...]) -> str:
    *before, last = (_insert(model, number) for model, number in runs)
    if not before:
        return last
    named = ", ".join(f"row_{place} AS ({sql})" for place, sql in enumerate(before))
    return f"WITH {named} {last}"


def _insert(model: type[models.Model], number: int) -> str:
    quote, fields = connection.ops.quote_name, _fields(model)
    columns = ", ".join(quote(field.column) for field in fields)
    row = f"({', '.join(_placeholder(field) for field in fields)})"
    table = quote(model._meta.db_table)
    return f"INSERT INTO {table} ({columns}) VALUES {', '.join([row] * number)}"  # noqa: S608


def _placeholder(field: Any) -> str:
    return f"%s::{field.db_type(connection)}" if isinstance(field, ArrayField) else "%s"
