"""Everything of a person that is sealed and still opens: messages, memories in all wordings, and the rest."""

import uuid
from collections.abc import Iterator

from memory.errors import VaultError
from memory.models import Event, Evidence, Summary, TaskBoard, Version
from memory.vault import Place, SubjectVault


def opened_texts(vault: SubjectVault, subject_id: uuid.UUID) -> Iterator[str]:
    """Yield every sealed text that still opens."""
    for version in Version.objects.filter(subject_id=subject_id):
        for name, sealed in (("text", version.text), ("details", version.details)):
            place = Place(object_id=version.memory_id, number=version.number, field=name)
            yield from _open(vault, place, sealed)
    for quote in Evidence.objects.filter(subject_id=subject_id):
        place = Place(object_id=quote.memory_id, field=f"quote {quote.id}")
        yield from _open(vault, place, quote.quote)
    for event in Event.objects.filter(subject_id=subject_id):
        yield from _open(vault, Place(object_id=event.id), event.text)
        yield from _open(vault, Place(object_id=event.id, field="speaker"), event.speaker)
    for summary in Summary.objects.filter(subject_id=subject_id):
        yield from _open(vault, Place(object_id=summary.id), summary.text)
    for board in TaskBoard.objects.filter(subject_id=subject_id):
        yield from _open(vault, Place(object_id=board.id, number=board.version), board.state)


def _open(vault: SubjectVault, place: Place, sealed: bytes) -> Iterator[str]:
    if not sealed:
        return
    try:
        yield vault.unseal(place, sealed)
    except VaultError:
        return
