"""Which memories were picked in a list: by their boxes, or all that match; signed on the way between pages.

A mark names filters or ids, never words: what was searched for does not travel.
"""

import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.core.signing import BadSignature, Signer
from django.utils import timezone

from dashboard.filters import Filters
from memory.errors import InvalidInput
from memory.recall.selecting import Selection


def mark_all(filters: Filters) -> str:
    """Return the mark of everything that matches now; what comes later is not meant."""
    return _signer().sign_object(
        {"chosen": dict(filters.chosen), "until": timezone.now().isoformat()}
    )


def mark_these(ids: Iterable[uuid.UUID]) -> str:
    """Return the mark of these memories."""
    return _signer().sign_object({"ids": [one.hex for one in ids]}, compress=True)


def read_ids(values: Iterable[str]) -> list[uuid.UUID]:
    """Return the ids of ticked boxes.

    Raises:
        InvalidInput: for what is no id.
    """
    try:
        return [uuid.UUID(one) for one in values]
    except ValueError:
        raise InvalidInput("A box of the list holds no id.") from None


def meant_by(mark: str, filters: Filters) -> Selection:
    """Return what a mark means; ``filters`` know the person's agents and last visit.

    Raises:
        InvalidInput: for a mark that is not ours.
    """
    try:
        found: dict[str, Any] = _signer().unsign_object(mark)
    except (BadSignature, ValueError):
        raise InvalidInput("This list was not made here; go back and pick anew.") from None
    if "ids" in found:
        return Selection(ids=frozenset(read_ids(found["ids"])))
    selection = replace(filters, chosen=found["chosen"]).selection()
    until = datetime.fromisoformat(found["until"])
    before = min(until, selection.columns.get("created_at__lt", until))
    return replace(selection, columns={**selection.columns, "created_at__lt": before})


def _signer() -> Signer:
    return Signer(salt="keepsake picked")
