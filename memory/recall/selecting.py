"""Which memories are meant, and in which order: by what they are, by when, or one by one."""

import uuid
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Coalesce

from memory.models import Version
from memory.models.memory import MemoryQuerySet

NEVER = datetime(1, 1, 1, tzinfo=UTC)


class Order(StrEnum):
    """How a list is ordered: by when it was learnt, or when an agent was handed it last."""

    NEWEST = "newest"
    OLDEST = "oldest"
    USED = "used"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The memories meant: what all of the given says. Without anything, every one.

    ``columns`` are those of Memory. ``unused_since``: no agent was handed it since, and it is older
    than that. ``changed_since``: it was given another wording since. ``ids``: these and no others.
    """

    columns: Mapping[str, Any] = field(default_factory=dict)
    unused_since: datetime | None = None
    changed_since: datetime | None = None
    ids: Set[uuid.UUID] | None = None

    def of(self, rows: MemoryQuerySet) -> MemoryQuerySet:
        """Keep those of ``rows`` that are meant."""
        found = rows.filter(**self.columns)
        if self.unused_since is not None:
            unused = Q(last_recalled_at__isnull=True) | Q(last_recalled_at__lt=self.unused_since)
            found = found.filter(unused, created_at__lt=self.unused_since)
        if self.changed_since is not None:
            newer = Version.objects.current().filter(
                memory=OuterRef("pk"), number__gt=1, recorded_at__gte=self.changed_since
            )
            found = found.filter(Exists(newer))
        return found if self.ids is None else found.filter(id__in=self.ids)


def ordered(rows: MemoryQuerySet, order: Order) -> tuple[MemoryQuerySet, str]:
    """Return the rows with the time that ``order`` goes by, and that column's name."""
    if order == Order.USED:
        return rows.annotate(handed_at=Coalesce("last_recalled_at", Value(NEVER))), "handed_at"
    return rows, "created_at"
