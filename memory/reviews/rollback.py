"""Taking back what a writer, a source or a stretch of time brought in: an operator's answer to poisoning.

A memory that came in then is forgotten (with the person's undo window, then erased); one that was only
reworded gets the wording back that it had before. What the person has confirmed stays.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import models

from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.models import Subject
from accounts.principal import Principal
from accounts.subjects import system
from memory.choices import Origin, Trust
from memory.errors import Forbidden, InvalidInput
from memory.forget.moves import LIVING, hide_all
from memory.lifecycle import lock_subject
from memory.models import Memory, Version
from memory.write.correct import restore

LABEL = "roll_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """What is to be taken back: all that fits every part given, from ``since`` until ``until``."""

    since: datetime
    until: datetime
    agent_id: uuid.UUID | None = None
    origin: Origin | None = None
    session_id: uuid.UUID | None = None

    def check(self) -> None:
        """Refuse a trail that names nobody and nothing, or no time.

        Raises:
            InvalidInput: says what is missing.
        """
        if not (self.agent_id or self.origin or self.session_id):
            raise InvalidInput("Name a writer, an origin or a session.")
        if self.until <= self.since:
            raise InvalidInput("The time must end after it begins.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """How many memories were forgotten, and how many have their former wording again."""

    forgotten: int = 0
    restored: int = 0

    def __add__(self, other: "RolledBack") -> "RolledBack":
        """Return the sum of two."""
        return RolledBack(
            forgotten=self.forgotten + other.forgotten, restored=self.restored + other.restored
        )


def roll_back_tenant(
    operator: Principal, trail: Trail, *, user_id: str | None = None, dry_run: bool = False
) -> RolledBack:
    """Take a trail back for everybody in the tenant, or for one person.

    Raises:
        Forbidden: for anybody but an operator.
        InvalidInput: for a trail that says too little.
    """
    if operator.kind not in (ActorKind.OPERATOR, ActorKind.SYSTEM):
        raise Forbidden("Only an operator may do this.")
    trail.check()
    people = Subject.objects.of_tenant(operator.tenant_id).filter(erased_at__isnull=True)
    if user_id is not None:
        people = people.filter(external_id=user_id)
    done = RolledBack()
    for subject_id in people.values_list("id", flat=True):
        service = system(operator.tenant_id, subject_id, label=LABEL)
        done += roll_back(service, trail, dry_run=dry_run)
    return done


def roll_back(principal: Principal, trail: Trail, *, dry_run: bool = False) -> RolledBack:
    """Take a trail back for one person; running it twice changes nothing more.

    Raises:
        Forbidden: for anybody but the person or the service.
        InvalidInput: for a trail that says too little.
    """
    if principal.kind not in (ActorKind.PERSON, ActorKind.SYSTEM):
        raise Forbidden("Only the person or an operator may do this.")
    trail.check()
    with acting(principal.unlimited()):
        lock_subject(principal)
        brought = list(_brought(principal, trail).select_for_update())
        reworded = list(_reworded(principal, trail, brought))
        if not dry_run:
            hide_all(principal, brought, reason=LABEL)
            for version in reworded:
                restore(principal, version)
    return RolledBack(forgotten=len(brought), restored=len(reworded))


def _brought(principal: Principal, trail: Trail) -> models.QuerySet[Memory]:
    found = Memory.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        state__in=LIVING,
        trust__lt=Trust.CONFIRMED,
        created_at__gte=trail.since,
        created_at__lt=trail.until,
    )
    parts = {
        "agent_id": trail.agent_id,
        "origin": trail.origin,
        "session_id": trail.session_id,
    }
    return found.filter(**{name: value for name, value in parts.items() if value is not None})


def _reworded(
    principal: Principal, trail: Trail, brought: list[Memory]
) -> models.QuerySet[Version]:
    """Keep the wordings that were replaced by the trail's: what each memory said just before."""
    if trail.session_id:  # a wording does not know its session; its writer and origin it does
        return Version.objects.none()
    theirs = models.Q(recorded_at__gte=trail.since, recorded_at__lt=trail.until)
    theirs &= models.Q(trust__lt=Trust.CONFIRMED)
    if trail.agent_id:
        theirs &= models.Q(author_id=trail.agent_id)
    if trail.origin:
        theirs &= models.Q(origin=trail.origin)
    replaced = (
        Version.objects.current()
        .filter(theirs, tenant_id=principal.tenant_id, subject_id=principal.person_id, number__gt=1)
        .filter(memory__state__in=LIVING, memory__trust__lt=Trust.CONFIRMED)
        .exclude(memory__in=brought)
    )
    former = Version.objects.filter(
        memory=models.OuterRef("memory"), number__lt=models.OuterRef("number")
    ).exclude(theirs)
    latest = models.Subquery(former.order_by("-number").values("id")[:1])
    ids = replaced.annotate(former=latest).values_list("former", flat=True)
    return Version.objects.filter(id__in=[one for one in ids if one]).select_related("memory")
