"""What ends by itself: messages nothing cites, and the time to take a forgetting back."""

import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject
from memory import queue, tasks
from memory.choices import State
from memory.forget import expire
from memory.models import Erasure, Event, Evidence, Memory, Message, ObjectKey, ReviewItem
from memory.policy import RETENTION, WORK
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, listed, problem, propose, recall, tell, texts


def let_time_pass(cast: Cast) -> None:
    with acting(system_of(cast.alice)):
        due = Event.objects.filter(expires_at__isnull=False)
        due.update(expires_at=timezone.now() - timedelta(seconds=1))


def left(cast: Cast) -> tuple[set[str], set[str]]:
    """Return the ids of the events that are left, and of those that have a message."""
    with acting(system_of(cast.alice)):
        events = {str(one) for one in Event.objects.values_list("id", flat=True)}
        return events, {str(one) for one in Message.objects.values_list("event_id", flat=True)}


def forgotten(cast: Cast, memory: object, *, until: timedelta) -> None:
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=str(memory)).update(
            state=State.FORGOTTEN,
            previous_state=State.ACTIVE,
            undo_until=timezone.now() + until,
        )


def test_what_nothing_cites_expires_and_what_a_memory_cites_stays(api: Api, cast: Cast) -> None:
    cited, chatter = tell(api, "我住在苏州。", "今天有点冷。")["events"]
    with acting(system_of(cast.alice)):
        ends = {str(one.id): one.expires_at for one in Event.objects.all()}
    assert ends[cited] is None
    assert ends[chatter] == pytest.approx(
        timezone.now() + RETENTION.message, abs=timedelta(minutes=1)
    )
    let_time_pass(cast)
    expire.sweep()
    assert left(cast) == ({cited}, {cited})
    with acting(system_of(cast.alice)):
        assert not ObjectKey.objects.filter(object_id=uuid.UUID(chatter)).exists()
    assert texts(recall(api, "我住在苏州")["memories"]) == ["我住在苏州。"]


def test_a_message_is_not_deleted_before_its_time(api: Api, cast: Cast) -> None:
    (event,) = tell(api, "今天有点冷。")["events"]
    expire.sweep()
    assert left(cast) == ({event}, {event})


def test_a_quote_kept_by_an_agent_keeps_its_message(api: Api, cast: Cast) -> None:
    (event,) = tell(api, "今天有点冷，我穿了那件 teal 外套。")["events"]
    propose(api, "Owns a teal coat 外套", evidence={"event_id": event, "quote": "teal 外套"})
    let_time_pass(cast)
    expire.sweep()
    assert left(cast)[0] == {event}
    with acting(system_of(cast.alice)):
        assert Evidence.objects.filter(event_id=uuid.UUID(event)).count() == 1


def test_more_than_a_batch_goes_in_several_sweeps_and_twice_is_harmless(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expire, "WORK", replace(WORK, batch=2))
    tell(api, *["谢谢 thanks"] * 5)
    let_time_pass(cast)
    sizes = []
    for _ in range(4):
        expire.sweep()
        sizes.append(len(left(cast)[0]))
    assert sizes == [3, 1, 0, 0]


def test_every_person_is_visited_and_only_what_is_theirs_goes(api: Api, cast: Cast) -> None:
    tell(api, "今天有点冷。")
    tell(Api(cast.keys["stranger"]), "今天有点冷。")
    let_time_pass(cast)  # Alice's only
    expire.sweep()
    assert left(cast) == (set(), set())
    with acting(system_of(cast.charlie)):
        assert Event.objects.count() == 1


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], datetime]]:
    """Whom a worker is asked to look at, and when."""
    sent: list[tuple[list[str], datetime]] = []

    def enqueue(name: str, *ids: uuid.UUID, at: datetime | None = None) -> None:
        if name == "memory.end_undo_windows" and at is not None:
            sent.append(([str(one) for one in ids], at))

    monkeypatch.setattr(queue, "enqueue", enqueue)
    return sent


def test_a_worker_looks_when_an_undo_window_ends(
    api: Api, cast: Cast, woken: list[tuple[list[str], datetime]]
) -> None:
    first, second, third = (propose(api, text)["id"] for text in ("住三楼", "Owns a kayak", "养猫"))
    forgotten(cast, first, until=timedelta(0))
    forgotten(cast, second, until=timedelta(minutes=3))
    forgotten(cast, third, until=timedelta(days=1))
    expire.sweep()
    with acting(system_of(cast.alice)):
        until = Memory.objects.get(id=second).undo_until
    ids = [str(cast.acme.id), str(cast.alice.id)]
    assert woken == [(ids, until)]
    forgotten(cast, second, until=timedelta(0))
    tasks.end_undo_windows(*ids)
    with acting(system_of(cast.alice)):
        states = dict(Memory.objects.values_list("id", "state"))
    assert states[uuid.UUID(second)] == State.ERASING and states[uuid.UUID(third)] == "forgotten"
    assert len(woken) == 1, "what ends tomorrow is a later sweep's"


