"""The words a memory rests on, sealed and kept as long as it."""

import uuid
from collections.abc import Sequence
from typing import Any

from memory.models import Event, Evidence, Memory
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


def cite_events(
    vault: SubjectVault, memory: Memory, event_ids: Sequence[uuid.UUID], *, most: int
) -> None:
    """Let a memory rest on what was seen: the beginning of each event is its quote, the oldest first."""
    events = Event.objects.filter(
        tenant_id=memory.tenant_id, subject_id=memory.subject_id, id__in=event_ids
    ).order_by("occurred_at", "id")[:most]
    vault.load(event.id for event in events)
    rows = []
    for event in events:
        text = vault.unseal(Place(object_id=event.id), event.text)[: WRITE.event_quote]
        said = {"event_id": event.id, "role": event.role, "said_at": event.occurred_at}
        rows.append(_evidence(vault, memory, text, start=0, end=len(text), **said))
    Evidence.objects.bulk_create(rows)
    Event.objects.filter(id__in=[row.event_id for row in rows]).update(expires_at=None)
