"""Pages that hold still: newest first, by time and id, with an opaque, signed cursor."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import Q

from memory.errors import InvalidInput


def page[M: models.Model](
    rows: models.QuerySet[M],
    *,
    by: str,
    limit: int,
    cursor: str | None,
    oldest_first: bool = False,
) -> tuple[Sequence[M], str | None]:
    """Return up to ``limit`` rows by the time column ``by``, newest first, and the next cursor.

    Raises:
        InvalidInput: for a cursor that is not ours.
    """
    if cursor:
        rows = rows.filter(beyond(cursor, by=by, oldest_first=oldest_first))
    sign = "" if oldest_first else "-"
    found = list(rows.order_by(f"{sign}{by}", f"{sign}id")[: limit + 1])
    if len(found) <= limit:
        return found, None
    last_row: Any = found[limit - 1]
    return found[:limit], make_cursor(getattr(last_row, by), last_row.pk)


def beyond(cursor: str, *, by: str, oldest_first: bool = False) -> Q:
    """Return the condition of the rows that come after the place of ``cursor``.

    Raises:
        InvalidInput: for a cursor that is not ours.
    """
    (at, last), further = read_cursor(cursor), "gt" if oldest_first else "lt"
    return Q(**{f"{by}__{further}": at}) | Q(**{by: at, f"id__{further}": last})


def make_cursor(at: datetime, id_: object) -> str:
    """Return the place after one row, as opaque text."""
    return _signer().sign_object([at.isoformat(), str(id_)])


def read_cursor(cursor: str) -> tuple[datetime, uuid.UUID | int]:
    """Return the time and id in a cursor.

    Raises:
        InvalidInput: for a cursor that is not ours.
    """
    try:
        at, id_ = _signer().unsign_object(cursor)
    except (BadSignature, ValueError):
        raise InvalidInput("cursor is not one that a list of ours returned.") from None
    return datetime.fromisoformat(at), int(id_) if id_.isdigit() else uuid.UUID(id_)


def _signer() -> Signer:
    return Signer(salt="keepsake cursor")
