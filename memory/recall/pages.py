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
    rows: models.QuerySet[M], *, by: str, limit: int, cursor: str | None
) -> tuple[Sequence[M], str | None]:
    """Return up to ``limit`` rows, newest first by the time column ``by``, and the next cursor.

    Raises:
        InvalidInput: for a cursor that is not ours.
    """
    if cursor:
        at, last = read_cursor(cursor)
        rows = rows.filter(Q(**{f"{by}__lt": at}) | Q(**{by: at, "id__lt": last}))
    found = list(rows.order_by(f"-{by}", "-id")[: limit + 1])
    if len(found) <= limit:
        return found, None
    last_row: Any = found[limit - 1]
    return found[:limit], make_cursor(getattr(last_row, by), last_row.pk)


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
