"""What is sealed or named under one subject's key, brought under another's."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db import models

from memory import access
from memory.choices import Origin
from memory.models import Event, Evidence, Memory, Summary, TaskBoard, Version
from memory.vault import Place, SubjectVault
from memory.write.case import marks, metadata_of, tags_of
from memory.write.classify import classify
from memory.write.proposal import Draft, Source, from_memory


class Hand:
    """Hands texts over from one vault to another. ``old`` holds every key, though their rows are gone."""

    def __init__(self, old: SubjectVault, new: SubjectVault) -> None:
        self.old, self.new = old, new
        self.tables: tuple[tuple[type[models.Model], Callable[[Any], None]], ...] = (
            (Version, self._version),
            (Event, self._event),
            (Summary, self._summary),
            (TaskBoard, self._board),
        )

    def _over(self, place: Place, sealed: Any) -> bytes:
        """Return a text sealed for the same place under the other key; nothing stays nothing."""
        return self.new.seal(place, self.old.unseal(place, sealed)) if sealed else b""

    def _version(self, row: Version) -> None:
        place = Place(object_id=row.memory_id, number=row.number)
        row.text = self._over(place, row.text)
        row.details = self._over(replace(place, field="details"), row.details)

    def _event(self, row: Event) -> None:
        text = self.old.unseal(Place(object_id=row.id), row.text)
        name = access.event_name(role=row.role, at=row.occurred_at, text=text)
        row.digest = self.new.digest("suppress event", name)
        row.text = self.new.seal(Place(object_id=row.id), text)
        row.speaker = self._over(Place(object_id=row.id, field="speaker"), row.speaker)

    def _summary(self, row: Summary) -> None:
        row.text = self._over(Place(object_id=row.id, number=row.version), row.text)

    def _board(self, row: TaskBoard) -> None:
        place = Place(object_id=row.id, number=row.version, field="state")
        row.state = self._over(place, row.state)

    def text(self, row: Version) -> str:
        """Return what a wording that was handed over says."""
        return self.new.unseal(Place(object_id=row.memory_id, number=row.number), row.text)

    def evidence(self, row: Evidence, *, to: Memory | None) -> None:
        """Hand a quote over, to the memory that says the same if there is one."""
        place = Place(object_id=row.memory_id, field=f"quote {row.id}")
        quote = self.old.unseal(place, row.quote)
        if to is not None:
            row.memory_id, row.version_number = to.id, to.version
        row.quote = self.new.seal(replace(place, object_id=row.memory_id), quote)

    def memory(self, row: Memory, current: access.OpenedMemory) -> None:
        """Make the digests anew by which a memory is told from others."""
        draft = _draft(row, current)
        told = _as_stored(draft, row, self.old)
        own = marks(self.new, told)
        row.wording = None if row.wording is None else own.wording
        row.value = None if row.value is None else own.value
        row.slot = own.slot if row.slot else 0
        row.tags = tags_of(self.new, current.details.get("tags", ()))
        row.metadata = metadata_of(self.new, current.details.get("metadata", {}))


def _draft(row: Memory, current: access.OpenedMemory) -> Draft:
    source = Source(origin=Origin(row.origin), said_at=row.last_confirmed_at)
    return classify(from_memory(current, source))


def _as_stored(draft: Draft, row: Memory, vault: SubjectVault) -> Draft:
    """Return the draft with the period that the stored wording was named with: it may have ended since."""
    if marks(vault, draft).wording == row.wording:
        return draft
    return replace(draft, proposal=replace(draft.proposal, valid_to=None))
