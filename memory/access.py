"""The one door to rows: who may see what, and the opened view of it.

An unknown id and a forbidden one give the same answer. Each condition stands on its own line, so
that branch coverage shows that every case was tried.
"""

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.choices import Action
from accounts.models import Subject
from accounts.principal import Principal
from accounts.subjects import find_subject, get_or_create_subject, is_valid_id, rights_for, whose
from memory.choices import GONE, State
from memory.errors import Forbidden, Gone, InvalidInput, NotFound, VaultError
from memory.models import Event, Memory, Session, Tombstone, Version
from memory.models.memory import MemoryQuerySet
from memory.vault import Place, SubjectVault

OWNER = "SELECT keepsake_subject_of(%s, %s, %s)"


def for_user(
    principal: Principal, user_id: object, *, create: bool = False, anonymous: bool = False
) -> Principal:
    """Return ``principal`` with its rights for the person its tenant calls ``user_id``.

    ``anonymous``: somebody new is nobody known yet, and may turn out to be a person later.

    Raises:
        InvalidInput: if ``user_id`` is missing or not printable Unicode of 1 to 200 characters.
        NotFound: if nobody has this id, or a person's key names somebody else.
    """
    if not is_valid_id(user_id):
        raise InvalidInput("Give user_id: printable text of 1 to 200 characters, not padded.")
    found: Subject | None
    if create and not principal.is_person:
        found, _ = get_or_create_subject(principal, str(user_id), anonymous=anonymous)
    else:
        found = find_subject(principal.tenant_id, external_id=str(user_id))
    subject = found and whose(principal, found)
    if subject is None:
        raise NotFound("Nobody is known by this user_id.")
    if principal.is_person and subject.id != principal.subject_id:
        raise NotFound("Nobody is known by this user_id.")
    return rights_for(principal, subject)


def for_person(principal: Principal, person_id: uuid.UUID) -> Principal:
    """Return ``principal`` with its rights for the person of our id.

    Raises:
        NotFound: if the tenant has no such person, or a person's key names somebody else.
    """
    found = find_subject(principal.tenant_id, subject_id=person_id)
    subject = found and whose(principal, found)
    if subject is None:
        raise NotFound
    if principal.is_person and subject.id != principal.subject_id:
        raise NotFound
    return rights_for(principal, subject)


def subject_of(principal: Principal) -> Subject:
    """Return the row of the principal's person, to whom it has any right at all.

    Raises:
        NotFound: without a right, or if the person was erased meanwhile.
    """
    if not principal.actions:
        raise NotFound
    subject = find_subject(principal.tenant_id, subject_id=principal.person_id)
    if subject is None:
        raise NotFound
    return subject


def for_object(principal: Principal, kind: str, object_id: uuid.UUID) -> Principal:
    """Return ``principal`` with its rights for the person whose object this is, or was until its erasure.

    ``kind`` is memory, session, event, reviewitem or recalllog.

    Raises:
        NotFound: if the tenant has no such object, a person's key names another's, or an agent has
            no grant.
    """
    with connection.cursor() as cursor:
        cursor.execute(OWNER, [kind, object_id, principal.tenant_id])
        (subject_id,) = cursor.fetchone()
    if subject_id is None:
        graves = Tombstone.objects.filter(tenant_id=principal.tenant_id, object_kind=kind)
        grave = graves.filter(object_id=object_id).first()
        subject_id = grave and grave.subject_id
    if subject_id is None:
        raise NotFound
    if principal.is_person and subject_id != principal.subject_id:
        raise NotFound
    found = find_subject(principal.tenant_id, subject_id=subject_id)
    subject = found and whose(principal, found)
    if subject is None:
        raise NotFound
    rights = rights_for(principal, subject)
    if not rights.actions:  # no grant: it may not even know that the object is there
        raise NotFound
    return rights


def require(principal: Principal, action: Action) -> None:
    """Refuse a principal whose grant does not cover ``action``.

    Raises:
        Forbidden: the detail names the missing action.
    """
    why = ""
    if not principal.may(action):
        why = f"This key has no grant to {action.label.lower()} for this person."
    elif action == Action.READ and not principal.may_use:
        why = "The person has switched memory off for this agent."
    elif action == Action.CORRECT and not principal.may_learn:
        why = "The person has switched learning off for this agent."
    if why:
        raise Forbidden(why, about=principal.subject_id)


def memories_visible_to(principal: Principal) -> MemoryQuerySet:
    """Return the memories this principal may see, forgotten and erased ones left out."""
    return Memory.objects.visible_to(principal).listed()


def memories_in_use(principal: Principal) -> MemoryQuerySet:
    """Return the memories this principal may use now: active and not expired."""
    return Memory.objects.visible_to(principal).in_use(timezone.now())


