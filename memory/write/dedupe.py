"""Same meaning, no new memory. A wrong merge is worse than a missed one.

Exact by normalised wording or by attribute and value; near by calibrated cosine *and* the guard.
Contradictions score like duplicates in every model, so cosine alone never merges.
"""

from django.db.models import Case as Either
from django.db.models import When

from memory import access
from memory.choices import Kind, Reason, State
from memory.index import search
from memory.index.context import Meaning, embed
from memory.index.scale import scale_of
from memory.models import Memory, Version
from memory.models.memory import MemoryQuerySet
from memory.models.version import VersionQuerySet
from memory.policy import RECALL, WRITE
from memory.providers.embedding import get_embedder
from memory.text.guard import covers, same_facts
from memory.text.normalise import fold
from memory.write.attributes import known_attribute
from memory.write.case import Case
from memory.write.proposal import Draft
from memory.write.redact import redact

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
    known = known.in_circle(draft.proposal.circle).filter(versions__in=_periods(case))
    if same := _same_value(known, case):
        return same, Reason.DUPLICATE_EXACT
    near = None if case.meaning is None else _near(case, case.meaning, known)
    return (near, Reason.DUPLICATE_NEAR) if near else None


def _periods(case: Case) -> VersionQuerySet:
    """Keep the wordings that hold as long: the same thing in another period is another thing."""
    return Version.objects.current().filter(
        tenant_id=case.principal.tenant_id,
        subject_id=case.principal.person_id,
        valid_to=case.draft.proposal.valid_to,
    )


def _same_value(known: MemoryQuerySet, case: Case) -> Memory | None:
    """Return the memory whose attribute has this value already, unless more is said of it now.

    Who is believed less adds nothing to what somebody who is believed more has said of it.
    """
    own, draft = case.marks, case.draft
    if own.value is None:
        return None
    slot_known = known_attribute(draft.proposal.attribute)
    whole = slot_known is not None and slot_known.whole
    slot = known.filter(attribute=draft.proposal.attribute, slot=own.slot, value=own.value)
    for other in access.open_current(
        case.vault, slot.order_by(IN_USE_FIRST, "-updated_at")[: WRITE.neighbours]
    ):
        outranked = draft.single and draft.trust < other.memory.trust
        if outranked or whole or covers(other.text, draft.text):
            return other.memory
    return None


def _near(case: Case, meaning: Meaning, known: MemoryQuerySet) -> Memory | None:
    """Return the memory whose own words say the same; what it was said in answer to does not count."""
    principal, draft = case.principal, case.draft
    embedder = get_embedder()
    scale = scale_of(embedder)
    if scale is None:
        return None  # thresholds belong to an embedder
    all_ = search.all_current(principal.tenant_id, principal.person_id)
    hits = search.search(
        search.ranked(all_.filter(memory__in=known)),
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        vectors=meaning.own[None],
        model=embedder.id,
        scale=scale,
        digests={},
        policy=RECALL["default"],
    )
    close = [hit for hit in hits if (hit.cosine or 0.0) >= WRITE.perhaps][: WRITE.neighbours]
    if not close:
        return None
    memories = known.filter(id__in=[hit.memory_id for hit in close], kind=draft.kind)
    opened = {one.memory.id: one for one in access.open_current(case.vault, memories)}
    for hit in close:
        other = opened.get(hit.memory_id)
        alike = other and _same_slot(draft, other) and same_facts(draft.text, other.text)
        if other and alike and _cosine(meaning, other.text) >= scale.own(WRITE.duplicate):
            return other.memory
    return None


def _cosine(meaning: Meaning, text: str) -> float:
    """Return how close another wording is by its own words; -1 while the embedder is down."""
    other = embed(redact(text).index_text)
    return -1.0 if other is None else float(meaning.own @ other.own)


def _same_slot(draft: Draft, other: access.OpenedMemory) -> bool:
    """Same third party, same condition. Equal words need no equal attribute, which was read from them."""
    details = other.details
    mine = draft.proposal.about, draft.proposal.condition
    theirs = str(details.get("about", "")), str(details.get("condition", ""))
    return [*map(fold, mine)] == [*map(fold, theirs)]
