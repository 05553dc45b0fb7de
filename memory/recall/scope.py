"""Whose rows and which wordings a recall may rank. Sessions never widen it."""

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.principal import Principal
from memory.choices import Kind, Reason
from memory.index.planning import one_of
from memory.models import Evidence, Memory, Version
from memory.models.version import VersionQuerySet
from memory.recall.values import RecallQuery
from memory.text.calendar import Span


def of(
    principal: Principal,
    query: RecallQuery,
    *,
    now: datetime,
    history: bool = False,
    among: QuerySet[Any] | None = None,
) -> VersionQuerySet:
    """Return the wordings in scope: visible, in use, and in force at the times asked for.

    With ``history`` those that no longer hold are in scope as well; with ``among``, the ids of a few
    memories, only theirs are.
    """
    memories = Memory.objects.visible_to(principal).in_use(now)
    wordings = Version.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    if among is not None:
        memories = memories.filter(one_of("id", among))
        wordings = wordings.filter(one_of("memory_id", among))
    wordings = wordings.filter(memory__in=memories)
    if query.known_at is not None:
        wordings = wordings.known_at(query.known_at)
    if query.as_of is not None:
        return wordings.true_at(query.as_of)
    if query.known_at is not None:  # an end that was learnt later was not known then
        return wordings
    if history:
        return wordings if principal.is_person else wordings.exclude(_taken_back())
    wordings = wordings.current()
    # What begins in the future may be asked about now; what has ended may not.
    return wordings.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=now))


def _taken_back() -> Exists:
    """What a correction replaced was never so; only the person sees it again."""
    after = Version.objects.filter(
        tenant_id=OuterRef("tenant_id"),
        subject_id=OuterRef("subject_id"),
        memory_id=OuterRef("memory_id"),
        number=OuterRef("number") + 1,
        reason=Reason.CORRECTED,
    )
    return Exists(after)


def in_times(times: Sequence[Span], *, said: bool) -> Q:
    """Return the condition that a wording belongs to one of ``times``.

    It does by when it was said, or (not ``said``) by when it happened or began to hold.
    """
    return reduce(or_, (_in_time(one, said=said) for one in times))


def _in_time(span: Span, *, said: bool) -> Q:
    told = Evidence.objects.filter(
        tenant_id=OuterRef("tenant_id"),
        subject_id=OuterRef("subject_id"),
        memory_id=OuterRef("memory_id"),
    )
    in_evidence = Exists(told.filter(_within("said_at", span)))
    heard = Q(in_evidence) | (~Q(Exists(told)) & _within("memory__created_at", span))
    if said:
        return heard
    begun = _within("valid_from", span)
    return (
        _within("memory__occurred", span)
        | (Q(memory__occurred__isnull=True) & begun)
        | (Q(memory__occurred__isnull=True, valid_from__isnull=True) & heard)
    )


def _within(column: str, span: Span) -> Q:
    inside = Q()
    if span.begin is not None:
        inside &= Q(**{f"{column}__gte": span.begin})
    if span.end is not None:
        inside &= Q(**{f"{column}__lt": span.end})
    return inside


def out_of_time(times: Sequence[Span], *, said: bool) -> Q:
    """Return the condition that something happened, but not in one of ``times``."""
    return Q(memory__kind=Kind.EPISODIC) & ~in_times(times, said=said)


def latest(wordings: VersionQuerySet, number: int) -> VersionQuerySet:
    """Return the wordings that came last, newest first."""
    return wordings.order_by(F("memory__last_confirmed_at").desc(), "-id")[:number]
