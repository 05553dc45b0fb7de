"""A mixed load over HTTP, as long as wanted: what it answers, and what it does to the service meanwhile.

Agents recall and hand over messages, a person writes and looks at their pages, at a fixed rate: a request
that waits for a free client waits longer, as callers do. The clients take turns at the people: what
changes one person's memories waits for what changes them too. Beside it stand the memory of the service's
processes, the age of the oldest task that is due, and the dead rows of the tables.
"""

import random
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import psutil
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import Error, connection, connections

from accounts.models import Subject, User
from config import environment
from memory import sessions
from memory.choices import Role
from memory.evaluation.bench.crowd import Crowd, crowd
from memory.evaluation.bench.load import timed
from memory.evaluation.bench.sentences import passages, questions
from memory.evaluation.bench.service import CLIENTS, anew, is_ours, unread
from memory.evaluation.metrics import percentile

# What is asked, and how often among ten requests.
SHARES: Mapping[str, int] = {"recall": 4, "append": 3, "write": 2, "page": 1}
PAGES = ("/", "/memories/")
SAMPLED_S = 5.0
WARM = 0.1  # of the time has gone before growth is counted
AGE = "SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0) FROM memory_job WHERE {open}"
BLOAT = """
SELECT sum(n_dead_tup), sum(n_live_tup), sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables
"""
OPEN = "state IN ('pending', 'running') AND due_at <= now()"
PARTS = {"granian": "web", "worker": "worker", "beat": "beat"}

type Rows = dict[str, dict[str, float]]


@dataclass(slots=True)
class Record:
    """Milliseconds of each request, by kind, and how many failed."""

    spent: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, call: Callable[[], httpx.Response]) -> None:
        """Make a request; every answer that is no success is an error."""
        begun = time.perf_counter()
        try:
            answer = call()
            failed = not answer.is_success
        except httpx.HTTPError:
            failed = True
        took = (time.perf_counter() - begun) * 1000
        with self._turn:  # of many clients at once
            self.spent[kind].append(took)
            self.failed[kind] += failed


def measure_mixed(*, rows: int, people: int, minutes: float, rate: float, progress: bool) -> Rows:
    """Return the numbers of so many minutes at ``rate`` requests a second.

    Each of ``people`` has ``rows`` memories to begin with.

    Raises:
        RuntimeError: if no service answers at the public address for this database.
    """
    with (
        crowd(rows=rows, people=people, clients=CLIENTS, progress=progress) as everybody,
        ExitStack() as signed_in,
        httpx.Client(base_url=settings.PUBLIC_URL, timeout=60) as web,
    ):
        cookies = [signed_in.enter_context(_signed_in(who)) for who in everybody]
        if not is_ours(web, everybody[0]):
            raise RuntimeError(f"Nothing answers at {settings.PUBLIC_URL} for this database.")
        record, drawn = Record(), random.Random(22)  # noqa: S311 - the same mix every time
        kinds = drawn.choices(list(SHARES), list(SHARES.values()), k=round(minutes * 60 * rate))
        asks = _asks(everybody, web, cookies)
        for ask in asks.values():  # models loaded, connections open, caches warm
            for client in range(CLIENTS):
                ask(client)
        with _watched() as seen:
            load = timed(
                lambda client, kind: record.note(kind, lambda: asks[kind](client)),
                kinds,
                clients=CLIENTS,
                rate=rate,
                seconds=minutes * 60 + 1,  # a service that cannot keep the rate keeps nobody longer
            )
        for who in everybody:
            unread(who)
        return _told(record, load, seen, planned=len(kinds))


def _asks(
    everybody: Sequence[Crowd], web: httpx.Client, cookies: Sequence[Mapping[str, str]]
) -> Mapping[str, Callable[[int], httpx.Response]]:
    """Return how one client makes each kind of request, about its own of the people."""
    asked, said = questions(400), passages(400)
    about = [everybody[client % len(everybody)] for client in range(CLIENTS)]
    opened = [
        sessions.open_session(who.agent, session_id=f"bench {client}")[0]
        for client, who in enumerate(about)
    ]

    def post(key: str, path: str, body: Mapping[str, Any]) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"}
        return web.post(f"/api/v1/{path}", json=body, headers=headers)

    def recall(client: int) -> httpx.Response:
        body = {"user_id": about[client].user_id, "query": _one(asked)}
        return post(about[client].agent_keys[client], "recall", body)

    def append(client: int) -> httpx.Response:
        path = f"sessions/{opened[client].id}/messages"
        turn = {"role": Role.USER, "content": anew(_one(said))}
        return post(about[client].agent_keys[client], path, {"messages": [turn]})

    def write(client: int) -> httpx.Response:
        body = {"user_id": about[client].user_id, "text": anew(_one(said))}
        return post(about[client].person_keys[client], "memories", body)

    def page(client: int) -> httpx.Response:
        return web.get(_one(PAGES), headers=cookies[client % len(cookies)])

    return {"recall": recall, "append": append, "write": write, "page": page}


