"""An anonymous subject becomes part of a person: asked about, agreed to, refused, taken apart again.

Everything moves in one transaction, behind both walls, so that nobody sees half of it: whoever works
for the subject holds the move off, and whoever comes later finds the person. Texts are sealed anew
and the subject's keys destroyed, so that an erasure at the person leaves nothing elsewhere.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, connection

from accounts import merging
from accounts.acting import acting
from accounts.choices import Action
from accounts.merging import MergeRefused
from accounts.models import Agent, Grant, SubjectMerge
from accounts.principal import Principal
from accounts.subjects import system
from memory import access, ledger, queue
from memory.choices import IndexState, JobKind
from memory.errors import Forbidden, NotFound, StaleState
from memory.forget import drive
from memory.forget.holds import hold_of
from memory.identity.putting import put_grants, put_in, put_interests
from memory.identity.stores import HANDED_OVER
from memory.identity.taking import Taken, take_out
from memory.lifecycle import lock_subject
from memory.models import Erasure, Memory, Message, Session
from memory.vault import keep_former, open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked: who asks, what would be theirs, and which agents would be let in."""

    id: uuid.UUID
    agent: str
    asked_at: datetime
    memories: int
    sessions: int
    since: datetime | None
    new_agents: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """How many memories and sessions moved; ``joined`` said what was known, ``asked`` wait."""

    memories: int
    sessions: int
    joined: int
    asked: int


def ask(agent: Principal, source: Principal) -> tuple[SubjectMerge, bool]:
    """Ask a person whether an anonymous subject is them, as an agent of both; say whether it is new.

    Raises:
        Forbidden: for anybody but an agent, or without a grant to write for both.
        StaleState: if the subject is nobody anonymous, or part of somebody already.
    """
    if agent.agent_id is None:
        raise Forbidden("Only an agent asks; the person answers on their own page.")
    for one in (agent, source):
        access.require(one, Action.WRITE)
    try:
        return merging.ask(agent, source)
    except MergeRefused as error:
        raise StaleState(str(error)) from None


