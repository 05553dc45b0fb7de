"""Subjects: found or made by the caller's ``user_id``, and the rights an agent has for them."""

import unicodedata
import uuid
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import Action, ActorKind, AuditCode, KeyKind, Learning, MemoryMode
from accounts.keys import KeyOwner
from accounts.models import Grant, Subject, Tenant
from accounts.modes import checked, mode_of
from accounts.principal import ALL_ACTIONS, ALL_KINDS, FULL_CLEARANCE, Principal

MAX_ID = 200


def is_valid_id(value: object) -> bool:
    """Whether ``value`` may be a caller's id: printable Unicode, 1 to 200 characters."""
    return is_printable(value, most=MAX_ID)


def is_printable(value: object, *, most: int) -> bool:
    """Whether ``value`` is printable Unicode of 1 to ``most`` characters, not padded."""
    if not isinstance(value, str) or not 1 <= len(value) <= most or value != value.strip():
        return False
    return not any(
        unicodedata.category(char) in {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"} for char in value
    )


def caller(owner: KeyOwner, *, address: str = "") -> Principal:
    """Return who presents a key, before any person is named: no rights yet."""
    kinds = {
        KeyKind.AGENT: ActorKind.AGENT,
        KeyKind.PIPELINE: ActorKind.PIPELINE,
        KeyKind.PERSON: ActorKind.PERSON,
    }
    return Principal(
        kind=kinds[owner.kind],
        tenant_id=owner.tenant_id,
        actor_id=owner.agent_id or owner.subject_id or owner.key_id,
        subject_id=owner.subject_id,
        label=owner.label,
        key_prefix=owner.prefix,
        system_of_record=owner.system_of_record,
        address=address,
    )


def find_subject(
    tenant_id: uuid.UUID, *, external_id: str | None = None, subject_id: uuid.UUID | None = None
) -> Subject | None:
    """Return a living subject of the tenant by the caller's id or by ours."""
    known = Subject.objects.of_tenant(tenant_id).filter(erased_at__isnull=True)
    if subject_id is not None:
        return known.filter(id=subject_id).first()
    return known.filter(external_id=external_id).first() if external_id is not None else None


def whose(principal: Principal, subject: Subject) -> Subject | None:
    """Return whom a subject's id means to ``principal``: what became part of a person is the person, for
    the agents that the person let in; None for others."""
    if subject.merged_into_id is None:
        return subject
    person = find_subject(subject.tenant_id, subject_id=subject.merged_into_id)
    if person is None or principal.agent_id is None:
        return person
    with acting(_about(principal, person)):
        mine = Grant.objects.filter(tenant_id=person.tenant_id, subject=person)
        return person if mine.filter(agent_id=principal.agent_id).exists() else None


def get_or_create_subject(
    principal: Principal, external_id: str, *, anonymous: bool = False
) -> tuple[Subject, bool]:
    """Return the tenant's subject of this ``user_id``, made if it is new, and whether it was.

    ``anonymous``: a new one is nobody known yet, and may become part of a person later.
    """
    found = find_subject(principal.tenant_id, external_id=external_id)
    if found is not None:
        return found, False
    try:
        with transaction.atomic():
            tenant = Tenant.objects.get(id=principal.tenant_id)
            made = Subject.objects.create(
                tenant=tenant,
                external_id=external_id,
                learning=tenant.default_learning,
                is_anonymous=anonymous,
            )
            audit.record(
                principal,
                AuditCode.SUBJECT_CREATED,
                subject_id=made.id,
                object_kind="subject",
                object_id=made.id,
            )
    except IntegrityError:  # another request made it first
        return Subject.objects.of_tenant(principal.tenant_id).get(external_id=external_id), False
    return made, True


def rights_for(principal: Principal, subject: Subject) -> Principal:
    """Return ``principal`` with its rights for ``subject``.

    A person's key and the service have all rights for their own subject; an agent has what its
    grant says, made on first use where the tenant allows that. No grant: no rights, clearance 0.
    """
    known = _about(principal, subject)
    if principal.kind in (ActorKind.PERSON, ActorKind.SYSTEM):
        if principal.is_person and principal.subject_id not in (None, subject.id):
            return known.using(may_use=False, may_learn=False)
        return known.using(actions=ALL_ACTIONS, kinds=ALL_KINDS, clearance=FULL_CLEARANCE)
    if principal.kind != ActorKind.AGENT:
        return known.using(may_use=False, may_learn=False)
    with acting(known):
        grant = _grant(known, subject)
    return _granted(known, subject, grant)


def rights_of_agents(principal: Principal, subject: Subject) -> list[Principal]:
    """Return every agent that has a grant for ``subject``, with its rights now, by name: one query."""
    with acting(principal):
        mine = Grant.objects.filter(tenant_id=principal.tenant_id, subject=subject)
        grants = list(mine.select_related("agent").order_by("agent__name"))
    return [_granted(_about(_agent(grant), subject), subject, grant) for grant in grants]


def _agent(grant: Grant) -> Principal:
    return Principal(
        kind=ActorKind.AGENT,
        tenant_id=grant.tenant_id,
        actor_id=grant.agent_id,
        label=grant.agent.name,
    )


def _about(principal: Principal, subject: Subject) -> Principal:
    return principal.using(
        subject_id=subject.id,
        time_zone=subject.time_zone,
        learning=Learning(subject.learning),
        anonymous=subject.is_anonymous,
    )


def _granted(known: Principal, subject: Subject, grant: Grant | None) -> Principal:
    now = timezone.now()
    if grant is None or grant.paused_at or (grant.expires_at and grant.expires_at <= now):
        return known.using(may_use=False, may_learn=False)
    modes = {mode_of(subject)[0], mode_of(grant)[0]}
    return known.using(
        actions=frozenset(grant.actions),
        kinds=frozenset(grant.kinds),
        clearance=grant.clearance,
        purposes=frozenset(grant.purposes),
        may_use=MemoryMode.OFF not in modes,
        may_learn=modes == {MemoryMode.NORMAL},
    )


def _grant(principal: Principal, subject: Subject) -> Grant | None:
    assert principal.agent_id is not None
    found = Grant.objects.filter(
        tenant_id=principal.tenant_id, subject=subject, agent_id=principal.agent_id
    ).first()
    if found is not None:
        return found
    tenant = Tenant.objects.get(id=principal.tenant_id)
    if not tenant.grants_on_first_use:
        return None
    made, new = Grant.objects.get_or_create(
        subject=subject,
        agent_id=principal.agent_id,
        defaults={
            "tenant_id": principal.tenant_id,
            "actions": list(Action.values),
            "kinds": sorted(ALL_KINDS),
            "clearance": tenant.default_clearance,
        },
    )
    if new:
        audit.record(principal, AuditCode.GRANT_CREATED, object_kind="grant", object_id=made.id)
    return made


def person(subject: Subject, *, address: str = "") -> Principal:
    """Return the person, acting for themselves; ``address`` is the network they come from."""
    whole = Principal(
        kind=ActorKind.PERSON,
        tenant_id=subject.tenant_id,
        actor_id=subject.id,
        subject_id=subject.id,
        address=address,
    )
    return rights_for(whole, subject)


def system(tenant_id: uuid.UUID, subject_id: uuid.UUID, *, label: str) -> Principal:
    """Return the service itself, at work for one subject."""
    return Principal(
        kind=ActorKind.SYSTEM,
        tenant_id=tenant_id,
        actor_id=None,
        subject_id=subject_id,
        label=label,
        actions=ALL_ACTIONS,
        kinds=ALL_KINDS,
        clearance=FULL_CLEARANCE,
    )


def set_mode(
    principal: Principal, subject_id: uuid.UUID, *, mode: MemoryMode, until: datetime | None = None
) -> None:
    """Switch memory on or off for all agents of a person, until then or until it is changed.

    Raises:
        PermissionDenied, ValueError: not the person; a time that is over.
    """
    if not principal.is_person:
        raise PermissionDenied("Only the person switches their memory on or off.")
    until = checked(mode, until)
    with acting(principal):
        mine = Subject.objects.of_tenant(principal.tenant_id).filter(id=subject_id)
        rights.change(mine, memory_mode=mode, memory_mode_until=until)
        audit.record(
            principal,
            AuditCode.MODE_CHANGED,
            object_kind="subject",
            object_id=subject_id,
            reason=mode,
        )