def _one(of: Sequence[str]) -> str:
    return random.choice(of)  # noqa: S311 - no secret


@contextmanager
def _signed_in(who: Crowd) -> Iterator[Mapping[str, str]]:
    """Give the person a login for the time, and yield the header of a browser that is signed in."""
    user = User.objects.create_user(f"bench-{uuid.uuid4().hex[:12]}@example.org", None)
    store = SessionStore()
    try:
        Subject.objects.filter(id=who.person.person_id).update(login=user)
        store[SESSION_KEY] = str(user.pk)
        store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        store[HASH_SESSION_KEY] = user.get_session_auth_hash()
        store.create()
        yield {"Cookie": f"{settings.SESSION_COOKIE_NAME}={store.session_key}"}
    finally:
        store.delete()
        user.delete()


@dataclass(slots=True)
class Seen:
    """What was seen meanwhile, the first sample first: megabytes by part, ages in seconds, rows.

    ``lost`` samples could not be taken, while the database did not answer.
    """

    memory: list[Mapping[str, float]] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)
    tables: list[tuple[float, float, float]] = field(default_factory=list)
    lost: int = 0

    def look(self) -> None:
        """Take a sample, or count that it could not be taken."""
        try:
            memory, age, tables = _megabytes(), _oldest(), _tables()
        except Error:
            self.lost += 1
            connections.close_all()
            return
        self.memory.append(memory)
        self.ages.append(age)
        self.tables.append(tables)


@contextmanager
def _watched() -> Iterator[Seen]:
    """Sample the service until the end of the block."""
    seen, over = Seen(), threading.Event()
    seen.look()

    def watch() -> None:
        try:
            while not over.wait(SAMPLED_S):
                seen.look()
        finally:
            connections.close_all()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()
    seen.look()


def _megabytes() -> Mapping[str, float]:
    """Return the resident memory of the service's parts; nothing where it was not started here."""
    found: dict[str, float] = defaultdict(float)
    supervisor = environment.run_file().get("pids", {}).get("supervisor")
    try:
        children = psutil.Process(supervisor).children(recursive=True) if supervisor else []
    except psutil.NoSuchProcess:
        return {}
    for child in children:
        try:
            words = child.cmdline()
            part = next((name for word, name in PARTS.items() if word in words), None)
            if part:
                found[part] += child.memory_info().rss / 2**20
        except psutil.NoSuchProcess:
            continue
    return found


def _oldest() -> float:
    with connection.cursor() as cursor:
        cursor.execute(AGE.format(open=OPEN))
        return float(cursor.fetchone()[0])


def _tables() -> tuple[float, float, float]:
    with connection.cursor() as cursor:
        cursor.execute(BLOAT)
        dead, live, size = cursor.fetchone()
    return float(dead or 0), float(live or 0), float(size or 0) / 2**20


def _told(record: Record, load: Mapping[str, float], seen: Seen, *, planned: int) -> Rows:
    calls, failed = sum(map(len, record.spent.values())), sum(record.failed.values())
    found: Rows = {
        kind: {
            "p50_ms": round(percentile(spent, 0.5), 1),
            "p95_ms": round(percentile(spent, 0.95), 1),
            "calls": len(spent),
            "errors": record.failed[kind],
        }
        for kind, spent in sorted(record.spent.items())
    }
    found["all"] = {
        **load,
        "planned": planned,
        "calls": calls,
        "missed": planned - calls,  # not begun in time: the service did not keep the rate
        "error_rate": round(failed / max(calls, 1), 5),
    }
    first = seen.memory[int(len(seen.memory) * WARM)]
    for part, begun in sorted(first.items()):
        ended = seen.memory[-1].get(part, 0.0)
        found[f"memory of {part}"] = {
            "begin_mb": round(begun, 1),
            "end_mb": round(ended, 1),
            "growth": round(ended / begun - 1, 3),
        }
    found["tasks"] = {
        "oldest_s": round(max(seen.ages), 1),
        "samples": len(seen.ages),
        "samples_lost": seen.lost,
    }
    (_, _, before), (dead, live, after) = seen.tables[0], seen.tables[-1]
    found["tables"] = {
        "dead_rows": dead,
        "dead_share": round(dead / max(dead + live, 1), 3),
        "grown_mb": round(after - before, 1),
    }
    return found
