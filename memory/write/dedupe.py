"""Same meaning, no new memory. A wrong merge is worse than a missed one.

Exact by normalised wording or by attribute and value; near by calibrated cosine *and* the guard.
Contradictions score like duplicates in every model, so cosine alone never merges.
"""

from django.db.models import Case as Either
from django.db.models import When

from memory import access
from memory.choices import Kind, Reason, State
from memory.index import search
from memory.models import Memory
from memory.models.memory import MemoryQuerySet
from memory.policy import RECALL, WRITE
from memory.providers.embedding import get_embedder
from memory.text.guard import same_facts
from memory.text.normalise import fold
from memory.write.case import Case
from memory.write.proposal import Draft

IN_USE_FIRST = Either(When(state=State.ACTIVE, then=0), default=1)
COMPARED = (State.ACTIVE, State.PENDING, State.PAUSED, State.DISPUTED, State.ARCHIVED)


def find_twin(case: Case) -> tuple[Memory, Reason] | None:
    """Return the memory that already says this, and how it was recognised."""
    draft, principal = case.draft, case.principal
    known = Memory.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, state__in=COMPARED
    )
    if draft.kind == Kind.EPISODIC:  # the same thing at another time is another thing
        known = known.filter(occurred=draft.proposal.occurred)
    same_time = draft.proposal.occurred if draft.kind == Kind.EPISODIC else None
    words = known.filter(wording=case.marks.wording, occurred=same_time)
    if exact := words.order_by(
        IN_USE_FIRST, "created_at"
    ).first():  # equal words are one memory of whatever kind
        return exact, Reason.DUPLICATE_EXACT
    if same := _same_value(known, case):
        return same, Reason.DUPLICATE_EXACT
    near = None if case.vector is None else _near(case, known)
    return (near, Reason.DUPLICATE_NEAR) if near else None


def _same_value(known: MemoryQuerySet, case: Case) -> Memory | None:
    own = case.marks
    if own.value is None:
        return None
    attribute = case.draft.proposal.attribute
    slot = known.filter(attribute=attribute, slot=own.slot, value=own.value)
    return slot.order_by(IN_USE_FIRST, "-updated_at").first()


def _near(case: Case, known: MemoryQuerySet) -> Memory | None:
    principal, draft = case.principal, case.draft
    embedder = get_embedder()
    if not embedder.calibrated:
        return None  # thresholds belong to an embedder
    hits = search.search(
        search.all_current(principal.tenant_id, principal.person_id).filter(memory__in=known),
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        vector=case.vector,
        model=embedder.id,
        digests={},
        policy=RECALL["default"],
    )
    close = [hit for hit in hits if (hit.cosine or 0.0) >= WRITE.duplicate][: WRITE.neighbours]
    if not close:
        return None
    memories = known.filter(id__in=[hit.memory_id for hit in close], kind=draft.kind)
    opened = {one.memory.id: one for one in access.open_current(case.vault, memories)}
    for hit in close:
        other = opened.get(hit.memory_id)
        if other and _compatible(draft, other) and same_facts(draft.text, other.text):
            return other.memory
    return None


def _compatible(draft: Draft, other: access.OpenedMemory) -> bool:
    """Same attribute (or none), same third party, same condition."""
    mine = (draft.proposal.attribute, fold(draft.proposal.about), fold(draft.proposal.condition))
    details = other.details
    theirs = (
        other.memory.attribute,
        fold(str(details.get("about", ""))),
        fold(str(details.get("condition", ""))),
    )
    return mine[1:] == theirs[1:] and (mine[0] == theirs[0] or not mine[0] or not theirs[0])
