"""Erasing more than one memory: by ids, by what they are, or everything about a person."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action
from accounts.logins import begin_anew
from accounts.models import ApiKey, Subject
from accounts.principal import ALL_KINDS, FULL_CLEARANCE, Principal
from memory import access
from memory.choices import GONE, ErasureScope
from memory.errors import Forbidden, InvalidInput, NotFound
from memory.forget.fence import fence, take_away_keys
from memory.lifecycle import lock_subject
from memory.models import Erasure, LedgerEntry, Memory, SubjectKey


def erase_some(
    principal: Principal, *, memory_ids: Sequence[uuid.UUID], filters: Mapping[str, Any]
) -> Erasure:
    """Erase the named memories, or those that match ``filters`` (columns of Memory); all or none.

    Raises:
        Forbidden: without a grant to forget.
        NotFound: if a named one is not there to see, or nothing matches.
        InvalidInput: for neither ids nor a filter. "Everything" must be said, never implied.
    """
    access.require(principal, Action.FORGET)
    if not memory_ids and not filters:
        raise InvalidInput("Name memory_ids or a filter; to erase everything say so.")
    with acting(principal.unlimited()):
        lock_subject(principal)
        rows = Memory.objects.visible_to(principal).exclude(state__in=GONE).select_for_update()
        if memory_ids:
            rows = rows.filter(id__in=memory_ids)
        found = list(rows.filter(**filters).order_by("id"))
        if not found or (memory_ids and len(found) < len(set(memory_ids))):
            raise NotFound("Not every memory named is there.")
        return fence(principal, found)


def erase_person(principal: Principal, *, confirm: str) -> Erasure:
    """Erase everything about the person; their id, login and keys no longer lead anywhere.

    ``confirm`` must repeat the caller's ``user_id``. A later use of that id is a new person.

    Raises:
        Forbidden: without a grant to forget everything there may be: nobody erases what they may
            not see.
        InvalidInput: if ``confirm`` does not repeat the id.
    """
    require_all(principal)
    with acting(principal.unlimited()):
        subject = Subject.objects.select_for_update().get(id=principal.person_id)
        lock_subject(principal)  # after their row: who writes holds that first
        if confirm != subject.external_id:
            raise InvalidInput("confirm must repeat the user_id of the person to be erased.")
        return _erase_whole(principal, subject)


def erase_by_hand(principal: Principal, *, anew: bool) -> Erasure:
    """Erase everything about the person, by their own hand.

    With ``anew`` their login rules an empty memory from then on, under the agents' id for them and
    with the settings they had: whatever an agent remembers next is in their hands again.

    Raises:
        Forbidden: for anybody but the person.
    """
    if not principal.is_person:
        raise Forbidden("Only the person erases everything without repeating their user_id.")
    require_all(principal)
    with acting(principal.unlimited()):
        subject = Subject.objects.select_for_update().get(id=principal.person_id)
        lock_subject(principal)  # after their row: who writes holds that first
        before = Subject.objects.get(id=subject.id)
        request = _erase_whole(principal, subject)
        if anew:
            begin_anew(principal, before)
        return request


def _erase_whole(principal: Principal, subject: Subject) -> Erasure:
    mine = Memory.objects.filter(subject_id=subject.id).exclude(state__in=GONE)
    request = fence(principal, list(mine.select_for_update()), scope=ErasureScope.PERSON)
    depart(subject, request)
    return request


def depart(subject: Subject, request: Erasure) -> None:
    """Destroy every key of an erased person; their id, login and keys lead nowhere from now on.

    Where the person is on hold the keys are set aside until that ends.
    """
    take_away_keys(request, None)
    if not request.hold_reason:
        SubjectKey.objects.filter(subject_id=subject.id).delete()
    now = timezone.now()
    ApiKey.objects.filter(subject_id=subject.id, revoked_at=None).update(revoked_at=now)
    subject.external_id, subject.login, subject.erased_at = f"erased:{subject.id}", None, now
    subject.list_filters, subject.list_views = "", []
    subject.visited_at = subject.visit_before = None
    subject.save()
    for one in Subject.objects.filter(merged_into=subject):  # what had become part of them
        one.external_id, one.erased_at = f"erased:{one.id}", now
        one.save(update_fields=["external_id", "erased_at"])


def require_all(principal: Principal) -> None:
    """Refuse whoever may not forget everything there may be.

    Raises:
        Forbidden: without a grant to forget, for every kind and level.
    """
    access.require(principal, Action.FORGET)
    if principal.clearance < FULL_CLEARANCE or principal.kinds != ALL_KINDS:
        raise Forbidden("This needs a grant to forget memories of every kind and level.")


def deletions(
    principal: Principal, *, after: int, limit: int
) -> tuple[list[LedgerEntry], int | None]:
    """Return what was erased of the person since ledger number ``after``, for agents' own copies.

    Raises:
        Forbidden: without a grant to read.
    """
    access.require(principal, Action.READ)
    merged = Subject.objects.filter(merged_into_id=principal.person_id).values("id")
    mine = Q(subject_id=principal.person_id) | Q(subject_id__in=merged)
    rows = LedgerEntry.objects.filter(mine, tenant_id=principal.tenant_id, number__gt=after)
    found = list(rows.order_by("number")[: limit + 1])
    return found[:limit], found[limit - 1].number if len(found) > limit else None
