"""An erasure among everything else that is under way: no read that begins after its answer finds it.

Each race is one person of their own with one word that stands nowhere else. Threads start together
against PostgreSQL: one erases, the others do what could bring the word back.
"""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from django.db import connections

from accounts.acting import acting
from accounts.models import Subject
from memory.aggregation.consolidate import consolidate
from memory.backup.traces import left_behind
from memory.forget import drive
from memory.jobs import run_job
from memory.models import Erasure, Evidence, Job
from tests.cast import Api, Cast, make_grant, person_key, system_of
from tests.memory.wire import body_of, day, open_session, tell

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(3600)]

SAYINGS = ("I love {} soup.", "我喜欢{}。", "I love {} tea.", "我喜欢喝{}茶。")
EVERY_WAY = ("memory", "session", "wording")
# What is merged was never said in the session; what is said again is a memory of its own beside
# another wording.
WAYS = {"merge": ("memory",), "again": ("memory", "session")}


@dataclass(slots=True)
class Race:
    """One person, one word, and what was read of it too late."""

    cast: Cast
    user: str
    word: str
    said: str
    key: str
    subject: Subject
    memory: str = ""
    session: str = ""
    answered: float = float("inf")
    late: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @property
    def person(self) -> Api:
        """A client of one's own: threads share none."""
        return Api(self.key)

    @property
    def agent(self) -> Api:
        return Api(self.cast.keys["assistant"])

    def read(self, name: str, call: Callable[[], Any]) -> None:
        """Read once; what began after the erasure's answer must not hold the word, nor be a fault."""
        begun = time.monotonic()
        answer = call()
        if answer.status_code >= 500:
            self.broken.append(f"{name}: {answer.status_code}")
        elif begun > self.answered and self.word in self._shown(answer):
            self.late.append(name)

    def _shown(self, answer: Any) -> str:
        """What an answer shows; of an export, not what was said in a session that stays."""
        text: str = answer.content.decode()
        if '"messages":' not in text:
            return text
        document = json.loads(text)
        document["messages"] = [
            one for one in document["messages"] if one.get("session_id") == self.session
        ]
        return json.dumps(document, ensure_ascii=False)


def enter(cast: Cast, seed: random.Random) -> Race:
    """A person of whom one thing is known, said in a session."""
    word = "zor" + "".join(seed.choice("bdfgklmnprtvz") + seed.choice("aeiou") for _ in range(4))
    user = f"racer {uuid.uuid4()}"
    subject = Subject.objects.create(tenant=cast.acme, external_id=user)
    make_grant(cast.agents["assistant"], subject)
    said, key = seed.choice(SAYINGS).format(word), person_key(subject)
    race = Race(cast=cast, user=user, word=word, said=said, key=key, subject=subject)
    race.session = open_session(race.agent, "first", user_id=user)
    told = tell(race.agent, message(race.said), session=race.session)
    race.memory = told["decisions"][0]["id"]
    return race


def message(text: str) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(0)}


# --- erasing -------------------------------------------------------------------------------------


def change(race: Race) -> None:
    """Let the memory say something else, so that the word is in a wording it had."""
    changed = {"text": "I love jasmine tea 茉莉花茶"}
    body_of(race.person("PATCH", f"memories/{race.memory}", changed, If_Match='"1"'))


def erase(race: Race, way: str, pause: float) -> None:
    """Erase it after a moment, and note when that was answered with a 2xx."""
    named: dict[str, object] = {"memory_ids": [race.memory]}
    what: dict[str, dict[str, object]] = {
        "memory": named,
        "wording": named | {"version": 1},
        "session": {"session": race.session},
    }
    time.sleep(pause)
    answer = race.person("POST", "erasures", {"user_id": race.user} | what[way])
    race.answered = time.monotonic()
    assert answer.status_code == 201, answer.content


# --- what else is under way ----------------------------------------------------------------------


