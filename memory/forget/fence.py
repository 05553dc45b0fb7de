"""The fence: one transaction after which nothing can return the content.

State erasing, tombstone, key destroyed, index rows gone, ledger, steps, audit, outbox. The rest
(ciphertext that no key opens, quotes, logs of ids) follows as steps, driven to the end.
"""

import uuid
from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit, rights
from accounts.acting import acting
from accounts.choices import Action, AuditCode
from accounts.principal import Principal
from memory import access, ledger, queue
from memory.choices import ErasureScope, ErasureState, ReviewState, State, SuppressionBasis
from memory.choices.slots import WORKED_OUT
from memory.forget.derived import derived, left_over, replaced
from memory.forget.derived import told as sessions_of
from memory.forget.erasers import ERASERS, WITH_QUOTES, Eraser
from memory.forget.holds import hold_of
from memory.forget.notices import announce
from memory.index import store
from memory.lifecycle import lock_subject, transition
from memory.models import (
    Erasure,
    ErasureStep,
    Event,
    Evidence,
    Import,
    LedgerEntry,
    Memory,
    ObjectKey,
    ReviewItem,
    Summary,
    Suppression,
    TaskBoard,
    Tombstone,
)
from memory.policy import RETENTION

# What a session or its messages have that can be listed without a key.
LISTED = ("evidence", "summaries", "messages", "sessions")
# What would bring in again what stands in it.
WAITING = ("imports",)


def erase(principal: Principal, memory_id: uuid.UUID) -> Erasure:
    """Erase one memory now, with the messages that carried it; return the request.

    When this returns (and its transaction commits) no read of the service can give the content.

    Raises:
        Forbidden: without a grant to forget.
        NotFound: for a memory the principal may not know of.
        Gone: if it was erased before.
        LedgerUnavailable: if the ledger outside the database cannot be written.
    """
    with acting(principal.unlimited()):
        lock_subject(principal)
        memory = access.access_memory(principal, memory_id, action=Action.FORGET, lock=True)
        return fence(principal, [memory])


def fence(
    principal: Principal,
    memories: Sequence[Memory],
    *,
    carriers: bool = True,
    events: Sequence[uuid.UUID] = (),
    session_id: uuid.UUID | None = None,
    scope: ErasureScope = ErasureScope.MEMORIES,
) -> Erasure:
    """Fence ``memories`` inside ``acting(principal.unlimited())`` and write down what is left to do.

    ``carriers`` says whether the messages that carried them go too; ``events`` are further messages
    that go, ``session_id`` the session they were all of. With the whole person in ``scope`` every
    message goes. What was derived from the memories goes with them, its own sources stay;
    so goes the episode of a session that tells of the messages. Nobody writes for the person meanwhile:
    who has read what is erased here stores before it, or learns of it first.

    Raises:
        LedgerUnavailable: if the ledger outside the database cannot be written.
    """
    lock_subject(principal)
    unwanted = [memory.slot for memory in memories if memory.attribute in WORKED_OUT]
    memories = [*memories, *replaced(memories)]
    named = [memory.id for memory in memories]
    event_ids = [*(_events(principal, named, scope) if carriers else []), *events]
    told = [one for one in sessions_of(principal, event_ids) if one.id not in named]
    memories = [*memories, *told]
    memories += derived(principal, [memory.id for memory in memories])
    left = left_over(memories)
    ids = [memory.id for memory in memories]
    now, held = timezone.now(), hold_of(principal.person_id)
    request = Erasure.objects.create(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        state=ErasureState.ON_HOLD if held else ErasureState.FENCED,
        hold_reason=held,
        scope=scope,
        memory_ids=ids,
        event_ids=event_ids,
        session_id=session_id,
        requested_by_kind=principal.kind,
        requested_by_id=principal.actor_id,
        fenced_at=now,
        backups_until=None if held else now + RETENTION.backups,
    )
    entries = enact(principal, request, memories, patterns=unwanted)
    for memory in left:
        use_again(memory)
    rights.note(Suppression.objects.filter(erasure_id=request.id))
    ledger.write(request, entries)
    return request


def enact(
    principal: Principal,
    request: Erasure,
    memories: Sequence[Memory],
    *,
    patterns: Sequence[int] = (),
    numbers: Mapping[uuid.UUID, int] | None = None,
) -> list[LedgerEntry]:
    """Put what the request names out of reach, and return its lines of the ledger.

    ``numbers`` are those that a ledger has given to the objects already.
    """
    for memory in memories:
        _hide(memory)
    entries = _bury(request, numbers or {})
    store.drop_leaning(principal, request.event_ids)
    _suppress(request, request.event_ids, patterns=patterns)
    ReviewItem.objects.filter(memory_id__in=request.memory_ids, state=ReviewState.OPEN).update(
        state=ReviewState.LAPSED
    )
    _plan(request)
    announce(request)
    audit.record(
        principal,
        AuditCode.ERASURE_FENCED,
        object_kind="erasure",
        object_id=request.id,
        result_count=len(request.memory_ids),
        reason=request.hold_reason,
    )
    if not request.hold_reason:
        queue.enqueue("memory.run_erasure", request.id)
    return entries


