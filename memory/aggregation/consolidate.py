"""Proposing to merge fragments: memories that say the same, or parts of one thing, become one if the person agrees.

Nothing is merged by itself. A proposal is a memory that waits, derived from its fragments: its trust is
the lowest of theirs, its level the highest. Kept, it takes their place and they are put away; taken
back, they stand as before. Each set of fragments is proposed once. Only memories about the same
person, under the same condition, of one kind and attribute come together, and never across the guard.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory import access
from memory.aggregation.derivation import derive
from memory.choices import (
    Kind,
    Origin,
    Outcome,
    Reason,
    ReviewKind,
    ReviewState,
    Sensitivity,
    Subtype,
    Trust,
    Visibility,
)
from memory.choices.slots import MERGE_SLOT
from memory.forget.derived import outdated
from memory.forget.fence import fence
from memory.lifecycle import lock_subject
from memory.models import Derivation, Memory, ReviewItem
from memory.policy import CONSOLIDATE
from memory.text.concepts import OPTIONAL, lexicon
from memory.text.guard import content, may_join, same_facts
from memory.text.normalise import fold
from memory.vault import SubjectVault, open_vault
from memory.write import store
from memory.write.allow import unwanted
from memory.write.answered import meaning_of
from memory.write.attributes import CATALOGUE
from memory.write.case import open_case
from memory.write.classify import classify
from memory.write.proposal import Proposal, Source

type Group = list[access.OpenedMemory]


def consolidate(principal: Principal) -> int:
    """Propose merges to the person, a few at a time, and withdraw those whose fragments have changed.

    Return how many were proposed; doing it twice proposes nothing twice.
    """
    with acting(principal.unlimited()):
        lock_subject(principal)
        vault = open_vault(principal)
        if stale := outdated(principal):  # their fragments are not what they were
            fence(principal, stale, carriers=False)
        left = CONSOLIDATE.at_once - _open(principal)
        made = 0
        for fragments in _clusters(_loose(principal, vault)) if left > 0 else ():
            if made < left and not unwanted(vault, MERGE_SLOT, _together(fragments)):
                _propose(principal, vault, fragments)
                made += 1
    return made


def _open(principal: Principal) -> int:
    return ReviewItem.objects.filter(
        subject_id=principal.person_id, kind=ReviewKind.MERGE, state=ReviewState.OPEN
    ).count()


def _loose(principal: Principal, vault: SubjectVault) -> Group:
    """Return the facts in use that could be fragments: no question waits about them."""
    rows = access.memories_in_use(principal.unlimited()).filter(
        kind=Kind.SEMANTIC, visibility=Visibility.USER, single=False
    )
    busy = ReviewItem.objects.filter(subject_id=principal.person_id, state=ReviewState.OPEN)
    part = Derivation.objects.filter(
        memory__in=busy.values("memory_id"), memory__attribute=MERGE_SLOT
    )
    rows = rows.exclude(id__in=busy.values("memory_id")).exclude(id__in=part.values("parent_id"))
    return access.open_current(vault, rows.order_by("created_at", "id"))


def _clusters(loose: Group) -> list[Group]:
    groups: dict[tuple[str, ...], Group] = defaultdict(list)
    for one in loose:
        groups[_kin(one)].append(one)
    return [cluster for group in groups.values() for cluster in _within(group)]


def _kin(one: access.OpenedMemory) -> tuple[str, ...]:
    """Return what fragments of one thing have in common; without an attribute, all their concepts."""
    memory, details = one.memory, one.details
    whose = fold(str(details.get("about", ""))), fold(str(details.get("condition", "")))
    common = (memory.subtype, memory.attribute, memory.project, *whose)
    return common if memory.attribute in CATALOGUE else (*common, *sorted(_said(one.text)))


def _said(text: str) -> frozenset[str]:
    return frozenset(token.name for token in content(text) if token.mark != OPTIONAL)


def _within(group: Group) -> list[Group]:
    """Return the clusters of a group: each member belongs to one, and contradicts none of them."""
    clusters: list[Group] = []
    for one in group[-CONSOLIDATE.compared :]:
        home = next((cluster for cluster in clusters if _belongs(one, cluster)), None)
        if home is None:
            clusters.append([one])
        else:
            home.append(one)
    return [cluster for cluster in clusters if len(cluster) > 1]


def _belongs(one: access.OpenedMemory, cluster: Group) -> bool:
    texts = [other.text for other in cluster]
    if (
        len(cluster) >= CONSOLIDATE.most
        or sum(map(len, texts)) + len(one.text) > CONSOLIDATE.length
    ):
        return False
    alike = [_same(one, other.text) for other in cluster]
    return any(alike) and all(
        same or may_join(one.text, text) for same, text in zip(alike, texts, strict=True)
    )


def _same(one: access.OpenedMemory, other: str) -> bool:
    """Whether the two say the same, or speak of one named thing under one attribute."""
    if same_facts(one.text, other):
        return True
    if one.memory.attribute not in CATALOGUE:
        return False
    sections = lexicon().topics
    shared = _said(one.text) & _said(other)
    return any(sections.get(name) in CONSOLIDATE.things for name in shared) and may_join(
        one.text, other
    )


def joined(texts: Sequence[str], *, language: str) -> str:
    """Return the fragments as one text, each whole; of two that say the same the longer stays."""
    kept = list(dict.fromkeys(texts))
    for one, other in combinations(sorted(kept, key=len), 2):
        if one in kept and other in kept and same_facts(other, one):
            kept.remove(one)
    if len(kept) == 1:
        return kept[0]
    stop, space = ("。", "") if language == "zh" else (".", " ")
    ended = (one if one.rstrip()[-1:] in "。.!！?？…" else one.rstrip() + stop for one in kept)
    return space.join(ended)


def _together(fragments: Group) -> str:
    return "\n".join(sorted(str(one.memory.id) for one in fragments))


def _propose(principal: Principal, vault: SubjectVault, fragments: Group) -> Memory:
    memories = [one.memory for one in fragments]
    draft = classify(_proposal(fragments))
    draft = replace(
        draft,
        trust=Trust(min(one.trust for one in memories)),
        sensitivity=Sensitivity(max(draft.sensitivity, *(one.sensitivity for one in memories))),
        pinned=any(one.pinned for one in memories),
        in_profile=False,
    )
    case = open_case(principal, vault, draft, meaning_of(principal, draft))
    # While it waits, its fragments hold the wording and the slot; its own slot names them.
    own = replace(
        case.marks, wording=None, value=None, slot=vault.digest(MERGE_SLOT, _together(fragments))
    )
    memory = store.create(replace(case, marks=own), waits=Reason.FRAGMENTS)
    ReviewItem.objects.filter(memory=memory).update(kind=ReviewKind.MERGE)
    derive(memory, [one.id for one in memories])
    store.record(
        principal,
        outcome=Outcome.NEEDS_CONFIRMATION,
        reasons=(Reason.FRAGMENTS,),
        draft=draft,
        memory=memory,
        event_id=None,
    )
    return memory


def _proposal(fragments: Group) -> Proposal:
    first, details = fragments[0], fragments[0].details
    weakest = min(fragments, key=lambda one: one.memory.trust).memory
    return Proposal(
        text=joined([one.text for one in fragments], language=first.version.language),
        source=Source(origin=Origin(weakest.origin), said_at=timezone.now()),
        subtype=Subtype(first.memory.subtype),
        attribute=MERGE_SLOT,
        about=str(details.get("about", "")),
        condition=str(details.get("condition", "")),
        confidence=min(one.memory.confidence for one in fragments),
        importance=max(one.memory.importance for one in fragments),
        tags=tuple(dict.fromkeys(tag for one in fragments for tag in one.details.get("tags", ()))),
    )
