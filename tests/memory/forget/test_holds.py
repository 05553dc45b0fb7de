"""A legal hold: what is erased is out of reach at once, and destroyed when the hold ends, not before."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import ActorKind, HoldReason
from accounts.models import AuditEvent, Subject
from accounts.principal import Principal
from accounts.subjects import person
from memory.backup.rebuild import drop_keyless, verify
from memory.choices import State
from memory.errors import Forbidden, StaleState
from memory.forget import decay, drive, expire, holds
from memory.identity import move
from memory.models import (
    Erasure,
    Event,
    Evidence,
    LedgerEntry,
    Memory,
    ObjectKey,
    SubjectKey,
    Version,
)
from memory.operations import standing
from tests.cast import Api, Cast, make_memory, system_of
from tests.cast import operator as operator_of
from tests.memory.wire import body_of, listed, open_session, problem, recall, tell

SAID = ["我住在苏州。", "I like green tea."]


@pytest.fixture
def operator(cast: Cast) -> Principal:
    return operator_of(cast.acme).using(kind=ActorKind.OPERATOR)


@pytest.fixture
def held(cast: Cast, operator: Principal) -> None:
    assert holds.place(operator, cast.alice.id, reason=HoldReason.LEGAL_CLAIM)


def keys(cast: Cast) -> tuple[int, int]:
    """Return how many keys open something, and how many are set aside."""
    with acting(system_of(cast.alice)):
        opening = ObjectKey.objects.count()
        return opening, ObjectKey.every.count() - opening


def let_go(cast: Cast, operator: Principal) -> Erasure:
    """End the hold and let the sweeper see the one erasure through."""
    assert holds.end(operator, cast.alice.id)
    drive.sweep()
    erasure = Erasure.objects.get()
    assert (erasure.state, erasure.hold_reason) == ("awaiting_backup_expiry", "")
    assert erasure.backups_until and erasure.backups_until > timezone.now() + timedelta(days=29)
    assert keys(cast)[1] == 0
    return erasure


@pytest.mark.parametrize("said", SAID)
@pytest.mark.usefixtures("held")
def test_an_erasure_waits_out_of_reach_and_goes_on_when_the_hold_ends(
    api: Api, cast: Cast, operator: Principal, said: str
) -> None:
    tell(api, said)
    (memory,) = listed(api)
    before = keys(cast)[0]
    assert api("DELETE", f"memories/{memory['id']}").status_code in (200, 202)
    erasure = Erasure.objects.get()
    assert (erasure.state, erasure.hold_reason) == ("on_hold", "legal_claim")
    problem(api("GET", f"memories/{memory['id']}"), 410, "gone")
    assert recall(api, said)["memories"] == [] and listed(Api(cast.keys["alice"])) == []
    assert keys(cast) == (before - 2, 2)  # the memory's and the message's
    assert LedgerEntry.objects.filter(erasure_id=erasure.id).exists()
    drive.sweep()
    drive.run(erasure.id)
    expire.sweep()
    with acting(system_of(cast.alice)):
        assert Version.objects.count() == 1 and Event.objects.count() == 1
    assert Erasure.objects.get().state == "on_hold"
    let_go(cast, operator)
    with acting(system_of(cast.alice)):
        assert not Version.objects.exists() and not Event.objects.exists()
    drive.sweep()
    assert Erasure.objects.get().state == "awaiting_backup_expiry"


@pytest.mark.usefixtures("held")
def test_a_conversation_on_hold_is_listed_nowhere(
    api: Api, cast: Cast, operator: Principal
) -> None:
    session = open_session(api)
    tell(api, *SAID, session=session)
    owner = Api(cast.keys["alice"])
    body_of(owner("POST", "erasures", {"user_id": "alice", "session": session}), 201)
    problem(owner("GET", f"sessions/{session}/messages"), 410, "gone")
    assert body_of(owner("GET", "sessions?user_id=alice"))["sessions"] == []
    assert listed(owner) == [] and keys(cast)[1] >= 4
    with acting(system_of(cast.alice)):
        assert Event.objects.count() == 2
    let_go(cast, operator)
    with acting(system_of(cast.alice)):
        assert not Event.objects.exists()


@pytest.mark.usefixtures("held")
def test_a_whole_person_waits_too_and_a_new_one_takes_the_id(
    api: Api, cast: Cast, operator: Principal
) -> None:
    tell(api, *SAID)
    owner = Api(cast.keys["alice"])
    everything = {"user_id": "alice", "everything": True, "confirm": "alice"}
    body_of(owner("POST", "erasures", everything), 201)
    assert owner("GET", "memories?user_id=alice").status_code == 401
    opening, aside = keys(cast)
    assert opening == 0 and aside >= 4
    with acting(system_of(cast.alice)):
        assert SubjectKey.objects.count() == 1 and Version.objects.count() == 2
    let_go(cast, operator)
    with acting(system_of(cast.alice)):
        assert not SubjectKey.objects.exists() and not Version.objects.exists()


@pytest.mark.usefixtures("held")
def test_nothing_ends_by_itself_meanwhile(api: Api, cast: Cast, operator: Principal) -> None:
    tell(api, "今天有点冷。")
    memory = make_memory(cast.alice, state=State.ARCHIVED)
    past = timezone.now() - timedelta(days=1)
    with acting(system_of(cast.alice)):
        Event.objects.update(expires_at=past)
        Memory.objects.filter(id=memory.id).update(erase_at=past)
    expire.sweep()
    decay.decay(system_of(cast.alice), report=lambda _: None)
    with acting(system_of(cast.alice)):
        assert Event.objects.count() == 1
        assert Memory.objects.get(id=memory.id).state == State.ARCHIVED
    assert holds.end(operator, cast.alice.id)
    expire.sweep()
    decay.decay(system_of(cast.alice), report=lambda _: None)
    with acting(system_of(cast.alice)):
        assert not Event.objects.exists()
        assert Memory.objects.get(id=memory.id).state == State.ERASING


@pytest.mark.usefixtures("held")
def test_what_was_forgotten_goes_out_of_reach_when_its_time_is_over(api: Api, cast: Cast) -> None:
    tell(api, SAID[0])
    (memory,) = listed(api)
    assert api("POST", f"memories/{memory['id']}/forget").status_code == 200
    with acting(system_of(cast.alice)):
        Memory.objects.update(undo_until=timezone.now() - timedelta(seconds=1))
    expire.sweep()
    assert Erasure.objects.get().state == "on_hold"
    with acting(system_of(cast.alice)):
        assert Version.objects.exists() and Evidence.objects.exists()


@pytest.mark.usefixtures("held")
def test_a_restore_leaves_what_is_on_hold_as_it_is(api: Api, cast: Cast) -> None:
    tell(api, SAID[0])
    (memory,) = listed(api)
    api("DELETE", f"memories/{memory['id']}")
    assert drop_keyless() == 0
    verify()
    with acting(system_of(cast.alice)):
        assert Version.objects.exists() and Event.objects.exists()


@pytest.mark.usefixtures("held")
def test_nobody_is_merged_while_one_of_the_two_is_on_hold(api: Api, cast: Cast) -> None:
    cast.acme.grants_on_first_use = True
    cast.acme.save()
    met = body_of(api("POST", "users", {"user_id": "phone", "anonymous": True}), 201)
    merge = body_of(api("POST", f"users/{met['id']}/merge", {"user_id": "alice"}), 201)
    with pytest.raises(StaleState):
        move.agree(person(cast.alice), uuid.UUID(merge["id"]))
    assert Subject.objects.get(id=met["id"]).merged_into_id is None


def test_only_an_operator_of_the_tenant_places_and_ends_it(cast: Cast, operator: Principal) -> None:
    stranger = operator_of(cast.globex).using(kind=ActorKind.OPERATOR)
    assert not holds.place(stranger, cast.alice.id, reason=HoldReason.LEGAL_CLAIM)
    with pytest.raises(Forbidden):
        holds.place(system_of(cast.alice), cast.alice.id, reason=HoldReason.LEGAL_CLAIM)
    assert holds.place(operator, cast.alice.id, reason=HoldReason.OFFICIAL_ORDER)
    assert not holds.place(operator, cast.alice.id, reason=HoldReason.LEGAL_CLAIM)
    assert not holds.end(stranger, cast.alice.id) and holds.end(operator, cast.alice.id)
    lines = AuditEvent.objects.filter(subject_id=cast.alice.id, code__startswith="hold.")
    found = [(line.code, line.reason, line.actor_kind) for line in lines.order_by("id")]
    assert found == [
        ("hold.placed", "official_order", "operator"),
        ("hold.ended", "", "operator"),
    ]


@pytest.mark.usefixtures("held")
def test_a_hold_makes_nobody_look_however_long_it_lasts(
    api: Api, cast: Cast, operator: Principal
) -> None:
    """Doctor and the alerts said for the whole hold that an erasure was late."""
    tell(api, "我住在苏州。 I live in Suzhou.")
    for memory in listed(api):
        assert api("DELETE", f"memories/{memory['id']}").status_code in (200, 202)
    year = timezone.now() - timedelta(days=365)
    Erasure.objects.update(requested_at=year, fenced_at=year)
    assert standing.oldest_erasure() is None
    assert holds.end(operator, cast.alice.id)
    holds.let_go()
    since = standing.oldest_erasure()
    assert since is not None and since < timedelta(minutes=1)
