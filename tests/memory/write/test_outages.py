"""What writing survives: two writers at once, no broker, no embedder."""

import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from celery import current_app
from django.db import connections
from django.utils import timezone

from accounts.acting import acting
from memory import jobs, tasks
from memory.choices import IndexState, JobKind, JobState
from memory.errors import EmbedderUnavailable
from memory.forget import drive
from memory.models import Erasure, Job, Memory, Vector, Version
from memory.providers.embedding import Vectors
from tests.cast import Api, Cast, system_of
from tests.hash_embedder import HashEmbedder
from tests.memory.wire import body_of, day, listed, open_session, propose, recall, tell, texts

# --- two writers ---------------------------------------------------------------------------------


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls in threads that start together; return what each returned or raised."""
    barrier, results = threading.Barrier(len(calls)), [None] * len(calls)

    def run(position: int, call: Callable[[], Any]) -> None:
        try:
            barrier.wait(10)
            results[position] = call()
        except Exception as error:  # noqa: BLE001 - shown by the assertion
            results[position] = error  # type: ignore[call-overload]
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


@pytest.mark.django_db(transaction=True)
def test_writers_of_one_fact_leave_one_memory(api: Api, cast: Cast) -> None:
    def write(text: str, number: int, **fields: Any) -> Callable[[], Any]:
        return lambda: propose(Api(cast.keys["assistant"]), text, **fields)["outcome"]

    exact = at_once(*[write("Rows a boat 划船", number) for number in range(4)])
    assert sorted(exact) == ["accepted", "reinforced", "reinforced", "reinforced"]
    home = {"attribute": "home.city"}
    moves = at_once(
        *[
            write(f"Lives in 城{at}", at, value=f"城{at}", valid_from=day(at), **home)
            for at in range(4)
        ]
    )
    assert set(moves) <= {"accepted", "superseded"}  # what is older than the winner is the past
    with acting(system_of(cast.alice)):
        (current,) = Memory.objects.filter(attribute="home.city", single=True, state="active")
        assert Version.objects.current().filter(memory=current).count() == 1
    homes = listed(api, attribute="home.city")
    assert texts([one for one in homes if one["valid_to"] is None]) == ["Lives in 城3"]


@pytest.mark.django_db(transaction=True)
def test_two_writers_of_one_fact_fifty_times_each_leave_one_memory(api: Api, cast: Cast) -> None:
    """One is an agent, one the person; one says it in the third person, one in the first."""

    def writer(key: str, text: str) -> Callable[[], Any]:
        own = Api(cast.keys[key])
        return lambda: [propose(own, text)["outcome"] for _ in range(50)]

    outcomes = at_once(
        writer("assistant", "The user collects 邮票 and old maps."),
        writer("alice", "I collect 邮票 and old maps."),
    )
    said = Counter(outcome for one in outcomes for outcome in one)
    assert said == {"accepted": 1, "reinforced": 99}
    with acting(system_of(cast.alice)):
        assert Memory.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_corrections_of_one_version_leave_one(api: Api, cast: Cast) -> None:
    memory = propose(api, "Plays the cello 大提琴")["id"]

    def correct(text: str) -> Callable[[], int]:
        key = cast.keys["assistant"]
        path, headers = f"memories/{memory}", {"If_Match": '"1"'}
        return lambda: Api(key)("PATCH", path, {"text": text}, **headers).status_code

    found = at_once(correct("Plays the viola 中提琴"), correct("Plays the oboe 双簧管"))
    assert sorted(found) == [200, 412]
    assert listed(api)[0]["version"] == 2


# --- no broker -----------------------------------------------------------------------------------


@pytest.fixture
def broker_down() -> Iterator[None]:
    """Point Celery at a port where nobody listens."""
    app: Any = current_app
    before, app.conf.broker_url = app.conf.broker_url, "redis://127.0.0.1:1/0"
    app._after_fork()  # let go of the open connections
    yield
    app.conf.broker_url = before
    app._after_fork()


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_messages_are_taken_and_the_sweeper_reads_them(
    api: Api, broker_down: None
) -> None:
    session = open_session(api)
    begun = time.monotonic()
    said = {"messages": [{"role": "user", "content": "我住在苏州。"}]}
    body = body_of(api("POST", f"sessions/{session}/messages", said), 202)
    assert time.monotonic() - begun < 5
    job = Job.objects.get(id=body["job"]["id"])
    assert job.state == JobState.PENDING and listed(api) == []
    tasks.sweep_jobs()
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED
    assert texts(listed(api)) == ["我住在苏州。"]


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_an_erasure_is_fenced_and_the_sweeper_ends_it(
    api: Api, broker_down: None
) -> None:
    memory = propose(api, "Plays the cello 大提琴")["id"]
    receipt = body_of(api("DELETE", f"memories/{memory}"))
    assert recall(api, "cello 大提琴")["status"] == "nothing_relevant"
    drive.sweep()
    assert Erasure.objects.get(id=receipt["id"]).erased_at is not None


# --- no embedder ---------------------------------------------------------------------------------


class Embedding:
    """The embedder, as long as ``works`` is set."""

    works = False


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> Embedding:
    """An embedder that is down until the test says otherwise."""
    state, real = Embedding(), HashEmbedder.passage

    def passage(self: HashEmbedder, given: Sequence[str]) -> Vectors:
        if not state.works:
            raise EmbedderUnavailable
        return real(self, given)

    monkeypatch.setattr(HashEmbedder, "passage", passage)
    return state


def row(cast: Cast, memory: object) -> tuple[str, int]:
    """Return a memory's index state and how many vectors it has."""
    with acting(system_of(cast.alice)):
        found = Memory.objects.get(id=uuid.UUID(str(memory)))
        return found.index_state, Vector.objects.filter(memory=found).count()