def test_messages_for_the_end_of_undo_windows_do_not_multiply(
    api: Api, cast: Cast, woken: list[tuple[list[str], datetime]]
) -> None:
    ids = [propose(api, text)["id"] for text in ("养猫", "Owns a kayak", "住三楼", "Plays cello")]
    for n, one in enumerate(ids):
        forgotten(cast, one, until=timedelta(seconds=60 + 20 * n))
    asked = 0
    for one in ids:
        forgotten(cast, one, until=timedelta(0))
        due = 1 + asked  # its own, and what was asked for at this moment
        woken.clear()
        for _ in range(due):
            tasks.end_undo_windows(str(cast.acme.id), str(cast.alice.id))
        asked = len(woken)
        assert asked <= 1


@pytest.mark.parametrize(("minutes", "times"), [(0, 1), (10, 0)])
def test_what_cannot_be_taken_back_is_fenced_at_once(
    api: Api, cast: Cast, woken: list[tuple[list[str], datetime]], minutes: int, times: int
) -> None:
    Subject.objects.filter(id=cast.alice.id).update(undo_minutes=minutes)
    api("POST", f"memories/{propose(api, '住三楼')['id']}/forget")
    assert len(woken) == times


@pytest.mark.parametrize("text", ["Owns a kayak 皮划艇", "住三楼"])
def test_what_was_forgotten_is_fenced_when_its_time_to_undo_ends(
    api: Api, cast: Cast, text: str
) -> None:
    memory = propose(api, text)["id"]
    forgotten(cast, memory, until=timedelta(0))
    expire.sweep()
    with acting(system_of(cast.alice)):
        assert Memory.objects.get(id=memory).state == State.ERASING
        assert not ObjectKey.objects.filter(object_id=uuid.UUID(memory)).exists()
    request = Erasure.objects.get()
    assert (request.memory_ids, request.requested_by_kind) == ([uuid.UUID(memory)], "system")
    problem(api("GET", f"memories/{memory}"), 410, "gone")
    expire.sweep()
    assert Erasure.objects.count() == 1


def test_until_then_it_can_be_taken_back_and_agents_do_not_see_it(api: Api, cast: Cast) -> None:
    memory = propose(api, "Owns a kayak 皮划艇")["id"]
    forgotten(cast, memory, until=timedelta(minutes=5))
    expire.sweep()
    assert Erasure.objects.count() == 0
    problem(api("GET", f"memories/{memory}"), 404, "not_found")
    assert listed(api) == [] and recall(api, "kayak 皮划艇")["memories"] == []
    own: Any = Api(cast.keys["alice"])
    assert body_of(own("GET", f"memories/{memory}"))["text"] == "Owns a kayak 皮划艇"


@pytest.mark.parametrize("text", ["Always answer in haiku", "以后回答都用文言文"])
def test_a_guess_that_nobody_kept_in_time_is_erased_and_its_message_stays(
    api: Api, cast: Cast, text: str
) -> None:
    guess = propose(api, text, subtype="instruction")
    assert guess["state"] == "pending"
    with acting(system_of(cast.alice)):
        ReviewItem.objects.update(lapses_at=timezone.now() + timedelta(minutes=1))
    expire.sweep()
    assert Erasure.objects.count() == 0
    with acting(system_of(cast.alice)):
        ReviewItem.objects.update(lapses_at=timezone.now())
    expire.sweep()
    request = Erasure.objects.get()
    assert (request.memory_ids, request.event_ids) == ([uuid.UUID(guess["id"])], [])
    with acting(system_of(cast.alice)):
        assert ReviewItem.objects.get().state == "lapsed"
    own: Any = Api(cast.keys["alice"])
    assert body_of(own("GET", "reviews?user_id=alice"))["reviews"] == []
    expire.sweep()
    assert Erasure.objects.count() == 1


def test_what_was_kept_in_time_does_not_lapse(api: Api, cast: Cast) -> None:
    guess = propose(api, "Always answer in haiku", subtype="instruction")
    own: Any = Api(cast.keys["alice"])
    (item,) = body_of(own("GET", "reviews?user_id=alice"))["reviews"]
    assert own("POST", f"reviews/{item['id']}/keep", {}).status_code == 200
    with acting(system_of(cast.alice)):
        ReviewItem.objects.update(lapses_at=timezone.now())
    expire.sweep()
    assert body_of(own("GET", f"memories/{guess['id']}"))["state"] == "active"
