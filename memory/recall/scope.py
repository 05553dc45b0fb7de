"""Whose rows and which wordings a recall may rank. Sessions never widen it."""

from datetime import datetime

from django.db.models import Q

from accounts.principal import Principal
from memory.errors import InvalidInput
from memory.models import Memory, Version
from memory.models.version import VersionQuerySet
from memory.recall.values import RecallQuery

FILTERS = frozenset({"kind", "subtype", "attribute", "origin"})


def of(principal: Principal, query: RecallQuery, *, now: datetime) -> VersionQuerySet:
    """Return the wordings in scope: visible, in use, and in force at the times asked for.

    Raises:
        InvalidInput: for a filter that is not on the list.
    """
    memories = Memory.objects.visible_to(principal).in_use(now)
    for name, values in (query.filters or {}).items():
        if name not in FILTERS:
            raise InvalidInput(f"Unknown filter {name}; known are {', '.join(sorted(FILTERS))}.")
        memories = memories.filter(**{f"{name}__in": list(values)})
    wordings = Version.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, memory__in=memories
    )
    if query.known_at is not None:
        wordings = wordings.known_at(query.known_at)
    if query.as_of is not None:
        return wordings.true_at(query.as_of)
    if query.known_at is not None:  # an end that was learnt later was not known then
        return wordings
    wordings = wordings.current()
    # What begins in the future may be asked about now; what has ended may not.
    return wordings.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=now))
