"""Stating patterns as memories: worked out by the service, with the episodes they were counted from.

A pattern goes through the gate like any guess of an agent: the person may have asked to be asked, or
to keep only what they say; a sensitive one waits. Its level is the highest of its episodes'. When
the counts change, it gets a new wording; when an episode is erased, it goes with it and is counted anew.
"""

from dataclasses import dataclass, replace
from datetime import timedelta

from django.utils import timezone

from accounts.acting import acting
from accounts.choices import MemoryMode
from accounts.models import Subject
from accounts.principal import Principal
from accounts.subjects import system
from memory import access
from memory.aggregation.consolidate import consolidate
from memory.aggregation.derivation import derive
from memory.aggregation.mining import Episode, Pattern, mine, recurs, topics_of
from memory.choices import (
    GONE,
    Kind,
    Origin,
    Outcome,
    Reason,
    Sensitivity,
    State,
    Subtype,
    Trust,
    Visibility,
)
from memory.choices.slots import PATTERN_SLOT, TASK_SLOT
from memory.lifecycle import lock_subject, note_move, transition
from memory.models import Memory, Version
from memory.policy import PATTERN
from memory.rounds import go_round
from memory.vault import SubjectVault, open_vault
from memory.write import store
from memory.write.allow import unwanted
from memory.write.answered import meaning_of
from memory.write.case import open_case, slot_text
from memory.write.classify import classify
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source

KEPT_UP = (State.ACTIVE, State.PENDING)


def sweep() -> int:
    """Go round all people whose memory is on; return how many patterns changed."""
    people = Subject.objects.filter(memory_mode=MemoryMode.NORMAL)
    return go_round("sweep_patterns", people, _visit)


def _visit(person: Subject) -> int:
    service = system(person.tenant_id, person.id, label="aggregation")
    changed = aggregate(service.using(learning=person.learning, time_zone=person.time_zone))
    consolidate(service)
    return changed


def aggregate(principal: Principal) -> int:
    """Count the person's episodes anew and state what recurs; return how many patterns changed.

    Days are the person's. Doing it twice changes nothing more.
    """
    today = timezone.now().astimezone(principal.zone).date()
    with acting(principal.unlimited()):
        lock_subject(principal)
        vault = open_vault(principal)
        episodes = _episodes(principal, vault)
        found = mine([one.told for one in episodes], today=today)
        known = _known(principal, vault)
        levels = {one.told.id: one.level for one in episodes}
        changed = 0
        for one in found:
            level = max(levels[id_] for id_ in one.episodes)
            if one.key in known:
                changed += _keep_up(principal, vault, known.pop(one.key), one, level)
            elif recurs(one, found) and not unwanted(vault, "slot", slot_text(condition=one.key)):
                changed += _state(principal, one, level)
        for stale in known.values():
            changed += _retire(principal, stale.memory)
    return changed


@dataclass(frozen=True, slots=True)
class _Graded:
    told: Episode
    level: Sensitivity


def _episodes(principal: Principal, vault: SubjectVault) -> list[_Graded]:
    """Return what happened in the window and every agent with a grant for it may use, opened.

    What has faded since still counts: a habit is not over because its days are long ago.
    """
    since = timezone.now() - timedelta(days=PATTERN.window_days)
    mine = Memory.objects.visible_to(principal.unlimited())
    rows = mine.happened(timezone.now()).filter(
        kind=Kind.EPISODIC, occurred__gte=since, visibility=Visibility.USER
    )
    opened = access.open_current(vault, rows.exclude(subtype=Subtype.PATTERN).order_by("occurred"))
    return [_graded(principal, one) for one in opened if one.memory.occurred is not None]


def _graded(principal: Principal, one: access.OpenedMemory) -> _Graded:
    assert one.memory.occurred is not None
    language = "zh" if one.version.language == "zh" else "en"
    task = str(one.details.get("condition", "")) if one.memory.attribute == TASK_SLOT else ""
    told = Episode(
        id=one.memory.id,
        day=one.memory.occurred.astimezone(principal.zone).date(),
        language=language,
        outcome=str(one.details.get("outcome", "")),
        topics={task.casefold(): task} if task else topics_of(one.text, language=language),
    )
    return _Graded(told, Sensitivity(one.memory.sensitivity))


def _known(principal: Principal, vault: SubjectVault) -> dict[str, access.OpenedMemory]:
    """Return the patterns stated so far, whatever has become of them, by what they are about."""
    rows = Memory.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, attribute=PATTERN_SLOT
    ).exclude(state__in=GONE)
    opened = access.open_current(vault, rows.select_for_update())
    return {str(one.details.get("condition", "")): one for one in opened}


def _proposal(pattern: Pattern, level: Sensitivity) -> Proposal:
    return Proposal(
        text=pattern.stated(),
        source=Source(origin=Origin.AGENT, said_at=timezone.now()),
        kind=Kind.EPISODIC,
        subtype=Subtype.PATTERN,
        attribute=PATTERN_SLOT,
        condition=pattern.key,
        value=f"{pattern.hits}/{pattern.base}",
        confidence=pattern.hits / pattern.base,
        sensitivity=level,
        metadata=pattern.counts,
    )


def _state(principal: Principal, pattern: Pattern, level: Sensitivity) -> int:
    decided = decide(principal, _proposal(pattern, level))
    if decided.memory is None or decided.outcome == Outcome.REFUSED:
        return 0
    derive(decided.memory, pattern.episodes)
    return 1


def _keep_up(
    principal: Principal,
    vault: SubjectVault,
    known: access.OpenedMemory,
    pattern: Pattern,
    level: Sensitivity,
) -> int:
    """Give a stated pattern its new counts; what the person paused or put away stays as it is."""
    memory = known.memory
    same = known.details.get("metadata") == pattern.counts and memory.sensitivity >= level
    if memory.state not in KEPT_UP or same:
        return 0
    draft = replace(classify(_proposal(pattern, level)), trust=Trust(memory.trust))
    case = open_case(principal, vault, draft, meaning_of(principal, draft))
    old = Version.objects.current().get(memory=memory)
    store.supersede(case, memory, old, reason=Reason.NEW_VALUE)
    store.record(
        principal,
        outcome=Outcome.SUPERSEDED,
        reasons=(Reason.NEW_VALUE,),
        draft=draft,
        memory=memory,
        event_id=None,
    )
    derive(memory, pattern.episodes)
    return 1


def _retire(principal: Principal, memory: Memory) -> int:
    """Put a pattern away of which nothing is left in the window."""
    if memory.state != State.ACTIVE:
        return 0
    transition(memory, State.ARCHIVED)
    note_move(principal, memory, before=State.ACTIVE, reason="pattern_over")
    return 1