def readers(race: Race) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every way by which a memory, a quote or a message comes out."""
    asked = {"user_id": race.user, "query": race.said}
    for name, api in (("agent", race.agent), ("person", race.person)):
        yield f"recall by {name}", partial(api, "POST", "recall", asked)
    memory, person = f"memories/{race.memory}", race.person
    for path in (
        f"memories?user_id={race.user}",
        memory,
        f"{memory}/versions",
        f"{memory}/evidence",
    ):
        yield path, partial(person, "GET", path)
    for path in (f"sessions/{race.session}/messages", f"sessions/{race.session}/context"):
        yield path, partial(race.agent, "GET", path)
    yield "export", partial(person, "GET", f"users/{race.subject.id}/export")


def reading(race: Race) -> Callable[[], Any]:
    """Everything is read until once after the answer."""

    def call() -> None:
        over = False
        while not over:
            over = race.answered != float("inf")
            for name, read in readers(race):
                race.read(name, read)

    return call


def merging(race: Race) -> Callable[[], Any]:
    """A merge with another memory is proposed and kept."""
    race.word = race.word[::-1]  # the first one stays in the session
    race.said, common = f"我的猫叫{race.word}", {"user_id": race.user, "attribute": "pets"}
    for text in ("我养了一只猫", race.said):
        race.memory = race.person("POST", "memories", common | {"text": text}).json()["id"]

    def call() -> None:
        for _ in range(2):
            consolidate(system_of(race.subject))
            for one in race.person("GET", f"reviews?user_id={race.user}").json()["reviews"]:
                race.person("POST", f"reviews/{one['id']}/keep")

    return call


def exporting(race: Race) -> Callable[[], Any]:
    def call() -> None:
        for _ in range(6):
            race.read("export", partial(race.person, "GET", f"users/{race.subject.id}/export"))

    return call


def saying_again(race: Race) -> Callable[[], Any]:
    """The very message is handed over again, elsewhere, and read for memories."""
    session = open_session(race.agent, "second", user_id=race.user)
    path = f"sessions/{session}/messages?wait=true"
    return partial(race.agent, "POST", path, {"messages": [message(race.said)]})


def importing(race: Race) -> Callable[[], Any]:
    """The person's own export waits, and is let in at the same moment."""
    mine = f"users/{race.subject.id}"
    document = race.person("GET", f"{mine}/export").content.decode()
    made = body_of(race.person("POST", f"{mine}/imports", {"text": document}), 201)
    path = f"{mine}/imports/{made['id']}/take?wait=true"
    return partial(race.person, "POST", path, {"groups": ["new", "changed"]})


def laying_out(race: Race) -> Callable[[], Any]:
    """The session is summarised for a context, again and again."""
    pairs = [
        one
        for number in range(6)
        for one in (message(f"{number} 件事？"), {"role": "assistant", "content": "嗯 ok " * 40})
    ]
    tell(race.agent, *pairs, session=race.session)

    def call() -> None:
        for budget in (300, 400, 300, 400):
            path = f"sessions/{race.session}/context?budget={budget}"
            race.read("context", partial(race.agent, "GET", path))

    return call


RIVALS: dict[str, Callable[[Race], Callable[[], Any]]] = {
    "recall": reading,
    "merge": merging,
    "export": exporting,
    "again": saying_again,
    "import": importing,
    "context": laying_out,
}


def at_once(*calls: Callable[[], Any]) -> list[Exception]:
    """Run the calls in threads that start together; return what they raised."""
    barrier, faults = threading.Barrier(len(calls)), []

    def run(call: Callable[[], Any]) -> None:
        try:
            barrier.wait(20)
            call()
        except Exception as error:  # noqa: BLE001 - shown by the assertion
            faults.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return faults


# --- the races -----------------------------------------------------------------------------------


def hold(cast: Cast, number: int, seed: random.Random) -> list[str]:
    """Hold one race; return what was wrong with it."""
    rival = list(RIVALS)[number % len(RIVALS)]
    way = seed.choice(WAYS.get(rival, EVERY_WAY))
    race = enter(cast, seed)
    if way == "wording":
        change(race)
    others = [prepare(race) for prepare in {RIVALS[rival]: 1, reading: 2}]
    faults = at_once(partial(erase, race, way, seed.random() * 0.03), *others)
    settle(race)
    for name, read in readers(race):
        race.read(f"{name} afterwards", read)
    late = [] if way == "session" and stays(race) else race.late
    return [f"{number} {rival} {way}: {one!r}" for one in (*faults, *race.broken, *late)]


def stays(race: Race) -> bool:
    """Whether it was said elsewhere in time: then the memory rests on that, and outlives the session."""
    with acting(system_of(race.subject)):
        return Evidence.objects.filter(memory_id=race.memory).exists()


def settle(race: Race) -> None:
    """Do all the work that is left."""
    mine = {"subject_id": race.subject.id}
    for job_id in list(Job.objects.filter(**mine).values_list("id", flat=True)):
        run_job(job_id, at_once=True)
    for erasure_id in list(Erasure.objects.filter(**mine).values_list("id", flat=True)):
        drive.run(erasure_id)


def races(cast: Cast, *, seed: int, count: int) -> None:
    drawn = random.Random(seed)
    wrong = [one for number in range(count) for one in hold(cast, number, drawn)]
    assert not wrong, "\n".join(wrong)
    assert left_behind() == []
    assert Erasure.objects.count() >= count


def test_nothing_is_read_after_the_answer(cast: Cast) -> None:
    races(cast, seed=8, count=6)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_read_after_a_thousand_answers(cast: Cast, seed: int) -> None:
    races(cast, seed=seed, count=50)
