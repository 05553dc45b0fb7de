"""Recall, write and append under load: through the service, through HTTP, and beside a floor.

The floor is what nobody can do without: one text embedded, and one bare statement over the person's
rows; for a message one bare row. For a recall a second floor finds the same rows as it: the nearest of
those that the agent may be told and that hold now, not of all there are.
All are measured in one run, so that their ratio holds on a busy machine too.
"""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import httpx
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from accounts.acting import acting
from accounts.principal import Principal
from memory import sessions
from memory.choices import JobState, Origin, Role
from memory.evaluation.bench.crowd import Crowd, crowd
from memory.evaluation.bench.load import Call, counting, timed
from memory.evaluation.bench.sentences import passages, questions
from memory.index.planning import hashed
from memory.index.search import as_literal
from memory.models import Job, Session, Version
from memory.models.version import VersionQuerySet
from memory.providers.embedding import get_embedder
from memory.recall import scope
from memory.recall.pipeline import recall
from memory.recall.prepared import prepared
from memory.recall.values import RecallQuery
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source

CLIENTS = 8
RATE = 10.0  # requests a second
NEAREST = """
SELECT version_id FROM memory_vector WHERE tenant_id = %s AND subject_id = %s AND model = %s
ORDER BY embedding <#> %s::halfvec LIMIT 50
"""

NEAREST_TOLD = """
SELECT w.id FROM ({told}) w JOIN memory_vector v ON v.version_id = w.id
  AND v.tenant_id = %(tenant)s AND v.subject_id = %(subject)s AND v.model = %(model)s
ORDER BY v.embedding <#> %(query)s::halfvec LIMIT 50
"""

type Floors = Mapping[str, Callable[[Crowd, str], None]]
type Rows = dict[str, dict[str, float]]


def measure_recall(*, rows: int, people: int, calls: int, progress: bool) -> Rows:
    """Return the numbers of ``calls`` recalls of one person of ``people`` with ``rows`` memories each."""
    with crowd(rows=rows, people=people, clients=CLIENTS, progress=progress) as (who, *_):

        def ask(_: int, text: str) -> None:
            recall(who.agent, RecallQuery(text=text))

        def path(client: int, text: str) -> tuple[str, str, dict[str, Any]]:
            body = {"user_id": who.user_id, "query": text}
            return who.agent_keys[client], "recall", body

        floors = {"floor": _nearest, "floor in scope": _nearest_told}
        return _measure(who, questions(calls), floors=floors, service=ask, http=path)


def measure_write(*, rows: int, people: int, calls: int, progress: bool) -> Rows:
    """Return the numbers of ``calls`` facts that a person writes beside the ``rows`` they have."""
    with crowd(rows=rows, people=people, clients=CLIENTS, progress=progress) as (who, *_):

        def write(_: int, text: str) -> None:
            source = Source(origin=Origin.PERSON, said_at=timezone.now(), role=Role.USER)
            decide(who.person, Proposal(text=anew(text), source=source))

        def path(client: int, text: str) -> tuple[str, str, dict[str, Any]]:
            return (
                who.person_keys[client],
                "memories",
                {"user_id": who.user_id, "text": anew(text)},
            )

        return _measure(who, passages(calls), floors={"floor": _stored}, service=write, http=path)


def measure_append(*, rows: int, people: int, calls: int, progress: bool) -> Rows:
    """Return the numbers of ``calls`` messages handed over, each client in a session of its own."""
    with crowd(rows=rows, people=people, clients=CLIENTS, progress=progress) as (who, *_):
        open_ = [sessions.open_session(who.agent, session_id=f"bench {n}") for n in range(CLIENTS)]
        ids = [session.id for session, _ in open_]

        def append(client: int, text: str) -> None:
            said = sessions.IncomingMessage(role=Role.USER, content=anew(text))
            sessions.append(who.agent, session_id=ids[client], messages=[said])

        def path(client: int, text: str) -> tuple[str, str, dict[str, Any]]:
            said = {"messages": [{"role": Role.USER, "content": anew(text)}]}
            return who.agent_keys[client], f"sessions/{ids[client]}/messages", said

        found = _measure(who, passages(calls), floors={"floor": _opened}, service=append, http=path)
        unread(who)
        return found


