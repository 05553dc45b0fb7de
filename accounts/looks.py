"""An operator's look at a person's memories: by the person's leave, or with a reason and told.

A look lets an operator read, never write, and never act as the person. It ends by itself; the row
policies ask for an open one in every statement.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts import audit, rights
from accounts.acting import NO_LOOK, acting
from accounts.choices import Action, AuditCode, LookGround
from accounts.models import Look, Subject, Tenant
from accounts.principal import ALL_KINDS, FULL_CLEARANCE, Principal

LEVELS = (10, 20, 30, FULL_CLEARANCE)
# How long the person may let the operator look, at most; and an operator without being let.
LONGEST_LEAVE = timedelta(days=3)
MINUTES = (15, 30, 60)
TOLD_FOR = timedelta(days=30)  # how long the person's pages name a look


class NoLook(LookupError):
    """There is no such look, it is over, or it is another operator's."""


class LookRefused(Exception):
    """A look that may not be; the text says why and holds no id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a look is about: ``kinds`` up to the level ``clearance``, or one memory alone.

    Raises:
        LookRefused: for what no look can be about.
    """

    clearance: int
    kinds: frozenset[str] = ALL_KINDS
    memory_id: uuid.UUID | None = None

    def __post_init__(self) -> None:
        """Refuse what no form of ours sends."""
        if self.clearance not in LEVELS or not self.kinds or not self.kinds <= ALL_KINDS:
            raise LookRefused("Choose a level and a kind of the list.")


def let_look(person: Principal, scope: Scope, *, until: datetime) -> Look:
    """Let the operator look until then; this leave takes the place of every look there is.

    Raises:
        PermissionDenied: if somebody else than the person acts.
        LookRefused: for a time that is over or more than three days away.
    """
    if not person.is_person:
        raise PermissionDenied("Only the person lets the operator look.")
    if not timezone.now() < until <= timezone.now() + LONGEST_LEAVE:
        raise LookRefused("Choose a time within the next three days.")
    with acting(person):
        _hold(person)
        _end(person, _open(person))
        return _begin(person, scope, AuditCode.LOOK_GRANTED, ends_at=until)


def break_glass(
    operator: Principal, scope: Scope, *, reason: str, minutes: int, subject_id: uuid.UUID
) -> Look:
    """Look without being let, for a reason; the person is told.

    Raises:
        PermissionDenied: if no operator acts.
        LookRefused: where the tenant does not allow it, the person lets the operator look already,
            is not there, or for minutes that are not on the list.
    """
    if not operator.is_operator or operator.actor_id is None:
        raise PermissionDenied("Only an operator may look without being let.")
    if minutes not in MINUTES or not reason:
        raise LookRefused("Choose how long, and give a reason.")
    operator = operator.using(subject_id=subject_id)
    with acting(operator):
        if not may_break_glass(operator):
            raise LookRefused("This tenant lets nobody look without the person's leave.")
        _hold(operator)
        if _open(operator).filter(ground=LookGround.GRANTED).exists():
            raise LookRefused("The person lets you look: use that.")
        _end(operator, _open(operator).filter(operator_id=operator.actor_id))
        return _begin(
            operator,
            scope,
            AuditCode.LOOK_OPENED,
            ends_at=timezone.now() + timedelta(minutes=minutes),
            operator_id=operator.actor_id,
            reason=reason,
        )


def looking(operator: Principal, look_id: uuid.UUID) -> tuple[Principal, Look]:
    """Return the operator with the rights of an open look, and the look.

    Raises:
        NoLook: if there is none of theirs, or the tenant lets nobody look unasked any more.
    """
    look = _theirs(operator, look_id)
    if look.ground == LookGround.BREAK_GLASS and not may_break_glass(operator):
        raise NoLook
    rights = operator.using(
        look_id=look.id,
        actions=frozenset({Action.READ}),
        kinds=frozenset(look.kinds),
        clearance=look.clearance,
        only=look.memory_id,
    )
    return rights, look


def note_view(operator: Principal, *, count: int) -> None:
    """Write down, with the look, that one page of ``count`` memories was shown."""
    look = _of(operator).get(id=operator.look_id or NO_LOOK)
    Look.objects.filter(id=look.id).update(views=F("views") + 1, looked_at=timezone.now())
    audit.record(
        operator,
        AuditCode.OPERATOR_LOOKED,
        object_kind="look",
        object_id=look.id,
        reason=look.reason,
        decision=look.ground,
        result_count=count,
    )


def end(principal: Principal, look_id: uuid.UUID) -> None:
    """End a look now: the person any of theirs, an operator one that lets them look.

    Raises:
        PermissionDenied: for an agent.
        NoLook: if there is no such look.
    """
    if not (principal.is_person or principal.is_operator):
        raise PermissionDenied("Only the person or the operator ends a look.")
    with acting(principal):
        if principal.is_operator:
            _theirs(principal, look_id)
        if not _end(principal, _open(principal).filter(id=look_id)):
            raise NoLook


def told(person: Principal) -> Sequence[Look]:
    """Return what the person is told: what is open, and what was looked at within thirty days."""
    since = timezone.now() - TOLD_FOR
    with acting(person):
        rows = _of(person).filter(_is_open() | Q(looked_at__gt=since))
        return list(rows.order_by("-created_at"))


def may_break_glass(principal: Principal) -> bool:
    """Whether an operator may look at the tenant's people without being let."""
    return Tenant.objects.filter(id=principal.tenant_id, break_glass=True).exists()


def _of(principal: Principal) -> QuerySet[Look]:
    return Look.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)


def _is_open() -> Q:
    return Q(ended_at__isnull=True, ends_at__gt=timezone.now())


def _open(principal: Principal) -> QuerySet[Look]:
    return _of(principal).filter(_is_open())


def _hold(principal: Principal) -> None:
    """Let one look at a time begin for a person; what ran out makes room."""
    living = Subject.objects.of_tenant(principal.tenant_id).filter(erased_at__isnull=True)
    if not living.select_for_update().filter(id=principal.person_id).exists():
        raise LookRefused("Nobody is known by this id.")
    over = _of(principal).filter(ended_at__isnull=True, ends_at__lte=timezone.now())
    rights.change(over, ended_at=F("ends_at"))


def _theirs(operator: Principal, look_id: uuid.UUID) -> Look:
    with acting(operator):
        look = _open(operator).filter(id=look_id).first() if operator.is_operator else None
    if look is None or look.operator_id not in (None, operator.actor_id):
        raise NoLook
    return look


def _begin(principal: Principal, scope: Scope, code: AuditCode, **more: object) -> Look:
    granted = code == AuditCode.LOOK_GRANTED
    look = Look.objects.create(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        ground=LookGround.GRANTED if granted else LookGround.BREAK_GLASS,
        clearance=scope.clearance,
        kinds=sorted(scope.kinds),
        memory_id=scope.memory_id,
        **more,
    )
    audit.record(
        principal,
        code,
        object_kind="look",
        object_id=look.id,
        sensitivity=scope.clearance,
        reason=look.reason,
        decision=look.ground,
    )
    return look


def _end(principal: Principal, rows: QuerySet[Look]) -> int:
    """End these looks, each with its line; return how many there were."""
    found = list(rows.select_for_update())
    for look in found:
        rights.change(Look.objects.filter(id=look.id), ended_at=timezone.now())
        audit.record(
            principal,
            AuditCode.LOOK_ENDED,
            object_kind="look",
            object_id=look.id,
            decision=look.ground,
        )
    return len(found)
