"""Where a memory came from."""

import uuid
from collections.abc import Iterable

from django.db import models
from django.utils import timezone

from accounts.fields import SealedField
from accounts.walls import personal
from memory.choices import Role
from memory.models.base import PersonalRow
from memory.models.event import Event
from memory.models.memory import Memory


class EvidenceQuerySet(models.QuerySet["Evidence"]):
    """What memories rest on, in the words of the domain."""

    def events_of(self, memory_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, list[uuid.UUID]]:
        """Return for each of the memories the events it rests on, in the order they were said."""
        events: dict[uuid.UUID, list[uuid.UUID]] = {id_: [] for id_ in memory_ids}
        cited = self.filter(memory_id__in=events, event_id__isnull=False).order_by("said_at")
        for memory_id, event_id in cited.values_list("memory_id", "event_id"):
            events[memory_id].append(event_id)
        return events


class Evidence(PersonalRow):
    """A verbatim quote of an event behind one version. The quote outlives the event.

    ``event_id`` stays when the event is gone: it then opens as 410 with this quote.
    """

    memory = models.ForeignKey(
        Memory, models.RESTRICT, related_name="evidence", db_constraint=False
    )
    version_number = models.PositiveIntegerField()
    event = models.ForeignKey(
        Event, models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    quote = SealedField()
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    role = models.CharField(max_length=20, choices=Role, blank=True)
    said_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    objects = EvidenceQuerySet.as_manager()

    class Meta:
        constraints = [*personal("evidence", parents={"memory_id": "memory_memory"})]
