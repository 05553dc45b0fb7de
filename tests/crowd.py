"""A crowd of everything one person can have, put in by the hundred: for tests of what lists cost."""

from __future__ import annotations

import os
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone

if TYPE_CHECKING:
    from accounts.models import Subject

TEXT = "I keep box number {} in the attic 阁楼"


def crowd(subject: Subject, number: int) -> str:
    """Give a person ``number`` more of everything; return the id of a memory with a long history."""
    from accounts.acting import acting
    from tests.cast import operator, system_of

    owner = {"tenant_id": subject.tenant_id, "subject_id": subject.id}
    with acting(operator(subject.tenant)):
        agents = _agents(subject, number)
    with acting(system_of(subject)):
        _grants(agents, owner)
        ids = [
            _memories(subject, owner, number, state) for state in ("active", "pending", "forgotten")
        ]
        _reviews(ids[1], owner)
        _uses(ids[0], agents, owner)
        _log(ids[0], owner, number)
        _history(subject, ids[0][0], owner, number)
        _sessions(subject, ids[0], agents, owner)
    _work(owner, number)
    return str(ids[0][0])


def _agents(subject: Subject, number: int) -> list[uuid.UUID]:
    from accounts.models import Agent, ApiKey

    made = Agent.objects.bulk_create(
        Agent(tenant=subject.tenant, name=f"agent {uuid.uuid4()}") for _ in range(number)
    )
    ApiKey.objects.bulk_create(
        ApiKey(
            tenant=subject.tenant,
            kind="agent",
            agent=one,
            prefix=uuid.uuid4().hex[:8],
            digest=os.urandom(32),
        )
        for one in made
    )
    return [one.id for one in made]


def _grants(agents: list[uuid.UUID], owner: dict[str, Any]) -> None:
    from accounts.models import Grant

    rights = {"actions": ["read", "write"], "kinds": ["semantic"], "clearance": 20}
    Grant.objects.bulk_create(Grant(agent_id=one, **rights, **owner) for one in agents)


def _memories(subject: Subject, owner: dict[str, Any], number: int, state: str) -> list[uuid.UUID]:
    from memory.models import Memory, Version
    from memory.vault import Place, open_vault
    from tests.cast import system_of

    now = timezone.now()
    undo = {"undo_until": now + timedelta(minutes=5), "previous_state": "active"}
    made = Memory.objects.bulk_create(
        Memory(
            kind="semantic",
            subtype="fact",
            state=state,
            sensitivity=10,
            origin="person",
            trust=30,
            **(undo if state == "forgotten" else {}),
            **({"single": True, "attribute": "home", "slot": n} if state == "pending" else {}),
            **owner,
        )
        for n in range(number)
    )
    vault = open_vault(system_of(subject))
    vault.make_keys([one.id for one in made])
    said = {"language": "en", "reason": "stated", "author_kind": "person", "origin": "person"}
    Version.objects.bulk_create(
        Version(
            memory=one,
            number=1,
            text=vault.seal(Place(object_id=one.id, number=1), TEXT.format(place)),
            details=vault.seal(Place(object_id=one.id, number=1, field="details"), "{}"),
            trust=30,
            **said,
            **owner,
        )
        for place, one in enumerate(made)
    )
    return [one.id for one in made]


def _reviews(memories: list[uuid.UUID], owner: dict[str, Any]) -> None:
    from memory.models import ReviewItem

    ReviewItem.objects.bulk_create(
        ReviewItem(memory_id=one, kind="new", **owner) for one in memories
    )


def _uses(memories: list[uuid.UUID], agents: list[uuid.UUID], owner: dict[str, Any]) -> None:
    from memory.models import RecalledMemory, RecallLog

    recalls = RecallLog.objects.bulk_create(
        RecallLog(actor_kind="agent", agent_id=one, status="found", policy="default", **owner)
        for one in agents
    )
    RecalledMemory.objects.bulk_create(
        RecalledMemory(recall=recall, memory_id=memories[place % 2], rank=1, **owner)
        for place, recall in enumerate(recalls)
    )