def fill(api: Api) -> None:
    for number in range(12):
        propose(api, f"Read book number {number} 读书")


def test_without_an_embedder_a_memory_is_kept_found_by_words_and_indexed_later(
    api: Api, cast: Cast, embedder: Embedding
) -> None:
    fill(api)
    memory = propose(api, "Invoice 发票 INV-2024-0017 was paid")["id"]
    assert row(cast, memory) == (IndexState.PENDING, 0)
    answer = recall(api, "INV-2024-0017 付了吗")
    assert (answer["status"], answer["degraded"]) == ("degraded", ["meaning"])
    assert texts(answer["memories"]) == ["Invoice 发票 INV-2024-0017 was paid"]
    assert answer["memories"][0]["why"] == ["words"]

    job = Job.objects.filter(kind=JobKind.EMBED, target_id=memory).get()
    jobs.run_job(job.id)  # still down: the job goes back with a delay
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.PENDING, "EmbedderUnavailable")
    assert job.due_at > timezone.now()

    embedder.works = True
    Job.objects.filter(kind=JobKind.EMBED).update(due_at=timezone.now())
    tasks.sweep_jobs()
    assert row(cast, memory) == (IndexState.READY, 1)
    answer = recall(api, "发票 INV-2024-0017")
    assert (answer["status"], answer["degraded"]) == ("found", [])
    assert "meaning" in answer["memories"][0]["why"]


def test_without_an_embedder_an_exact_id_is_found_among_few_memories(
    api: Api, embedder: Embedding
) -> None:
    for text in ("Invoice 发票 INV-2024-0017 was paid", "Rows a boat 划船", "Plays 大提琴"):
        propose(api, text)
    assert texts(recall(api, "INV-2024-0017")["memories"]) == [
        "Invoice 发票 INV-2024-0017 was paid"
    ]


def test_without_an_embedder_nothing_found_is_still_degraded(api: Api, embedder: Embedding) -> None:
    assert recall(api, "anything 什么")["status"] == "degraded"


def test_without_an_embedder_the_profile_still_comes(api: Api, embedder: Embedding) -> None:
    tell(api, "我对花生过敏。")
    assert texts(recall(api, "推荐早餐")["profile"]) == ["我对花生过敏。"]


def test_without_an_embedder_equal_words_are_still_one_memory(
    api: Api, embedder: Embedding
) -> None:
    assert propose(api, "Rows a boat 划船")["outcome"] == "accepted"
    assert propose(api, "rows a boat, 划船。")["outcome"] == "reinforced"


def test_a_correction_without_an_embedder_is_indexed_later(
    api: Api, cast: Cast, embedder: Embedding
) -> None:
    embedder.works = True
    memory = propose(api, "Plays the cello 大提琴")["id"]
    embedder.works = False

    body_of(api("PATCH", f"memories/{memory}", {"text": "Plays the viola 中提琴"}, If_Match='"1"'))
    assert row(cast, memory)[0] == IndexState.PENDING
    embedder.works = True
    tasks.sweep_jobs()
    assert row(cast, memory) == (IndexState.READY, 2)
    assert texts(recall(api, "viola 中提琴")["memories"]) == ["Plays the viola 中提琴"]
