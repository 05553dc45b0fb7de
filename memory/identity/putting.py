"""Putting what was taken out into a person's hands, beside what is there already."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import F
from django.db.models.functions import Greatest, Least

from accounts.models import Grant, Subject
from accounts.principal import Principal
from memory.choices import ReviewKind, ReviewState, State
from memory.identity.sealed import Hand
from memory.identity.stores import MOVED
from memory.identity.taking import Taken
from memory.index import store as index
from memory.models import (
    Conflict,
    Decision,
    Evidence,
    Interest,
    Memory,
    RecalledMemory,
    ReviewItem,
    Session,
    TaskBoard,
    Version,
)
from memory.vault import SubjectVault
from memory.write.redact import redact


@dataclass(slots=True)
class Beside:
    """What the person has already: ``twins`` say the same (theirs by the one that came), ``rivals``
    hold the one value of a slot."""

    twins: dict[uuid.UUID, Memory] = field(default_factory=dict)
    rivals: dict[uuid.UUID, Memory] = field(default_factory=dict)


def put_in(person: Principal, vault: SubjectVault, taken: Taken) -> Beside:
    """Put everything in, inside ``acting`` for the person; return what came beside something."""
    hand, rows = Hand(taken.vault, vault), taken.rows
    for memory in rows.of(Memory):
        hand.memory(memory, taken.opened[memory.id])
        memory.subject_id = person.person_id
    beside = _beside(person, rows.of(Memory))
    for evidence in rows.of(Evidence):
        hand.evidence(evidence, to=beside.twins.get(evidence.memory_id))
    _join(taken, beside)
    for model, sealed in hand.tables:
        for row in rows.of(model):
            sealed(row)
    _rename(person, taken)
    _set_back(rows.of(Memory), beside)
    for table in reversed(MOVED):
        found = rows.of(table)
        for row in found:
            row.subject_id = person.person_id  # type: ignore[attr-defined]  # each is a person's
        table._default_manager.bulk_create(found)
    _ask(person, beside)
    for version in rows.of(Version):
        index.add_terms(vault, version, redact(hand.text(version)).index_text)
    return beside


def _beside(person: Principal, memories: list[Memory]) -> Beside:
    mine = Memory.objects.filter(tenant_id=person.tenant_id, subject_id=person.person_id)
    beside = Beside()
    for one in memories:
        said = mine.said(person, one.wording).filter(occurred=one.occurred)
        in_use = one.state in (State.ACTIVE, State.PENDING) and one.wording is not None
        if in_use and (twin := said.first()):
            beside.twins[one.id] = twin
        elif one.state == State.ACTIVE and (rival := mine.rivals_of(one).first()):
            beside.rivals[one.id] = rival
    return beside


def _join(taken: Taken, beside: Beside) -> None:
    """Let what was decided and handed over of a double be told of the memory that the person has."""
    told: list[Decision | RecalledMemory] = [
        *taken.rows.of(Decision),
        *taken.rows.of(RecalledMemory),
    ]
    for row in told:
        if row.memory_id and (twin := beside.twins.get(row.memory_id)):
            row.memory_id = twin.id
    for one in taken.rows.of(Memory):
        if twin := beside.twins.get(one.id):
            Memory.objects.filter(id=twin.id).update(
                last_confirmed_at=Greatest("last_confirmed_at", one.last_confirmed_at)
            )
    taken.rows.without(set(beside.twins))


def _rename(person: Principal, taken: Taken) -> None:
    """A session or board whose name the person has with the same agent goes by its own id."""
    _apart(person, taken.rows.of(Session))
    _apart(person, taken.rows.of(TaskBoard))


def _apart(person: Principal, rows: Sequence[Session] | Sequence[TaskBoard]) -> None:
    for row in rows:
        mine = type(row)._default_manager.filter(
            tenant_id=person.tenant_id, subject_id=person.person_id, agent_id=row.agent_id
        )
        if mine.filter(external_id=row.external_id).exists():
            row.external_id = str(row.id)


def _set_back(memories: list[Memory], beside: Beside) -> None:
    for one in memories:
        if one.id in beside.rivals:
            one.state = State.PENDING


def _ask(person: Principal, beside: Beside) -> None:
    """Ask the person which value holds; until then their own does. The question does not lapse."""
    mine = {"tenant_id": person.tenant_id, "subject_id": person.person_id}
    for memory_id, rival in beside.rivals.items():
        Conflict.objects.create(**mine, current=rival, challenger_id=memory_id)
        ReviewItem.objects.filter(memory_id=memory_id, state=ReviewState.OPEN).delete()
        ReviewItem.objects.create(**mine, memory_id=memory_id, kind=ReviewKind.CONFLICT)


def put_grants(person: Principal, taken: Taken) -> None:
    """Let the subject's agents in as far as they were; what the person has said of one holds."""
    mine = Grant.objects.filter(tenant_id=person.tenant_id, subject_id=person.person_id)
    known = set(mine.values_list("agent_id", flat=True))
    for grant in taken.grants:
        if grant.agent_id not in known:
            grant.subject_id = person.person_id
            grant.save(force_insert=True)


def put_interests(person: Principal, taken: Taken) -> None:
    """Add up what was asked about, if the person has it counted."""
    if not Subject.objects.filter(id=person.person_id, interests=True).exists():
        return
    mine = {"tenant_id": person.tenant_id, "subject_id": person.person_id}
    for one in taken.interests:
        times = {"first_at": one.first_at, "last_at": one.last_at}
        row, _ = Interest.objects.get_or_create(**mine, topic=one.topic, defaults=times)
        Interest.objects.filter(id=row.id).update(
            count=F("count") + one.count,
            first_at=Least("first_at", one.first_at),
            last_at=Greatest("last_at", one.last_at),
        )
