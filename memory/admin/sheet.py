"""A table as CSV: the rows as they are filtered and sorted on the page, without a cell that is a formula."""

import csv
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import lookup_field
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from accounts import audit
from accounts.choices import AuditCode
from memory.admin.asking import operator_in
from memory.admin.site import as_uuid

MOST_ROWS = 10_000
# A spreadsheet runs a cell that begins so.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
EVERY_TENANT = uuid.UUID(int=0)  # in the log, where rows of several are handed over


def sheet(table: Any, request: HttpRequest) -> HttpResponse:
    """Return the list that the request's filters show, at most `MOST_ROWS` of it, and note that it was taken.

    Raises:
        BadRequest: for a filter that does not exist.
    """
    try:
        rows = list(table.get_changelist_instance(request).queryset[:MOST_ROWS])
    except IncorrectLookupParameters:
        raise BadRequest("No table has such a filter.") from None
    name = str(table.opts.model_name)
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    answer["Cache-Control"] = "no-store"
    answer.write("\ufeff")  # else a spreadsheet takes Chinese for something else
    writer = csv.writer(answer)
    writer.writerow(table.list_display)
    writer.writerows([_cell(table, row, column) for column in table.list_display] for row in rows)
    _note(request, name, len(rows))
    return answer


def _cell(table: Any, row: Any, column: str) -> str:
    _field, _attr, value = lookup_field(column, row, table)
    text = plain(value)
    return "'" + text if text.startswith(FORMULA) else text


def plain(value: Any) -> str:
    """Return a value as text: times in UTC, several values with semicolons between them."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ";".join(map(plain, value))
    return str(value)


@transaction.atomic
def _note(request: HttpRequest, name: str, count: int) -> None:
    tenant = as_uuid(request.GET.get("tenant__id__exact", "")) or EVERY_TENANT
    audit.record(
        operator_in(request, tenant),
        AuditCode.CONSOLE_ACTED,
        object_kind=name,
        decision="csv",
        result_count=count,
    )
