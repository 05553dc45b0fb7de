"""Originals: the events behind messages and evidence, opened while they last."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from accounts import audit
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access, errors
from memory.errors import NotFound, VaultError
from memory.models import Event, Evidence, ObjectKey
from memory.recall.history import Quote, open_quotes
from memory.vault import Place, SubjectVault, open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """An event, opened. ``name`` is the speaker's, empty if none was given."""

    event: Event
    text: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """An event that was erased, or has ended and left quotes behind."""

    erased: bool
    quotes: Sequence[Quote]


def rights_for(principal: Principal, event_id: uuid.UUID) -> Principal:
    """Return ``principal`` with its rights for the person whose event this is, or was.

    Raises:
        NotFound: if the tenant never had such an event, or the principal may not know of it.
    """
    try:
        return access.for_object(principal, "event", event_id)
    except NotFound:
        if principal.subject_id is None:
            raise
        return access.for_person(principal, principal.subject_id)


def open_original(principal: Principal, event_id: uuid.UUID) -> Original | Gone:
    """Return the event's words, or what is left of it. An agent sees its own events only.

    What is gone is returned, not raised, so that the reading of its quotes is recorded.

    Raises:
        Forbidden: without a grant to read.
        NotFound: if there is none, it is another agent's, or nothing of it is left.
    """
    access.require(principal, Action.READ)
    with acting(principal):
        vault = open_vault(principal)
        found = _opened(vault, principal, event_id) or _left(vault, principal, event_id)
        audit.record(
            principal,
            AuditCode.EVENT_READ,
            object_kind="event",
            object_id=event_id,
            decision="opened" if isinstance(found, Original) else "gone",
        )
    return found


def _opened(vault: SubjectVault, principal: Principal, event_id: uuid.UUID) -> Original | None:
    """Return the event opened, or None if it is there no more or an erasure has reached it."""
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    if not Event.objects.filter(**mine, id=event_id).exists():
        return None
    try:
        event, text = access.open_event(vault, principal, event_id)
    except errors.Gone:
        return None
    return Original(event=event, text=text, name=speaker(vault, event))


def _left(vault: SubjectVault, principal: Principal, event_id: uuid.UUID) -> Gone:
    if access.is_erased(principal, event_id):
        return Gone(erased=True, quotes=[])
    quotes = _quotes(vault, principal, event_id)
    if not quotes:
        raise NotFound
    return Gone(erased=False, quotes=quotes)


def _quotes(vault: SubjectVault, principal: Principal, event_id: uuid.UUID) -> list[Quote]:
    """Return the words of a lost event that stand behind memories the principal may see.

    An agent gets those of current wordings alone; what was superseded is the person's to see.
    """
    rows = Evidence.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        event_id=event_id,
        memory__in=access.memories_visible_to(principal),
    )
    if not principal.is_person:
        rows = rows.filter(version_number=F("memory__version"))
    return open_quotes(vault, rows)


def open_texts(vault: SubjectVault, events: Sequence[Event]) -> dict[uuid.UUID, str]:
    """Open the texts of events, by id; those whose key was destroyed by an erasure are left out.

    Raises:
        VaultError: if a text does not open although its key is there.
    """
    vault.load(event.id for event in events)
    texts: dict[uuid.UUID, str] = {}
    for event in events:
        try:
            texts[event.id] = vault.unseal(Place(object_id=event.id), event.text)
        except VaultError:
            if ObjectKey.objects.filter(object_id=event.id).exists():
                raise
    return texts


def speaker(vault: SubjectVault, event: Event) -> str:
    """Return the speaker's name of an event whose key is there; empty if it has none."""
    if not event.speaker:
        return ""
    return vault.unseal(Place(object_id=event.id, field="speaker"), event.speaker)
