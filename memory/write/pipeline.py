"""The write path, step by step: redact → admit → classify → allow → dedupe → conflict → store."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.choices import (
    ConflictState,
    Kind,
    Outcome,
    Reason,
    ReviewKind,
    ReviewState,
    State,
    Trust,
    Visibility,
)
from memory.lifecycle import lock_subject, transition
from memory.measuring import Step, step
from memory.models import Conflict, Decision, Event, Memory, ReviewItem, Version
from memory.quotas import is_full
from memory.vault import SubjectVault, open_vault
from memory.write import allow, store
from memory.write.admit import admit
from memory.write.answered import meaning_of
from memory.write.candidate import Refused
from memory.write.case import Case, open_case
from memory.write.classify import classify
from memory.write.conflict import Clash, find_clash, until
from memory.write.dedupe import find_twin
from memory.write.floods import overflow
from memory.write.proposal import Decided, Draft, Proposal, told
from memory.write.reading import read
from memory.write.stale import is_taken_off, settle, take_off


def propose(principal: Principal, proposal: Proposal, *, by_hand: bool = False) -> Decided:
    """Decide on what somebody wrote down, with the slot that its words fill (see ``decide``)."""
    return decide(principal, read(proposal), by_hand=by_hand)


def decide(principal: Principal, proposal: Proposal, *, by_hand: bool = False) -> Decided:
    """Decide on one proposal, store what is accepted, and record the answer.

    A refusal is returned, never raised, so that its decision and audit line stay. ``by_hand`` says
    that the person typed it. One transaction; two writers of one fact leave one memory.
    """
    with step(Step.WRITE) as timing:
        decided = _decide(principal, proposal, by_hand=by_hand)
        timing.outcome = decided.outcome
    return decided


def _decide(principal: Principal, proposal: Proposal, *, by_hand: bool) -> Decided:
    draft = classify(_in_its_circle(principal, proposal), by_hand=by_hand)
    refusal = admit(draft) or allow.refusal(principal, draft)
    meaning = None if refusal else meaning_of(principal, draft)
    with acting(principal.unlimited()):
        lock_subject(principal)  # before it asks what must not be learnt: an erasure says so
        vault = open_vault(principal)
        refusal = refusal or suppressed(vault, draft)
        if refusal:
            return _record(principal, Outcome.REFUSED, refusal, draft)
        case = open_case(principal, vault, draft, meaning)
        if too_much := overflow(case):
            return _record(principal, Outcome.REFUSED, too_much, draft)
        return _place(case)


def _in_its_circle(principal: Principal, proposal: Proposal) -> Proposal:
    """Return the proposal with whom it is kept by, where an agent keeps it to itself."""
    if proposal.visibility == Visibility.USER or principal.agent_id is None:
        return proposal
    return replace(proposal, circle=str(principal.agent_id))


def refuse(principal: Principal, refused: Refused, *, also: Sequence[Reason] = ()) -> Decided:
    """Record what an extractor saw and passed over; ``also`` are further codes of the decision."""
    with acting(principal.unlimited()):
        return store.record(
            principal,
            outcome=Outcome.REFUSED,
            reasons=(refused.reason, *also),
            draft=None,
            memory=None,
            event_id=refused.event_id,
            quote=(refused.quote_start, refused.quote_end),
        )


def suppressed(vault: SubjectVault, draft: Draft) -> Reason | None:
    """Return why a draft may not be learnt again, or None: by attribute, source message or wording."""
    event_id = draft.proposal.source.event_id
    event = Event.objects.filter(id=event_id).first() if event_id else None
    source = allow.names_of(vault, event) if event else []
    return Reason.SUPPRESSED if allow.suppressed(vault, draft, source=source) else None


def _place(case: Case) -> Decided:
    if is_taken_off(case.draft):
        return _take_off(case)
    twin = find_twin(case)
    if twin and not _outlived(twin[0]):
        return _again(case, *twin)
    waits = allow.waits(case.principal, case.draft)
    clash = find_clash(case)
    if clash is None or (waits and clash.reason == Reason.NEW_VALUE):
        return _create(case, waits=waits, clash=clash)
    if clash.reason == Reason.NEW_VALUE:
        for one in clash.others:
            store.end(case, one.memory, one.version)
        return _replace(case, clash.current, clash.version)
    if clash.reason == Reason.OLDER_VALUE:
        return _before(case, clash, waits=waits)
    if clash.reason == Reason.CONFLICT or not _seen(case, clash.current):
        return _beside(case, clash, waits=waits)
    return _create(case, waits=clash.reason, clash=clash, asks=ReviewKind.CONFLICT)


def _seen(case: Case, memory: Memory) -> bool:
    """Whether the writer may see it; what is said of it would tell of it else."""
    return Memory.objects.visible_to(case.principal).filter(id=memory.id).exists()


def _outlived(memory: Memory) -> bool:
    """Whether it has faded and something else holds in its place: what is said now replaces that."""
    return memory.erase_at is not None and Memory.objects.rivals_of(memory).exists()


def _take_off(case: Case) -> Decided:
    changed = [memory for memory in take_off(case) if _seen(case, memory)]
    if not changed:  # nothing of the kind is on the list, as far as the writer may know
        return _record(case.principal, Outcome.REFUSED, Reason.NOT_USEFUL, case.draft)
    return _record(case.principal, Outcome.SUPERSEDED, Reason.CONFLICT, case.draft, changed[-1])


def _again(case: Case, memory: Memory, reason: Reason) -> Decided:
    """The same once more: it counts for more, or holds again if it had come to an end."""
    version = Version.objects.current().get(memory=memory)
    over = version.valid_to is not None and version.valid_to <= told(case.draft)
    if over and memory.state == State.ACTIVE and case.draft.kind == Kind.SEMANTIC:
        return _replace(case, memory, version)
    return _reinforce(case, memory, reason)


def _replace(case: Case, memory: Memory, version: Version) -> Decided:
    """Let the draft be what holds from now on, here and wherever the old claim was repeated."""
    old, seen = access.open_versions(case.vault, [memory], [version])[0].text, _seen(case, memory)
    store.supersede(case, memory, version, reason=Reason.NEW_VALUE)
    settle(case, memory, old=old)
    if not seen:
        return _record(case.principal, Outcome.ACCEPTED, case.draft.ground, case.draft, memory)
    return _record(case.principal, Outcome.SUPERSEDED, Reason.NEW_VALUE, case.draft, memory)


def _beside(case: Case, clash: Clash, *, waits: Reason | None) -> Decided:
    """Keep it beside what the writer may not see, answered as if that were not there, or beside one of
    several that it may replace; the person is asked which holds."""
    draft = case.draft if waits else replace(case.draft, single=False)
    memory = store.create(open_case(case.principal, case.vault, draft, case.meaning), waits=waits)
    if not waits:
        store.ask(memory, kind=ReviewKind.CONFLICT)
    _disagree(clash.current, memory, ReviewKind.CONFLICT)
    outcome = Outcome.NEEDS_CONFIRMATION if waits else Outcome.ACCEPTED
    why = waits or (clash.reason if _seen(case, clash.current) else draft.ground)
    return _record(case.principal, outcome, why, draft, memory)


def _before(case: Case, clash: Clash, *, waits: Reason | None) -> Decided:
    """Keep what was true before as the past it is: it holds until what is known of the time after."""
    proposal = replace(case.draft.proposal, valid_to=until(case.draft, clash))
    draft = replace(case.draft, proposal=proposal, single=False, in_profile=False, pinned=False)
    past = open_case(case.principal, case.vault, draft, case.meaning)
    if twin := find_twin(past):
        return _reinforce(past, *twin)
    memory = store.create(past, waits=waits)
    outcome = Outcome.NEEDS_CONFIRMATION if waits else Outcome.ACCEPTED
    why = Reason.OLDER_VALUE if _seen(case, clash.current) else waits or draft.ground
    return _record(case.principal, outcome, why, draft, memory)


def challenge(case: Case, clash: Clash) -> Decided:
    """Store the draft as a question to the person beside the memory it would replace."""
    return _create(case, waits=clash.reason, clash=clash)


def _create(
    case: Case, *, waits: Reason | None, clash: Clash | None, asks: ReviewKind = ReviewKind.CHANGE
) -> Decided:
    if is_full(case.principal):
        return _record(case.principal, Outcome.REFUSED, Reason.FULL, case.draft)
    memory = store.create(case, waits=waits)
    if not waits:
        settle(case, memory)
    if clash is not None:
        _disagree(clash.current, memory, asks)
    outcome = Outcome.NEEDS_CONFIRMATION if waits else Outcome.ACCEPTED
    return _record(case.principal, outcome, waits or case.draft.ground, case.draft, memory)


def _disagree(current: Memory, challenger: Memory, asks: ReviewKind) -> None:
    Conflict.objects.create(
        tenant_id=current.tenant_id,
        subject_id=current.subject_id,
        current=current,
        challenger=challenger,
    )
    ReviewItem.objects.filter(memory=challenger, state=ReviewState.OPEN).update(kind=asks)


def _reinforce(case: Case, memory: Memory, reason: Reason) -> Decided:
    lifts = memory.state == State.PENDING and case.draft.trust > memory.trust
    clash = find_clash(case) if lifts else None
    if clash is not None and clash.reason == Reason.NEW_VALUE:
        return _believe(case, memory, clash)
    seen = _seen(case, memory)
    store.reinforce(case, memory)
    if memory.erase_at is not None:
        transition(memory, State.ACTIVE)  # it had faded, and is said again
    unclear = clash is None or clash.reason == Reason.CONFLICT
    if lifts and unclear and not Memory.objects.rivals_of(memory).exists():
        transition(memory, State.ACTIVE)
        _answer(memory)
    if not seen:
        return _as_new(case, memory)
    return _record(case.principal, Outcome.REINFORCED, reason, case.draft, memory)


def _as_new(case: Case, memory: Memory) -> Decided:
    """Answer as if only the writer had said it: "we have that already" would tell what it may not read.

    The first time it is new, and said again from then on.
    """
    principal, draft = case.principal, case.draft
    waits = allow.waits(principal, draft)
    outcome = Outcome.NEEDS_CONFIRMATION if waits else Outcome.ACCEPTED
    reason = waits or draft.ground
    before = Decision.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        memory_id=memory.id,
        agent_id=principal.agent_id,
        outcome__in=(Outcome.ACCEPTED, Outcome.NEEDS_CONFIRMATION),
    )
    if before.exists():
        outcome, reason = Outcome.REINFORCED, Reason.DUPLICATE_EXACT
    shown = copy(memory)
    shown.state, shown.version = State.PENDING if waits else State.ACTIVE, 1
    return replace(_record(principal, outcome, reason, draft, memory), memory=shown)


def _believe(case: Case, guess: Memory, clash: Clash) -> Decided:
    """The person says what waited as a guess: it becomes the next version of the current value."""
    transition(guess, State.ARCHIVED)
    _answer(guess)
    asked = Conflict.objects.filter(challenger=guess)
    if not asked.filter(current=clash.current).exists():  # it waited before there was that value
        _disagree(clash.current, guess, ReviewKind.CHANGE)
    asked.update(state=ConflictState.RESOLVED, resolved_at=timezone.now())
    return _replace(case, clash.current, clash.version)


def _answer(memory: Memory) -> None:
    ReviewItem.objects.filter(memory=memory, state=ReviewState.OPEN).update(
        state=ReviewState.KEPT, decided_at=timezone.now()
    )


def _record(
    principal: Principal,
    outcome: Outcome,
    reason: Reason,
    draft: Draft,
    memory: Memory | None = None,
) -> Decided:
    proposal = draft.proposal
    orders = draft.instruction_like and draft.trust <= Trust.INFERRED
    seen = (
        Reason.RECOGNISED if proposal.recognised else None,
        Reason.SECRET if draft.secret else None,
        Reason.INSTRUCTION_LIKE if orders and reason != Reason.BEHAVIOUR else None,
    )
    reasons = (reason, *(one for one in seen if one and one != reason))
    return store.record(
        principal,
        outcome=outcome,
        reasons=reasons,
        draft=draft,
        memory=memory,
        event_id=proposal.source.event_id,
        quote=(proposal.quote_start, proposal.quote_end),
    )