def use_again(memory: Memory) -> None:
    """Bring back what had been merged, unless another says the same meanwhile or holds its slot."""
    try:
        with transaction.atomic():
            transition(memory, State.ACTIVE)
    except IntegrityError:
        pass  # it stays put away


def _events(
    principal: Principal, memory_ids: Sequence[uuid.UUID], scope: ErasureScope
) -> list[uuid.UUID]:
    """Return the source messages whose words stand behind these memories, or all there are."""
    if scope == ErasureScope.PERSON:
        mine = Event.objects.filter(subject_id=principal.person_id)
        return list(mine.values_list("id", flat=True))
    cited = Evidence.objects.filter(memory_id__in=memory_ids, event_id__isnull=False)
    return sorted(set(cited.values_list("event_id", flat=True)))


def _plan(request: Erasure) -> None:
    """Write down one step for each store, in their order."""
    ErasureStep.objects.bulk_create(
        ErasureStep(
            tenant_id=request.tenant_id,
            subject_id=request.subject_id,
            erasure=request,
            store=eraser.store,
            position=position,
            count_before=_empty(eraser, request),
        )
        for position, eraser in enumerate(ERASERS)
    )


def _empty(eraser: Eraser, request: Erasure) -> int | None:
    """Empty a store that would still be listed, or let something in; return how much it held, None if
    its step does it all."""
    listed = request.scope in WITH_QUOTES and eraser.store in LISTED
    if not listed and eraser.store not in WAITING:
        return None
    before = eraser.count(request)
    eraser.erase(request)
    return before


def _hide(memory: Memory) -> None:
    """Move the memory behind the fence: no state, no digest, no index row speaks of it any more."""
    transition(
        memory,
        State.ERASING,
        previous_state="",
        undo_until=None,
        wording=None,
        value=None,
        attribute="",
        slot=0,
        single=False,
        in_profile=False,
        tags=[],
        metadata=[],
    )
    store.remove([memory.id])


def _bury(request: Erasure, numbers: Mapping[uuid.UUID, int]) -> list[LedgerEntry]:
    """Take the keys away, and leave a tombstone and a ledger line for each object; return the lines."""
    objects = [(id_, "memory") for id_ in request.memory_ids]
    objects += [(id_, "event") for id_ in request.event_ids]
    objects += [(request.session_id, "session")] if request.session_id else []
    ids = [object_id for object_id, _ in objects]
    ids += Import.objects.filter(subject_id=request.subject_id).values_list("id", flat=True)
    for model in (Summary, TaskBoard):  # what used one of the messages goes with it
        used = model.objects.filter(subject_id=request.subject_id, event_ids__overlap=ids)
        ids += used.values_list("id", flat=True)
    take_away_keys(request, ids)
    common = {
        "tenant_id": request.tenant_id,
        "subject_id": request.subject_id,
        "erasure_id": request.id,
        "at": request.fenced_at,
    }
    Tombstone.objects.bulk_create(
        (Tombstone(object_id=id_, object_kind=kind, **common) for id_, kind in objects),
        ignore_conflicts=True,
    )
    return LedgerEntry.objects.bulk_create(
        LedgerEntry(number=numbers.get(id_), object_id=id_, object_kind=kind, **common)
        for id_, kind in objects
    )


def take_away_keys(request: Erasure, object_ids: Sequence[uuid.UUID] | None) -> None:
    """Destroy the keys of these objects, or of all there are; where the person is on hold, set them
    aside: nothing that reads finds them there."""
    keys = ObjectKey.objects.filter(tenant_id=request.tenant_id, subject_id=request.subject_id)
    if object_ids is not None:
        keys = keys.filter(object_id__in=object_ids)
    if request.hold_reason:
        keys.update(held_for=request.id)
    else:
        keys.delete()


def _suppress(request: Erasure, event_ids: Sequence[uuid.UUID], *, patterns: Sequence[int]) -> None:
    """Keep the same source messages from being learnt again when they are sent or imported anew, and
    a pattern that was not wanted from being stated again."""
    if request.scope == ErasureScope.PERSON:
        return  # the key that makes these digests goes with the person
    digests = Event.objects.filter(id__in=event_ids).values_list("digest", flat=True)
    unwanted = [(SuppressionBasis.EVENT, digest) for digest in digests]
    unwanted += [(SuppressionBasis.DERIVED, slot) for slot in patterns]
    Suppression.objects.bulk_create(
        (
            Suppression(
                tenant_id=request.tenant_id,
                subject_id=request.subject_id,
                basis=basis,
                digest=digest,
                erasure_id=request.id,
            )
            for basis, digest in unwanted
        ),
        ignore_conflicts=True,
    )
