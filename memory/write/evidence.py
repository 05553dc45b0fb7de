"""The words a memory rests on, sealed and kept as long as it."""

import uuid
from collections.abc import Sequence
from typing import Any

from memory.models import Event, Evidence, Memory, Version
from memory.policy import WRITE
from memory.vault import Place, SubjectVault
from memory.write.proposal import Draft


def add_evidence(vault: SubjectVault, memory: Memory, draft: Draft) -> None:
    """Keep the words a memory rests on; without a source there is nothing to quote."""
    proposal = draft.proposal
    if not proposal.quote:
        return
    _evidence(
        vault,
        memory,
        proposal.quote,
        event_id=proposal.source.event_id,
        start=proposal.quote_start,
        end=proposal.quote_end,
        role=proposal.source.role or "",
        said_at=proposal.source.said_at,
    ).save(force_insert=True)
    if proposal.source.event_id:  # what a memory cites is kept as long as the memory
        Event.objects.filter(id=proposal.source.event_id).update(expires_at=None)


def _evidence(vault: SubjectVault, memory: Memory, quote: str, **said: Any) -> Evidence:
    """Return the row, not yet stored, that keeps ``quote`` as what a memory rests on."""
    row_id = uuid.uuid4()
    place = Place(object_id=memory.id, number=0, field=f"quote {row_id}")
    return Evidence(
        id=row_id,
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        memory=memory,
        version_number=memory.version,
        quote=vault.seal(place, quote),
        **said,
    )


def only_said(version: Version) -> bool:
    """Whether a wording counts from when it was said, because nobody has said since when it is so."""
    begun, memory = version.valid_from, version.memory
    if begun is None or begun == memory.last_confirmed_at:
        return True
    return Evidence.objects.filter(
        tenant_id=version.tenant_id, memory_id=version.memory_id, said_at=begun
    ).exists()


def cite_events(
    vault: SubjectVault, memory: Memory, event_ids: Sequence[uuid.UUID], *, most: int
) -> None:
    """Let a memory rest on what was seen: the beginning of each event is its quote, the oldest first."""
    rows = []
    for event, text in _opened(vault, memory, event_ids, most):
        rows.append(_quoted(vault, memory, event, text[: WRITE.event_quote], start=0))
    _cite(rows)


def cite_sentences(
    vault: SubjectVault, memory: Memory, said: Sequence[tuple[uuid.UUID, int, str]]
) -> None:
    """Let a memory rest on sentences: each with its event and the place where it stands in it."""
    events = {
        event.id: event
        for event, _ in _opened(vault, memory, [event_id for event_id, _, _ in said], len(said))
    }
    _cite(
        [
            _quoted(vault, memory, events[event_id], text, start=start)
            for event_id, start, text in said
            if event_id in events
        ]
    )


def _opened(
    vault: SubjectVault, memory: Memory, event_ids: Sequence[uuid.UUID], most: int
) -> list[tuple[Event, str]]:
    events = Event.objects.filter(
        tenant_id=memory.tenant_id, subject_id=memory.subject_id, id__in=event_ids
    ).order_by("occurred_at", "id")[:most]
    vault.load(event.id for event in events)
    return [(event, vault.unseal(Place(object_id=event.id), event.text)) for event in events]


def _quoted(
    vault: SubjectVault, memory: Memory, event: Event, text: str, *, start: int
) -> Evidence:
    said = {"event_id": event.id, "role": event.role, "said_at": event.occurred_at}
    return _evidence(vault, memory, text, start=start, end=start + len(text), **said)


def _cite(rows: Sequence[Evidence]) -> None:
    """Store what a memory rests on; the events stay as long as it does."""
    Evidence.objects.bulk_create(rows)
    Event.objects.filter(id__in=[row.event_id for row in rows]).update(expires_at=None)
