"""The person's answers. Only a person decides; what waits is unused until kept."""

import uuid
from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from accounts import audit
from accounts.acting import acting
from accounts.choices import AuditCode
from accounts.principal import Principal
from memory import access
from memory.choices import ConflictState, ReviewKind, ReviewState, State, SuppressionBasis, Trust
from memory.errors import NotFound, StaleState
from memory.forget.moves import hide
from memory.forget.suppressions import suppress
from memory.lifecycle import lock_subject, transition
from memory.models import Conflict, Memory, ReviewItem
from memory.policy import WRITE
from memory.reviews.listing import require_person
from memory.reviews.merging import take_their_place
from memory.reviews.settled import noted
from memory.text.normalise import fold
from memory.vault import SubjectVault, open_vault
from memory.write.correct import correct
from memory.write.merge import come_into_force, take_over
from memory.write.stale import Settled


def keep(principal: Principal, review_id: uuid.UUID) -> Memory:
    """Keep what waited: it is used from now on, confirmed by the person.

    A challenger of a current value becomes that memory's next version; a merge takes the place of
    its fragments.

    Raises:
        Forbidden, NotFound, StaleState: not the person, not theirs, already decided.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        item = _lock(principal, review_id)
        return _keep(principal, item)


def edit_and_keep(principal: Principal, review_id: uuid.UUID, *, text: str) -> Memory:
    """Keep it in the person's own words.

    Raises:
        InvalidInput, SaidAlready: nothing storable is left of the text, or another memory has
            this wording; else as ``keep``.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        item = _lock(principal, review_id)
        memory = item.memory
        correct(principal, memory.id, text=text, if_version=memory.version)
        item.memory.refresh_from_db()
        return _keep(principal, item, state=ReviewState.EDITED)


def _keep(
    principal: Principal, item: ReviewItem, *, state: ReviewState = ReviewState.KEPT
) -> Memory:
    memory, waited = item.memory, item.memory.state == State.PENDING
    rival = _rival(memory)
    if rival is not None:
        item.before |= {
            "wording": memory.wording,
            "version": rival.current.version,
            "trust_of_current": rival.current.trust,
        }
    if item.kind == ReviewKind.MERGE:
        item.before |= take_their_place(principal, memory)
    _decide(principal, item, state)
    if rival is not None:
        # One holder of a wording: the challenger lets go of it before the other takes it over.
        Memory.objects.filter(id=memory.id).update(wording=None)
        settled = take_over(principal, rival.current, memory)
        Conflict.objects.filter(id=rival.id).update(
            state=ConflictState.RESOLVED, resolved_at=timezone.now()
        )
        transition(memory, State.ARCHIVED)  # out of sight; erased once it cannot be taken back
        _remember(item, settled)
        return rival.current
    if waited:
        transition(memory, State.ACTIVE)
        if item.kind != ReviewKind.MERGE:
            _remember(item, come_into_force(principal, memory))
    confirm(memory)
    return memory


def _rival(memory: Memory) -> Conflict | None:
    """Return the question what it would replace; what came to hold its slot while it waited is one, too."""
    open_ = Conflict.objects.filter(challenger=memory, state=ConflictState.OPEN)
    known = open_.filter(current__state=State.ACTIVE).select_related("current").first()
    holder = None if known else Memory.objects.rivals_of(memory).first()
    if holder is None:
        return known
    return Conflict.objects.create(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        current=holder,
        challenger=memory,
    )


def _remember(item: ReviewItem, settled: Sequence[Settled]) -> None:
    """Note what ended with an answer, so that it can be taken back."""
    if settled:
        item.before |= {"settled": [noted(one) for one in settled]}
        item.save(update_fields=["before"])


def confirm(memory: Memory) -> None:
    """Note the person's word for a memory: confirmed trust, high confidence, fresh."""
    memory.trust = Trust.CONFIRMED
    memory.confidence = max(memory.confidence, WRITE.confirmed_confidence)
    memory.last_confirmed_at = timezone.now()
    memory.save(update_fields=["trust", "confidence", "last_confirmed_at"])


def reject(principal: Principal, review_id: uuid.UUID) -> Memory:
    """Say that it is not true: forgotten now, erased when the undo window ends, not learnt again.

    Raises:
        Forbidden, NotFound, StaleState: as ``keep``.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        item = _lock(principal, review_id)
        memory = item.memory
        hide(memory)
        if item.kind != ReviewKind.MERGE:  # its fragments stay true, apart
            suppress_wording(open_vault(principal), memory)
        _decide(principal, item, ReviewState.REJECTED)
        return memory


def suppress_wording(vault: SubjectVault, memory: Memory) -> None:
    """Keep a forgotten memory's wording from being learnt again; only a keyed digest stays."""
    text = access.open_current(vault, [memory])[0].text
    digest = vault.digest("suppress wording", fold(text))
    suppress(vault, SuppressionBasis.WORDING, digest, at=memory.updated_at)


def later(principal: Principal, review_id: uuid.UUID) -> ReviewItem:
    """Put the question off for a day.

    Raises:
        Forbidden, NotFound, StaleState: as ``keep``.
    """
    require_person(principal)
    with acting(principal.unlimited()):
        item = _lock(principal, review_id)
        item.snoozed_until = timezone.now() + timedelta(days=1)
        item.save(update_fields=["snoozed_until"])
        return item


def _lock(principal: Principal, review_id: uuid.UUID) -> ReviewItem:
    """Return an open question, locked, with a note of how its memory stands."""
    item = lock_item(principal, review_id)
    if item.state != ReviewState.OPEN:
        raise StaleState(f"You decided this already: {ReviewState(item.state).label.lower()}.")
    memory = item.memory
    item.before = {
        "state": memory.state,
        "trust": memory.trust,
        "confidence": memory.confidence,
        "last_confirmed_at": memory.last_confirmed_at.isoformat(),
    }
    return item


def lock_item(principal: Principal, review_id: uuid.UUID) -> ReviewItem:
    """Return one of the person's questions, locked, inside ``acting``.

    Raises:
        NotFound: if it is not theirs.
    """
    lock_subject(principal)
    item = (
        ReviewItem.objects.select_for_update(of=("self",))
        .select_related("memory")
        .filter(tenant_id=principal.tenant_id, subject_id=principal.person_id, id=review_id)
        .first()
    )
    if item is None:
        raise NotFound
    return item


def _decide(principal: Principal, item: ReviewItem, state: ReviewState) -> None:
    now = timezone.now()
    until = now + WRITE.review_undo
    item.state, item.decided_at = state, now
    # What the answer forgot is taken back no longer than the person's own time to undo.
    item.undo_until = min(until, item.memory.undo_until or until)
    item.save(update_fields=["state", "decided_at", "undo_until", "before"])
    note(principal, item.memory, state, reason=item.kind)


def note(principal: Principal, memory: Memory, what: str, *, reason: str = "") -> None:
    """Write the audit line of one answer."""
    audit.record(
        principal,
        AuditCode.REVIEW_DECIDED,
        object_kind="memory",
        object_id=memory.id,
        decision=what,
        reason=reason,
    )
