"""Everything a recall looked at, and what became of each: taken, or held back for one reason.

scope → candidates → relevance gate → score → resolve → budget. A recall hands over what was taken; an
explanation shows the whole table.
"""

import uuid
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.principal import Principal
from memory.index.planning import Part, part
from memory.index.search import RANKED, Hit, ranked
from memory.measuring import Step, step
from memory.models.version import VersionQuerySet
from memory.policy import CHANGE, QUESTION, RecallPolicy
from memory.recall import gate, links, profile, resolve, scope
from memory.recall.budget import cut
from memory.recall.candidates import Candidates, find
from memory.recall.fates import Fate
from memory.recall.filters import condition
from memory.recall.prepared import prepared
from memory.recall.question import Question, understand
from memory.recall.retire import retired
from memory.recall.rows import IDS, NOTHING, PASSING, Row, fetch
from memory.recall.scored import Passed, Scales, companions, scored
from memory.recall.values import RecalledItem, RecallQuery
from memory.vault import SubjectVault

# What is not asked about anything: all that holds now.
NOTHING_SAID = RecallQuery(text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """The question as it was read, what was handed over, and what was held back and why."""

    question: Question
    taken: Sequence[RecalledItem]
    profile: Sequence[RecalledItem]
    held: Sequence[tuple[RecalledItem, Fate]]
    below: Sequence[Hit]
    degraded: Sequence[str]
    gate: float


def weigh(
    principal: Principal,
    vault: SubjectVault,
    query: RecallQuery,
    *,
    policy: RecallPolicy,
    now: datetime,
) -> Weighed:
    """Weigh all that ``principal`` may be told about ``query``, inside ``acting``.

    Raises:
        InvalidInput: for a filter that is not on the list.
    """
    with step(Step.UNDERSTAND):
        question = understand(query, now=now.astimezone(principal.zone))
    on = Scales(
        principal=principal, vault=vault, policy=policy, query=query, question=question, now=now
    )
    with step(Step.FIND):
        found = _candidates(on)
    with step(Step.FETCH):
        rows = _fetched(on, found)
    why = _reasons(on, found, rows)
    told = [row.opened.version.id for row in rows if _may_be_told(row, why)]
    gone = retired(rows, of=told, at=query.as_of or now, known_at=query.known_at)
    passed, below = _through_gate(found, rows, why, gone)
    with step(Step.RANK):
        items, undone = scored(on, passed, gone)
        resolved, held = resolve.resolve(
            items, question=question, retired=() if on.history else gone
        )
    known = {row.opened.memory.id for row, _, _ in passed}
    others = [row for row in rows if row.opened.memory.id not in known]
    beside = companions(on, others, resolved, gone)
    along = {item.opened.version.id for item in beside}
    taken, over = cut(
        [*resolved, *beside],
        top_k=query.top_k or policy.top_k,
        max_tokens=query.max_tokens or policy.max_tokens,
        tokens=lambda item: item.tokens,
        same=resolve.same,
    )
    listed = {item.opened.memory.id for item in taken}
    return Weighed(
        question=question,
        taken=taken,
        profile=_profile(on, rows, gone, leave_out=listed) if query.include_profile else [],
        held=[*((item, Fate(why)) for item, why in (*held, *over))],
        below=[hit for hit in below if hit.version_id not in along],
        degraded=[*found.degraded, *undone],
        gate=_at(on, timely=False).gate,
    )


def _wordings(on: Scales, *, history: bool, among: QuerySet[Any] | None = None) -> VersionQuerySet:
    wordings = scope.of(on.principal, on.query, now=on.now, history=history, among=among)
    if on.query.filters:
        wordings = wordings.filter(condition(on.query.filters, on.vault.digest))
    if on.question.back:
        wordings = wordings.exclude(scope.out_of_time(on.question.times, said=on.question.said))
    return wordings


def _in_scope(on: Scales) -> Part:
    if on.plain:
        build = _plain_past if on.history else _plain
        return prepared("scope", build, on.principal, *RANKED, now=on.now)
    return ranked(_wordings(on, history=on.history))


def _plain(principal: Principal, now: datetime) -> VersionQuerySet:
    return scope.of(principal, NOTHING_SAID, now=now)


def _plain_past(principal: Principal, now: datetime) -> VersionQuerySet:
    return scope.of(principal, NOTHING_SAID, now=now, history=True)


def _linked(on: Scales) -> Part:
    if on.plain:
        return prepared("linked", _plain_linked, on.principal, *IDS, now=on.now)
    there = links.beside(on.principal, PASSING)
    return part("linked", _wordings(on, history=False, among=there), *IDS)


def _plain_linked(principal: Principal, now: datetime) -> VersionQuerySet:
    there = links.beside(principal, PASSING)
    return scope.of(principal, NOTHING_SAID, now=now, among=there)


def _standing(principal: Principal, now: datetime, number: int) -> VersionQuerySet:
    among = profile.candidates(principal, now, number)
    return scope.of(principal, NOTHING_SAID, now=now, among=among)


def _candidates(on: Scales) -> Candidates:
    """Return what may answer: by meaning and words, or, if only a time is asked for, by the time."""
    question = on.question
    if not question.open or on.policy.candidates == 0:
        return find(
            on.vault, _in_scope(on), words=question.text, meaning=question.meaning, policy=on.policy
        )
    wordings = _wordings(on, history=on.history)
    if question.times:
        either = scope.in_times(question.times, said=True) | scope.in_times(
            question.times, said=False
        )
        wordings = wordings.filter(either)
    rows = scope.latest(wordings, on.policy.candidates if question.times else QUESTION.latest)
    hits = [_unmeasured(*ids) for ids in rows.values_list("id", "memory_id")]
    return Candidates(hits=hits, rare=frozenset(), terms=0, calibrated=True, degraded=[])


def _unmeasured(version_id: uuid.UUID, memory_id: uuid.UUID) -> Hit:
    """Return what neither words nor meaning found as a hit."""
    return Hit(
        version_id=version_id,
        memory_id=memory_id,
        cosine=None,
        bm25=0.0,
        words=0.0,
        shares={},
        searched=0,
    )


def _fetched(on: Scales, found: Candidates) -> list[Row]:
    """Return the rows of what may pass, retire it or is linked to it, and of the profile.

    What fills a slot that is asked for by its name may pass as well, found or not.
    """
    passing = {
        hit.version_id: hit.memory_id for hit in found.hits if _why(on, found, hit, timely=True)
    }
    memories, near = list(passing.values()), on.policy.gate - CHANGE.witness
    wanted = [
        hit.version_id
        for hit in found.hits
        if hit.version_id in passing or (hit.cosine or 0.0) >= near
    ]
    besides = named = linked = NOTHING
    if on.question.slots and on.policy.candidates:
        wordings = _wordings(on, history=on.history)
        filling = wordings.filter(memory__attribute__in=on.question.slots)
        named = part("named", scope.latest(filling, on.policy.candidates), *IDS)
    if passing and on.policy.links:
        linked = _linked(on)
    if on.query.include_profile:
        most = (on.policy.profile_items * 2,)  # what one says may hold no more
        besides = prepared("beside", _standing, on.principal, *IDS, now=on.now, given=most)
    return fetch(
        on.principal,
        on.vault,
        wanted,
        question=on.question,
        besides=besides,
        named=named,
        linked=linked,
        to=memories,
    )


def _profile(
    on: Scales,
    rows: Sequence[Row],
    gone: Mapping[uuid.UUID, uuid.UUID],
    *,
    leave_out: AbstractSet[uuid.UUID],
) -> list[RecalledItem]:
    """Return the profile as it holds now, whatever time is asked about; ``gone`` is of that time."""
    if on.query.as_of is not None or on.query.known_at is not None:
        gone = retired(rows, of=[row.opened.version.id for row in rows], at=on.now)
    holding = [row for row in rows if row.opened.version.id not in gone]
    return profile.among(holding, policy=on.policy, leave_out=leave_out)


def _reasons(
    on: Scales, found: Candidates, rows: Sequence[Row]
) -> dict[uuid.UUID, tuple[str, ...]]:
    """Return for each wording that was found or fills a slot asked for why it passes; empty: it does not."""
    by_version = {row.opened.version.id: row for row in rows}
    why = {
        hit.version_id: _why(on, found, hit, timely=by_version[hit.version_id].timely)
        for hit in found.hits
        if hit.version_id in by_version
    }
    for id_ in (row.opened.version.id for row in rows if row.named):
        why[id_] = (*why.get(id_, ()), "attribute")
    return why


def _may_be_told(row: Row, why: Mapping[uuid.UUID, tuple[str, ...]]) -> bool:
    """Whether a wording may be handed over, if no later one retires it."""
    passes = why.get(row.opened.version.id)
    return bool(passes or row.linked) or row.opened.memory.in_profile


def _through_gate(
    found: Candidates,
    rows: Sequence[Row],
    reasons: Mapping[uuid.UUID, tuple[str, ...]],
    gone: Mapping[uuid.UUID, uuid.UUID],
) -> tuple[list[Passed], list[Hit]]:
    """Part what passes; what retires something that passes is about the question as well."""
    by_version = {row.opened.version.id: row for row in rows}
    hits = {hit.version_id: hit for hit in found.hits}
    for row in (row for row in rows if row.named):
        id_ = row.opened.version.id
        hits.setdefault(id_, _unmeasured(id_, row.opened.memory.id))
    why = dict(reasons)
    for old, new in gone.items():
        why[new] = why.get(new) or why.get(old, ())
    passed, below = [], []
    for hit in hits.values():
        if through := why.get(hit.version_id):
            passed.append((by_version[hit.version_id], hit, through))
        else:
            below.append(hit)
    return passed, below


def _why(on: Scales, found: Candidates, hit: Hit, *, timely: bool) -> tuple[str, ...]:
    if on.question.open:
        return ("time",)
    why = gate.passes(
        cosine=hit.cosine,
        bm25=hit.bm25,
        shares=hit.shares,
        rare=found.rare,
        searched=hit.searched,
        terms=found.terms,
        policy=_at(on, timely=timely),
        calibrated=found.calibrated,
    )
    return (*why, "time") if why and timely and on.question.times else why


def _at(on: Scales, *, timely: bool) -> RecallPolicy:
    """Return the policy with the gate that holds for this question and this candidate."""
    policy = on.policy
    lower = policy.timely * (timely and bool(on.question.times))
    return replace(policy, gate=policy.gate - lower) if lower else policy