def _measure(
    who: Crowd,
    texts: Sequence[str],
    *,
    floors: Floors,
    service: Call,
    http: Callable[[int, str], tuple[str, str, dict[str, Any]]],
) -> Rows:
    service(0, texts[0])  # models loaded, connections open, caches warm
    for floor in floors.values():
        floor(who, texts[0])
    with counting() as queries:
        service(0, texts[0])
    found: Rows = {
        f"{name}, 1 client": timed(_alone(floor, who), texts, clients=1)
        for name, floor in floors.items()
    }
    found["service, 1 client"] = timed(service, texts, clients=1)
    found["service, 8 clients"] = timed(service, texts, clients=CLIENTS)
    with httpx.Client(base_url=settings.PUBLIC_URL, timeout=60) as web:

        def request(client: int, text: str) -> None:
            key, path, body = http(client, text)
            answer = web.post(
                f"/api/v1/{path}", json=body, headers={"Authorization": f"Bearer {key}"}
            )
            answer.raise_for_status()

        if is_ours(web, who):
            request(0, texts[0])
            found["http, 1 client"] = timed(request, texts, clients=1)
            found["http, 8 clients"] = timed(request, texts, clients=CLIENTS)
            found["http, 10 a second"] = timed(request, texts, clients=CLIENTS, rate=RATE)
    service_ms = found["service, 1 client"]["p50_ms"]
    for name in floors:
        ratio = service_ms / max(found[f"{name}, 1 client"]["p50_ms"], 0.1)
        found[f"service over {name}"] = {"p50": round(ratio, 2), "queries": len(queries.sent)}
    return found


def _alone(floor: Callable[[Crowd, str], None], who: Crowd) -> Call:
    return lambda _, text: floor(who, text)


def anew(text: str) -> str:
    """Return a text nobody has written yet."""
    return f"{text} {uuid.uuid4().hex[:8]}"


def is_ours(web: httpx.Client, who: Crowd) -> bool:
    """Whether a service answers at the public address, and looks into this database."""
    headers = {"Authorization": f"Bearer {who.person_keys[0]}"}
    try:
        answer = web.get(f"/api/v1/memories?user_id={who.user_id}&limit=1", headers=headers)
    except httpx.TransportError:
        return False
    return answer.is_success


def _nearest(who: Crowd, text: str) -> None:
    embedder = get_embedder()
    vector = embedder.query([text])[0]
    with acting(who.agent) as principal, connection.cursor() as cursor:
        cursor.execute(
            NEAREST,
            [principal.tenant_id, principal.subject_id, embedder.id, as_literal(vector)],
        )
        cursor.fetchall()


def _nearest_told(who: Crowd, text: str) -> None:
    embedder = get_embedder()
    vector = embedder.query([text])[0]
    with acting(who.agent) as principal:
        told = prepared("told", _told, principal, "id", now=timezone.now())
        values = {
            "tenant": principal.tenant_id,
            "subject": principal.subject_id,
            "model": embedder.id,
            "query": as_literal(vector),
        }
        hashed(NEAREST_TOLD.format(told=told.sql), {**told.values, **values})


def _told(principal: Principal, now: datetime) -> VersionQuerySet:
    return scope.of(principal, RecallQuery(text=""), now=now)


def unread(who: Crowd) -> None:
    """Have the messages read by nobody: what a worker has begun it ends, before all is cleared."""
    mine = Job.objects.filter(tenant_id=who.agent.tenant_id, subject_id=who.agent.person_id)
    mine.filter(state=JobState.PENDING).delete()
    while mine.filter(state=JobState.RUNNING, leased_until__gt=timezone.now()).exists():
        time.sleep(0.2)
        mine.filter(state=JobState.PENDING).delete()


def _opened(who: Crowd, text: str) -> None:
    """Write one bare row of the person."""
    with acting(who.agent) as principal:
        Session.objects.create(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            agent_id=uuid.uuid4(),
            external_id=anew(text)[-200:],
        )
        transaction.set_rollback(True)


def _stored(who: Crowd, text: str) -> None:
    """Embed the text and write its vector over that of one of the person's wordings."""
    embedder = get_embedder()
    vector = embedder.passage([text])[0]
    with acting(who.person.unlimited()) as principal, connection.cursor() as cursor:
        version = Version.objects.filter(subject_id=principal.person_id).values_list("id")[:1]
        cursor.execute(
            "UPDATE memory_vector SET embedding = %s::halfvec WHERE version_id = %s AND model = %s",
            [as_literal(vector), version.get()[0], embedder.id],
        )
        transaction.set_rollback(True)
