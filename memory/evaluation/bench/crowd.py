"""People with many memories, made fast: real rows and sealed texts, random unit vectors."""

import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import batched

import numpy as np
from django.db import IntegrityError, connection, models
from django.utils import timezone
from numpy.typing import NDArray
from tqdm import tqdm

from accounts import keys
from accounts.acting import acting
from accounts.choices import KeyKind
from accounts.models import ApiKey, Grant, Subject
from accounts.principal import Principal
from accounts.setup import get_or_create_agent, get_or_create_tenant, operator
from accounts.subjects import caller, get_or_create_subject, rights_for, system
from memory.choices import IndexState, Kind, Origin, Reason, Sensitivity, State, Subtype, Trust
from memory.evaluation.bench.sentences import passages
from memory.index.store import TERM_KEY
from memory.index.terms import digests, terms
from memory.models import (
    Conflict,
    Decision,
    Event,
    Evidence,
    Job,
    Memory,
    Message,
    ObjectKey,
    RecalledMemory,
    RecallLog,
    ReviewItem,
    Session,
    SubjectKey,
    Term,
    Vector,
    Version,
)
from memory.providers.embedding import get_embedder, unit
from memory.vault import Place, SubjectVault, open_vault

BATCH = 500
# Fifteen to a memory: too many for instances.
TERMS = """
INSERT INTO memory_term (tenant_id, subject_id, memory_id, version_id, digest, frequency, current)
SELECT %s, %s, memory, version, digest, frequency, true
FROM unnest(%s::uuid[], %s::uuid[], %s::bigint[], %s::smallint[]) AS one (memory, version, digest, frequency)
"""
FOUND = 25  # of each batch have the vector of their text, so that questions find something
CHILDREN_FIRST: Sequence[type[models.Model]] = (
    Term, Vector, Evidence, ReviewItem, Conflict, Decision, Job, RecalledMemory, RecallLog,
    Version, Memory, Message, Event, Session, ObjectKey, SubjectKey, Grant,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """A person who is asked about, as an agent sees them, and keys to ask over HTTP with."""

    user_id: str
    agent: Principal
    person: Principal
    agent_keys: Sequence[str]
    person_keys: Sequence[str]


@contextmanager
def crowd(*, rows: int, people: int, clients: int, progress: bool) -> Iterator[Sequence[Crowd]]:
    """Make ``people`` with ``rows`` memories each, and leave nothing of them but lines of the log."""
    tenant = get_or_create_tenant(f"bench {uuid.uuid4()}")
    service = operator(tenant.id)
    agent = get_or_create_agent(tenant, "bench")
    subjects = [get_or_create_subject(service, f"bench {n}")[0] for n in range(people)]
    try:
        for subject in tqdm(subjects, desc="people", disable=not progress):
            _fill(system(tenant.id, subject.id, label="bench"), rows)
        agents = [keys.issue(service, kind=KeyKind.AGENT, agent=agent)[1] for _ in range(clients)]
        yield [_person(service, subject, agents) for subject in subjects]
    finally:
        for subject in subjects:
            _cleared(system(tenant.id, subject.id, label="bench"))
        with acting(service):
            ApiKey.objects.filter(tenant_id=tenant.id).delete()


def _person(service: Principal, subject: Subject, agents: Sequence[str]) -> Crowd:
    persons = [keys.issue(service, kind=KeyKind.PERSON, subject=subject)[1] for _ in agents]
    return Crowd(
        user_id=subject.external_id,
        agent=_rights(agents[0], subject),
        person=_rights(persons[0], subject),
        agent_keys=agents,
        person_keys=persons,
    )


def _rights(key: str, subject: Subject) -> Principal:
    owner = keys.find(key)
    if owner is None:
        raise RuntimeError("The key that was just made is not known.")
    return rights_for(caller(owner), subject)


def _fill(principal: Principal, rows: int) -> None:
    """Store ``rows`` memories as they stand after the write path, a batch in each transaction."""
    drawn = np.random.default_rng(20)
    for texts in batched(passages(rows), BATCH, strict=False):
        with acting(principal):
            _store(principal, open_vault(principal), texts, drawn)


def _store(
    principal: Principal,
    vault: SubjectVault,
    texts: Sequence[str],
    drawn: np.random.Generator,
) -> None:
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    counted = [_digests(text, vault.derived(TERM_KEY)) for text in texts]
    now = timezone.now()
    memories = Memory.objects.bulk_create(
        Memory(
            **mine,
            kind=Kind.SEMANTIC,
            subtype=Subtype.FACT,
            wording=vault.digest("wording", f"{text} {uuid.uuid4()}"),
            state=State.ACTIVE,
            sensitivity=Sensitivity.PERSONAL,
            origin=Origin.PERSON,
            trust=Trust.STATED,
            index_state=IndexState.READY,
            last_confirmed_at=now,
        )
        for text in texts
    )
    vault.make_keys([memory.id for memory in memories])
    versions = Version.objects.bulk_create(
        Version(
            **mine,
            memory=memory,
            number=1,
            text=vault.seal(Place(object_id=memory.id, number=1), text),
            details=vault.seal(Place(object_id=memory.id, number=1, field="details"), "{}"),
            term_count=sum(found.values()),
            reason=Reason.STATED,
            author_kind=principal.kind,
            origin=Origin.PERSON,
            trust=Trust.STATED,
        )
        for memory, text, found in zip(memories, texts, counted, strict=True)
    )
    _index(versions, texts, counted, drawn)


def _index(
    versions: Sequence[Version],
    texts: Sequence[str],
    counted: Sequence[dict[int, int]],
    drawn: np.random.Generator,
) -> None:
    embedder = get_embedder()
    mine = {"tenant_id": versions[0].tenant_id, "subject_id": versions[0].subject_id}
    vectors = unit(drawn.standard_normal((len(versions), embedder.dim)))
    vectors[:FOUND] = _embedded(tuple(texts[:FOUND]), embedder.id)
    Vector.objects.bulk_create(
        Vector(
            **mine,
            memory_id=version.memory_id,
            version=version,
            model=embedder.id,
            embedding=vector,
        )
        for version, vector in zip(versions, vectors, strict=True)
    )
    rows = [
        (version.memory_id, version.id, digest, frequency)
        for version, found in zip(versions, counted, strict=True)
        for digest, frequency in found.items()
    ]
    columns = [list(column) for column in zip(*rows, strict=True)]
    with connection.cursor() as cursor:
        cursor.execute(TERMS, [*mine.values(), *columns])


@cache  # everybody has the same texts
def _embedded(texts: tuple[str, ...], _model: int) -> NDArray[np.float32]:
    return get_embedder().passage(texts)


def _digests(text: str, key: bytes) -> dict[int, int]:
    found: dict[int, int] = {}
    for term, frequency in terms(text).items():
        found[_digest(term, key)] = frequency
    return found


@cache
def _digest(term: str, key: bytes) -> int:
    return next(iter(digests({term: 1}, key)))


TRIES = 6


def _cleared(principal: Principal) -> None:
    """Clear once the worker has written what it was at: what was measured is told in any case."""
    for _ in range(TRIES):
        with suppress(IntegrityError):
            _clear(principal)
            break
        time.sleep(5)


def _clear(principal: Principal) -> None:
    with acting(principal.unlimited()):
        for model in CHILDREN_FIRST:
            model._default_manager.filter(subject_id=principal.person_id).delete()
        Subject.objects.filter(id=principal.person_id).delete()