def _log(memories: list[uuid.UUID], owner: dict[str, Any], number: int) -> None:
    from accounts.models import AuditEvent
    from memory.models import Decision, Suppression

    AuditEvent.objects.bulk_create(
        AuditEvent(
            code="memory.read", actor_kind="person", object_kind="memory", object_id=one, **owner
        )
        for one in memories
    )
    Decision.objects.bulk_create(
        Decision(outcome="accepted", reasons=["stated"], memory_id=memories[0], **owner)
        for _ in range(number)
    )
    Suppression.objects.bulk_create(
        Suppression(basis="wording", digest=uuid.uuid4().int % 2**62, **owner)
        for _ in range(number)
    )


def _history(subject: Subject, memory: uuid.UUID, owner: dict[str, Any], number: int) -> None:
    """Give one memory many wordings and many quotes."""
    from memory.models import Evidence, Memory, Version
    from memory.vault import Place, open_vault
    from tests.cast import system_of

    vault = open_vault(system_of(subject))
    now = timezone.now()
    Version.objects.filter(memory_id=memory).update(superseded_at=now)
    last = number + 1
    Version.objects.bulk_create(
        Version(
            memory_id=memory,
            number=one,
            text=vault.seal(Place(object_id=memory, number=one), TEXT.format(one)),
            details=vault.seal(Place(object_id=memory, number=one, field="details"), "{}"),
            reason="corrected",
            author_kind="person",
            origin="person",
            trust=30,
            superseded_at=None if one == last else now,
            **owner,
        )
        for one in range(2, last + 1)
    )
    Memory.objects.filter(id=memory).update(version=last)
    quotes = [uuid.uuid4() for _ in range(number)]
    Evidence.objects.bulk_create(
        Evidence(
            id=one,
            memory_id=memory,
            version_number=last,
            quote=vault.seal(Place(object_id=memory, number=0, field=f"quote {one}"), "attic"),
            start=0,
            end=5,
            role="user",
            said_at=now,
            **owner,
        )
        for one in quotes
    )


def _sessions(
    subject: Subject, memories: list[uuid.UUID], agents: list[uuid.UUID], owner: dict[str, Any]
) -> None:
    """Give each agent a session with one message, and the first one message for each memory too."""
    from memory.models import Event, Evidence, Message, Session
    from memory.vault import Place, open_vault
    from tests.cast import system_of

    now, vault = timezone.now(), open_vault(system_of(subject))
    made = Session.objects.bulk_create(
        Session(agent_id=one, external_id=f"chat {one}", **owner) for one in agents
    )
    said = [(made[0], memory) for memory in memories] + [(one, None) for one in made[1:]]
    ids = [uuid.uuid4() for _ in said]
    vault.make_keys(ids)
    Event.objects.bulk_create(
        Event(
            id=id_,
            role="user",
            session_id=session.id,
            text=vault.seal(Place(object_id=id_), TEXT.format(id_)),
            digest=0,
            occurred_at=now,
            **owner,
        )
        for id_, (session, _) in zip(ids, said, strict=True)
    )
    Message.objects.bulk_create(
        Message(session=session, event_id=id_, sequence=place, role="user", at=now, **owner)
        for place, (id_, (session, _)) in enumerate(zip(ids, said, strict=True))
    )
    rows = [uuid.uuid4() for _ in memories]
    Evidence.objects.bulk_create(
        Evidence(
            id=row,
            memory_id=memory,
            version_number=1,
            event_id=id_,
            quote=vault.seal(Place(object_id=memory, number=0, field=f"quote {row}"), "attic"),
            said_at=now,
            **owner,
        )
        for row, memory, id_ in zip(rows, memories, ids, strict=False)
    )


def _work(owner: dict[str, Any], number: int) -> None:
    from memory.models import Erasure, ErasureStep, Job, OutboxMessage

    now = timezone.now()
    erasures = Erasure.objects.bulk_create(
        Erasure(state="running", requested_by_kind="person", fenced_at=now, **owner)
        for _ in range(number)
    )
    ErasureStep.objects.bulk_create(
        ErasureStep(erasure=one, store=store, position=place, **owner)
        for one in erasures
        for place, store in enumerate(("versions", "vectors"))
    )
    Job.objects.bulk_create(
        Job(kind="extract", target_id=uuid.uuid4(), **owner) for _ in range(number)
    )
    OutboxMessage.objects.bulk_create(
        OutboxMessage(topic="erased", erasure_id=one.id, **owner) for one in erasures
    )