def question(person: Principal, merge_id: uuid.UUID) -> Question:
    """Return what the person is asked, in numbers: no word of it is theirs yet.

    Raises:
        NotFound: if nobody asks that, or it was answered.
    """
    _require_person(person)
    with acting(person):
        merge = merging.asked(person).filter(id=merge_id).first()
        if merge is None:
            raise NotFound
        names = dict(Agent.objects.filter(tenant_id=person.tenant_id).values_list("id", "name"))
        let_in = set(_agents(person))
    source = system(person.tenant_id, merge.source_id, label="merge").unlimited()
    with acting(source):
        memories = access.memories_visible_to(source)
        sessions = Session.objects.filter(tenant_id=source.tenant_id, subject_id=source.person_id)
        times = [memories.order_by("created_at").values_list("created_at", flat=True).first()]
        times += [sessions.order_by("opened_at").values_list("opened_at", flat=True).first()]
        return Question(
            id=merge.id,
            agent=names.get(merge.agent_id, ""),
            asked_at=merge.asked_at,
            memories=memories.count(),
            sessions=sessions.count(),
            since=min((one for one in times if one), default=None),
            new_agents=sorted(names[one] for one in _agents(source) if one not in let_in),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A question that waits, or what became part of the person, and the agent that asked."""

    id: uuid.UUID
    agent: str
    at: datetime


def devices(person: Principal) -> tuple[list[Device], list[Device]]:
    """Return what the person is asked, and what became part of them and whose id still means them."""
    with acting(person):
        names = dict(Agent.objects.filter(tenant_id=person.tenant_id).values_list("id", "name"))
        open_ = [
            Device(id=one.id, agent=names.get(one.agent_id, ""), at=one.asked_at)
            for one in merging.asked(person).order_by("asked_at")
        ]
        joined = [
            Device(id=one.id, agent=names.get(one.agent_id, ""), at=one.decided_at or one.asked_at)
            for one in merging.merged(person)
        ]
    return open_, joined


def _agents(principal: Principal) -> list[uuid.UUID]:
    mine = Grant.objects.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
    return list(mine.values_list("agent_id", flat=True))


def agree(person: Principal, merge_id: uuid.UUID) -> Moved:
    """Let the subject become part of the person: everything moves, its keys are destroyed.

    Raises:
        Forbidden: for anybody but the person.
        NotFound: if nobody asks that, or it was answered.
        StaleState: if somebody else was at work for the subject, or it became part of somebody else.
        LedgerUnavailable: if the ledger outside the database cannot be written.
    """
    _require_person(person)
    _finish_erasures(person, merge_id)
    try:
        with acting(person.unlimited()):
            merge = _taken(person, merge_id)
            _refuse_held(person.person_id, merge.source_id)
            moved, joined = _move(person.unlimited(), merge.source_id)
            merging.settle(person, merge, agreed=True)
            connection.check_constraints()  # here, where it can still be answered
            _tell_ledger(merge, joined)
    except IntegrityError:
        raise StaleState("Somebody was at work for it; nothing was moved. Try again.") from None
    return moved


def refuse(person: Principal, merge_id: uuid.UUID) -> None:
    """Say that it is somebody else; nothing moves.

    Raises:
        Forbidden, NotFound: as for agreeing.
    """
    _require_person(person)
    with acting(person):
        merging.settle(person, _taken(person, merge_id), agreed=False)


def unlink(person: Principal, merge_id: uuid.UUID) -> None:
    """Let the id mean an anonymous subject again, of whom nothing is known. What moved stays.

    Raises:
        Forbidden, NotFound: not the person; nothing is linked so.
    """
    _require_person(person)
    if not merging.unlink(person, merge_id):
        raise NotFound


def _require_person(person: Principal) -> None:
    if not person.is_person:
        raise Forbidden("Only the person decides who they are.")


def _refuse_held(*subject_ids: uuid.UUID) -> None:
    """A move destroys keys: it waits while one of the two is on hold."""
    if any(map(hold_of, subject_ids)):
        raise StaleState("What is kept of one of them is on hold; nothing was moved.")


def _taken(person: Principal, merge_id: uuid.UUID) -> SubjectMerge:
    try:
        merge = merging.take(person, merge_id)
    except MergeRefused as error:
        raise StaleState(str(error)) from None
    if merge is None:
        raise NotFound
    return merge


def _finish_erasures(person: Principal, merge_id: uuid.UUID) -> None:
    """See erasures at the subject through: what is to go must not move."""
    with acting(person):
        merge = merging.asked(person).filter(id=merge_id).first()
    if merge is None:
        raise NotFound
    mine = Erasure.objects.filter(tenant_id=person.tenant_id, subject_id=merge.source_id)
    open_ = mine.filter(state__in=drive.DRIVEN)
    for erasure_id in open_.values_list("id", flat=True):
        drive.run(erasure_id)
    if open_.exists():
        raise StaleState("An erasure is not finished there yet. Try again soon.")


def _tell_ledger(merge: SubjectMerge, joined: dict[uuid.UUID, uuid.UUID]) -> None:
    """Write down whose it became: a restored dump may be older, and must lose what is erased later."""
    assert merge.decided_at is not None
    merged = ledger.Merged(
        merge_id=merge.id,
        source_id=merge.source_id,
        subject_id=merge.subject_id,
        at=merge.decided_at,
        joined=joined,
    )
    ledger.write_merge(merged)


def _move(person: Principal, source_id: uuid.UUID) -> tuple[Moved, dict[uuid.UUID, uuid.UUID]]:
    """Move everything; return the counts, and which memory the person had already by which of theirs."""
    source = system(person.tenant_id, source_id, label="merge").unlimited()
    with acting(source):
        taken = take_out(source)
    vault = open_vault(person)
    lock_subject(person)
    keep_former(vault, taken.vault)
    beside = put_in(person, vault, taken)
    put_grants(person, taken)
    put_interests(person, taken)
    for model in HANDED_OVER:
        rows = model._default_manager.filter(tenant_id=person.tenant_id, subject_id=source_id)
        rows.update(subject_id=person.person_id)
    _go_on(person, taken)
    moved = Moved(
        memories=len(taken.rows.of(Memory)),
        sessions=len(taken.rows.of(Session)),
        joined=len(beside.twins),
        asked=len(beside.rivals),
    )
    return moved, {one: twin.id for one, twin in beside.twins.items()}


def _go_on(person: Principal, taken: Taken) -> None:
    """Have read what was unread, and embedded what waits for its vector."""
    tenant, subject = person.tenant_id, person.person_id
    agents = {one.id: one.agent_id for one in taken.rows.of(Session)}
    unread = {one.session_id for one in taken.rows.of(Message) if one.extracted_at is None}
    for session_id in sorted(unread):
        queue.job_for(
            kind=JobKind.EXTRACT,
            tenant_id=tenant,
            subject_id=subject,
            target_id=session_id,
            agent_id=agents[session_id],
        )
    if any(one.index_state == IndexState.PENDING for one in taken.rows.of(Memory)):
        queue.job_for(
            kind=JobKind.EMBED,
            tenant_id=tenant,
            subject_id=subject,
            target_id=subject,
            agent_id=None,
        )
