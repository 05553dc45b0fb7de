"""A message or a tool's output in which the door of today finds a secret makes way for a copy without it."""

import uuid

from django.db import models
from django.db.models import F, Func, Value

from accounts.principal import Principal
from memory.choices import Role
from memory.forget.fence import fence
from memory.models import Decision, Event, Evidence, Message, TaskBoard
from memory.sessions.messages import event_digest
from memory.vault import Place, SubjectVault
from memory.write.redact import Redacted, redact, without_secrets

REDACTED = "redacted_events"


def scan_event(principal: Principal, vault: SubjectVault, event_id: uuid.UUID) -> str | None:
    """Replace the event if it holds a secret, and erase it; what pointed at it points at the copy."""
    event = Event.objects.select_for_update().filter(id=event_id).first()
    if event is None or not vault.holds(event_id):
        return None
    text = vault.unseal(Place(object_id=event_id), event.text)
    if without_secrets(text) == text:
        return None
    fresh = _copy(vault, event, redact(text))
    _point(event, fresh)
    fence(principal, [], events=[event_id])
    return REDACTED


def _copy(vault: SubjectVault, event: Event, redacted: Redacted) -> Event:
    fresh_id, speaker, text = uuid.uuid4(), b"", redacted.text
    types = {found.type for found in redacted.secrets}
    if event.speaker:
        named = vault.unseal(Place(object_id=event.id, field="speaker"), event.speaker)
        speaker = vault.seal(Place(object_id=fresh_id, field="speaker"), named)
    said = {
        field.attname: getattr(event, field.attname)
        for field in Event._meta.concrete_fields
        if not field.primary_key
    }
    return Event.objects.create(
        **said
        | {
            "id": fresh_id,
            "text": vault.seal(Place(object_id=fresh_id), text),
            "speaker": speaker,
            "digest": event_digest(vault, role=Role(event.role), at=event.occurred_at, text=text),
            "redacted": sorted({*event.redacted, *types}),
        }
    )


def _point(event: Event, fresh: Event) -> None:
    """Let what rests on the event rest on its copy; the session's summary goes and is made anew."""
    Message.objects.filter(event=event).update(event=fresh)
    Evidence.objects.filter(event=event).update(event=fresh)
    Decision.objects.filter(event_id=event.id).update(event_id=fresh.id)
    boards = TaskBoard.objects.filter(subject_id=event.subject_id, event_ids__contains=[event.id])
    boards.update(
        event_ids=Func(
            F("event_ids"),
            Value(event.id, output_field=models.UUIDField()),
            Value(fresh.id, output_field=models.UUIDField()),
            function="array_replace",
        )
    )