def access_memory(
    principal: Principal, memory_id: uuid.UUID, *, action: Action = Action.READ, lock: bool = False
) -> Memory:
    """Return one memory for ``action``.

    Raises:
        NotFound: if there is none, or the principal may not know of it.
        Gone: if it was erased.
        Forbidden: if it is visible but the grant does not cover ``action``.
    """
    rows = Memory.objects.visible_to(principal)
    memory = (rows.select_for_update() if lock else rows).filter(id=memory_id).first()
    if memory is None:
        raise NotFound
    if memory.state in GONE:
        raise Gone("This memory was erased.")
    if memory.state == State.FORGOTTEN and not principal.is_person:
        raise NotFound
    require(principal, action)
    return memory


def access_forgotten(principal: Principal, memory_id: uuid.UUID, *, action: Action) -> Memory:
    """Return a forgotten memory, locked, for taking the forgetting back.

    The person, or the agent whose grant lets it forget, may: both saw the memory go.

    Raises:
        NotFound, Gone, Forbidden: as for any access.
    """
    memory = Memory.objects.visible_to(principal).select_for_update().filter(id=memory_id).first()
    if memory is None:
        raise NotFound
    if memory.state in GONE:
        raise Gone("Too late to take back: it was erased.")
    require(principal, action)
    return memory


def access_session(principal: Principal, session_id: uuid.UUID, *, lock: bool = False) -> Session:
    """Return one session of the principal's subject; an agent sees only its own.

    Raises:
        NotFound: if there is none, or it is another agent's.
        Gone: if it was erased.
    """
    rows = Session.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, id=session_id
    )
    session = (rows.select_for_update() if lock else rows).first()
    if session is None:
        if is_erased(principal, session_id):
            raise Gone("This session was erased.")
        raise NotFound
    if principal.agent_id is not None and session.agent_id != principal.agent_id:
        raise NotFound
    return session


def access_event(principal: Principal, event_id: uuid.UUID) -> Event:
    """Return one event of the principal's subject; an agent sees only its own.

    Raises:
        NotFound: if there is none, or it is another agent's.
    """
    event = Event.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, id=event_id
    ).first()
    if event is None:
        raise NotFound
    if principal.agent_id is not None and event.agent_id != principal.agent_id:
        raise NotFound
    return event


def open_event(vault: SubjectVault, principal: Principal, event_id: uuid.UUID) -> tuple[Event, str]:
    """Return one event of the principal's subject with its text; an agent opens only its own.

    Raises:
        NotFound: if there is none, or it is another agent's.
        Gone: if an erasure has reached it: its row may still stand, its key does not.
        VaultError: if the text does not open although it was not erased.
    """
    event = access_event(principal, event_id)
    try:
        return event, vault.unseal(Place(object_id=event.id), event.text)
    except VaultError:
        if is_erased(principal, event_id):
            raise Gone("This message was erased.") from None
        raise


def event_name(*, role: str, at: datetime, text: str) -> str:
    """Return what names one source message: who, when and what, not its id."""
    return json.dumps([role, at.astimezone(UTC).isoformat(), text])


def is_erased(principal: Principal, object_id: uuid.UUID) -> bool:
    """Whether the person's object of this id was erased."""
    return Tombstone.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, object_id=object_id
    ).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedMemory:
    """A memory with one of its wordings opened."""

    memory: Memory
    version: Version
    text: str
    details: dict[str, Any]

    @property
    def dated(self) -> str:
        """The text, and after it the day that its words mean ("yesterday") if it names none itself."""
        day = self.details.get("day")
        return f"{self.text} ({day})" if day else self.text


def open_versions(
    vault: SubjectVault, memories: Iterable[Memory], versions: Iterable[Version]
) -> list[OpenedMemory]:
    """Open the wordings of memories, in the order of ``versions``, with one query for keys."""
    by_id = {memory.id: memory for memory in memories}
    wanted = [version for version in versions if version.memory_id in by_id]
    vault.load(version.memory_id for version in wanted)
    return [_open(vault, by_id[version.memory_id], version) for version in wanted]


def open_version(vault: SubjectVault, version: Version) -> OpenedMemory:
    """Open one wording that was fetched with its memory."""
    return _open(vault, version.memory, version)


def _open(vault: SubjectVault, memory: Memory, version: Version) -> OpenedMemory:
    place = Place(object_id=memory.id, number=version.number)
    details = Place(object_id=memory.id, number=version.number, field="details")
    return OpenedMemory(
        memory=memory,
        version=version,
        text=vault.unseal(place, version.text),
        details=json.loads(vault.unseal(details, version.details)),
    )


def open_current(vault: SubjectVault, memories: Iterable[Memory]) -> list[OpenedMemory]:
    """Open the current wordings of ``memories``, in their order: two queries whatever their number."""
    memories = list(memories)
    current = Version.objects.current().filter(memory_id__in=[memory.id for memory in memories])
    by_memory = {version.memory_id: version for version in current}
    ordered = [by_memory[memory.id] for memory in memories if memory.id in by_memory]
    return open_versions(vault, memories, ordered)
