"""What is in force beside a draft and may be about the same: the facts near it in meaning or in words."""

from collections.abc import Iterator

from memory import access
from memory.choices import Kind, State
from memory.index import search
from memory.index.scale import Scale, scale_of
from memory.index.store import TERM_KEY
from memory.index.terms import digests, terms
from memory.models import Memory, Version
from memory.policy import RECALL
from memory.providers.embedding import get_embedder
from memory.text.stance import Reversal
from memory.write.case import Case, slot_of
from memory.write.proposal import begins_later, told


def opposite(case: Case) -> tuple[Memory, Version] | None:
    """Return what says, nearest first, the opposite of the draft of the same thing."""
    if case.draft.kind != Kind.SEMANTIC or begins_later(case.draft):
        return None
    reversal = Reversal(case.draft.text)
    found = (one for one in beside(case) if reversal.of(one.text))
    one = next(found, None)
    return None if one is None else (one.memory, one.version)


def beside(case: Case, *, words: str = "", about: str = "") -> Iterator[access.OpenedMemory]:
    """Yield the facts in force that are near the draft in meaning, or share one of ``words``, nearest first.

    They are about whom the draft is about, or ``about``. While the embedder is down, its own words are all there is to go by.
    """
    principal, vault = case.principal, case.vault
    meaning = case.meaning
    if meaning is None:
        words = f"{case.draft.text}\n{words}"
    embedder = None if meaning is None else get_embedder()
    known = Memory.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        state=State.ACTIVE,
        kind=Kind.SEMANTIC,
        slot__in=_slots(case, about),
    )
    all_ = search.all_current(principal.tenant_id, principal.person_id)
    hits = search.search(
        search.ranked(all_.filter(memory__in=known)),
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        vectors=None if meaning is None else meaning.own[None],
        model=0 if embedder is None else embedder.id,
        scale=(embedder and scale_of(embedder)) or Scale(),
        digests=digests(terms(words), vault.derived(TERM_KEY)),
        policy=RECALL["default"],
    )
    rows = {row.id: row for row in known.filter(id__in=[hit.memory_id for hit in hits])}
    ordered = [rows[hit.memory_id] for hit in hits if hit.memory_id in rows]
    begins = told(case.draft)
    for one in access.open_current(vault, ordered):
        if one.version.valid_to is None or one.version.valid_to > begins:
            yield one


def _slots(case: Case, about: str) -> set[int]:
    proposal = case.draft.proposal
    also = slot_of(case.vault, about=about, condition=proposal.condition, circle=proposal.circle)
    return {case.marks.slot, also} if about else {case.marks.slot}
