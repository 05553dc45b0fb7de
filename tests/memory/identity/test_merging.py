"""An anonymous subject becomes part of a person: asked by an agent, agreed to by the person alone."""

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from accounts.acting import SubjectMoved, acting
from accounts.models import AuditEvent, Grant, Subject
from accounts.principal import Principal
from memory import access
from memory.choices import State
from memory.errors import Forbidden, NotFound, StaleState
from memory.forget import drive
from memory.identity.move import Moved, agree, question, refuse, unlink
from memory.identity.stores import DROPPED, HANDED_OVER, MOVED, STAYS
from memory.models import (
    Conflict,
    Interest,
    Memory,
    ObjectKey,
    ReviewItem,
    Session,
    SubjectKey,
    Term,
    Vector,
)
from tests.architecture.test_stores import PERSONAL, label
from tests.cast import Api, Cast, make_grant, principal_of, system_of
from tests.memory.wire import (
    body_of,
    day,
    listed,
    open_session,
    problem,
    propose,
    recall,
    tell,
    texts,
)

DEVICE = "device-7 设备"


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


@pytest.fixture
def device(api: Api, cast: Cast) -> Subject:
    """Somebody whom Alice's assistant met without a name, and may work for."""
    cast.acme.grants_on_first_use = True
    cast.acme.save()
    body_of(api("POST", "users", {"user_id": DEVICE, "anonymous": True}), 201)
    subject = Subject.objects.get(external_id=DEVICE)
    body_of(api("GET", f"memories?user_id={DEVICE}"))  # its grant is made
    cast.acme.grants_on_first_use = False
    cast.acme.save()
    return subject


def met(api: Api, *words: str, name: str = "met") -> dict[str, Any]:
    session = open_session(api, name, user_id=DEVICE)
    return tell(api, *(said(text, n) for n, text in enumerate(words)), session=session)


@pytest.fixture
def alice(cast: Cast) -> Principal:
    return principal_of(cast.keys["alice"], "alice")


def ask(api: Api, device: Subject) -> uuid.UUID:
    answer = api("POST", f"users/{device.id}/merge", {"user_id": "alice"})
    assert answer.status_code in (200, 201), answer.content
    return uuid.UUID(answer.json()["id"])


def joined(api: Api, alice: Principal, device: Subject) -> Moved:
    return agree(alice, ask(api, device))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("我住在苏州。", "我住在苏州吗？"),
        ("I live in Suzhou.", "Do I live in Suzhou?"),
    ],
)
def test_what_was_met_on_the_device_is_the_persons(
    api: Api, alice: Principal, cast: Cast, device: Subject, text: str, asked: str
) -> None:
    told = met(api, text)
    memory, event = told["decisions"][0]["id"], told["events"][0]
    with acting(system_of(device)):
        vectors = list(Vector.objects.values_list("id", flat=True))
    moved = joined(api, alice, device)
    assert (moved.memories, moved.sessions, moved.joined, moved.asked) == (1, 1, 0, 0)
    for user in ("alice", DEVICE):
        assert [one["id"] for one in listed(api, user_id=user)] == [memory]
        answer = recall(api, asked, user_id=user)
        assert text in texts(answer["memories"] + answer["profile"])
    assert body_of(api("GET", f"events/{event}"))["content"] == text
    quotes = body_of(api("GET", f"memories/{memory}/evidence"))["evidence"]
    assert quotes[0]["quote"] in text
    person = Api(cast.keys["alice"])
    assert len(body_of(person("GET", "sessions?user_id=alice"))["sessions"]) == 1
    with acting(system_of(cast.alice)):
        assert Term.objects.filter(memory_id=memory).exists()
        assert list(Vector.objects.values_list("id", flat=True)) == vectors


def test_nothing_and_no_key_is_left_of_the_device(
    api: Api, alice: Principal, cast: Cast, device: Subject
) -> None:
    told = met(api, "我住在苏州。", "I like bouldering.")
    joined(api, alice, device)
    with acting(system_of(device)):
        left: tuple[type[models.Model], ...] = (*MOVED, *DROPPED, Grant)
        for model in left:
            assert not model._default_manager.filter(subject_id=device.id).exists(), model
        assert not SubjectKey.objects.filter(subject_id=device.id).exists()
    memory = told["decisions"][0]["id"]
    receipt = body_of(api("DELETE", f"memories/{memory}"))
    drive.run(uuid.UUID(receipt["id"]))
    for subject in (device, cast.alice):
        with acting(system_of(subject)):
            assert not ObjectKey.objects.filter(object_id=memory).exists()
            assert not Term.objects.filter(memory_id=memory).exists()


def test_the_same_words_are_one_memory_with_both_quotes(
    api: Api, alice: Principal, device: Subject
) -> None:
    own = tell(api, said("我住在苏州。", 0))["decisions"][0]["id"]
    other = met(api, "我住在苏州。")
    moved = joined(api, alice, device)
    assert (moved.joined, moved.memories) == (1, 0)
    assert [one["id"] for one in listed(api)] == [own]
    quotes = body_of(api("GET", f"memories/{own}/evidence"))["evidence"]
    assert len(quotes) == 2 and other["events"][0] in [one["event_id"] for one in quotes]


def test_another_value_of_one_slot_waits_for_the_person(
    api: Api, alice: Principal, cast: Cast, device: Subject
) -> None:
    tell(api, said("我住在杭州。", 0))
    there = met(api, "I live in Suzhou.")["decisions"][0]["id"]
    moved = joined(api, alice, device)
    assert (moved.asked, moved.joined) == (1, 0)
    assert [one["text"] for one in listed(api, state="active")] == ["我住在杭州。"]
    assert "Suzhou" not in str(recall(api, "Where do I live? 我住在哪里？"))
    with acting(system_of(cast.alice)):
        waiting = ReviewItem.objects.get()
        assert (str(waiting.memory_id), waiting.kind, waiting.lapses_at) == (
            there,
            "conflict",
            None,
        )
        assert Conflict.objects.get().state == "open"
    person = Api(cast.keys["alice"])
    body_of(person("POST", f"reviews/{waiting.id}/keep"))
    assert [one["text"] for one in listed(api, state="active")] == ["I live in Suzhou."]


def test_what_was_not_to_be_learnt_is_not_learnt_from_the_person_either(
    api: Api, alice: Principal, device: Subject
) -> None:
    told = met(api, "我对腰果过敏，请留意。")
    body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
    tell(api, "别再记我的城市。", session=open_session(api, "wish", user_id=DEVICE))
    joined(api, alice, device)
    again = tell(api, said("我对腰果过敏，请留意。", 0))  # the same message
    assert again["decisions"][0]["reasons"] == ["suppressed"]
    town = propose(api, "I live in Suzhou.", attribute="home.city", value="Suzhou")
    assert town["reasons"] == ["suppressed"]


def test_interests_are_added_up_and_a_known_grant_stays_as_it_is(
    api: Api, alice: Principal, cast: Cast, device: Subject
) -> None:
    for user in ("alice", DEVICE):
        tell(api, "今晚吃什么好？", session=open_session(api, "food", user_id=user))
    with acting(system_of(device)):
        make_grant(cast.agents["colleague"], device, clearance=10)
        Grant.objects.filter(agent=cast.agents["assistant"]).update(clearance=40)
    shown = question(alice, ask(api, device))
    assert shown.new_agents == ["colleague"] and shown.sessions == 1
    joined(api, alice, device)
    with acting(system_of(cast.alice)):
        assert Interest.objects.get().count == 2
        grants = dict(Grant.objects.values_list("agent__name", "clearance"))
        assert (grants["assistant"], grants["colleague"]) == (20, 10)
        names = set(Session.objects.values_list("external_id", flat=True))
    assert "food" in names and len(names) == 2  # the other goes by its id


def test_nobody_else_can_agree_and_only_an_agent_of_both_can_ask(
    api: Api, alice: Principal, cast: Cast, device: Subject
) -> None:
    met(api, "我住在苏州。")
    path = f"users/{device.id}/merge"
    for caller, status in (("alice", 404), ("colleague", 403), ("stranger", 404), ("reader", 403)):
        answer = Api(cast.keys[caller])("POST", path, {"user_id": "alice"})
        assert answer.status_code == status, (caller, answer.content)
    problem(api("POST", path, {"user_id": "bob"}), 403, "forbidden")
    problem(api("POST", f"users/{cast.alice.id}/merge", {"user_id": "alice"}), 409, "stale_state")
    merge = ask(api, device)
    assert ask(api, device) == merge
    bob = principal_of(cast.keys["bob"], "bob")
    for does in (agree, refuse, question, unlink):
        with pytest.raises(NotFound):
            does(bob, merge)
    agent = principal_of(cast.keys["assistant"], "alice")
    with pytest.raises(Forbidden):
        agree(agent, merge)
    refuse(alice, merge)
    assert listed(api) == [] and len(listed(api, user_id=DEVICE)) == 1
    with pytest.raises(NotFound):
        agree(alice, merge)


def test_twice_is_once_and_both_sides_tell_of_it(
    api: Api, alice: Principal, device: Subject
) -> None:
    met(api, "我住在苏州。")
    merge = ask(api, device)
    agree(alice, merge)
    with pytest.raises(NotFound):
        agree(alice, merge)
    problem(api("POST", f"users/{device.id}/merge", {"user_id": "alice"}), 409, "stale_state")
    lines = AuditEvent.objects.filter(code="subject.merged")
    assert {one.subject_id for one in lines} == {device.id, alice.person_id}


def test_the_id_means_the_person_for_agents_they_let_in_until_unlinked(
    api: Api, alice: Principal, cast: Cast, device: Subject
) -> None:
    met(api, "我住在苏州。")
    merge = ask(api, device)
    agree(alice, merge)
    assert body_of(api("GET", f"users?user_id={DEVICE}"))["id"] == str(cast.alice.id)
    propose(api, "Owns a kayak 皮划艇", user_id=DEVICE)
    assert len(listed(api)) == 2
    problem(Api(cast.keys["colleague"])("GET", f"users?user_id={DEVICE}"), 404, "not_found")
    unlink(alice, merge)
    assert len(listed(api)) == 2  # what moved stays
    assert body_of(api("GET", f"users?user_id={DEVICE}"))["id"] == str(device.id)
    problem(api("GET", f"memories?user_id={DEVICE}"), 403, "forbidden")  # its grant moved


def test_whoever_was_at_work_for_the_device_is_told_to_look_again(
    api: Api, alice: Principal, device: Subject, cast: Cast
) -> None:
    late = access.for_user(principal_of(cast.keys["assistant"], "alice"), DEVICE)
    joined(api, alice, device)
    with pytest.raises(SubjectMoved), acting(late):
        pass


def test_an_erased_person_takes_the_device_along(
    api: Api, alice: Principal, cast: Cast, device: Subject
) -> None:
    met(api, "我住在苏州。")
    joined(api, alice, device)
    person = Api(cast.keys["alice"])
    body = {"user_id": "alice", "everything": True, "confirm": "alice"}
    body_of(person("POST", "erasures", body), 201)
    device.refresh_from_db()
    assert device.erased_at and device.external_id == f"erased:{device.id}"


def test_what_cannot_be_moved_while_it_is_erased_waits(
    api: Api, alice: Principal, cast: Cast, device: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = met(api, "我住在苏州。", "I like bouldering.")
    body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
    merge = ask(api, device)
    with monkeypatch.context() as stopped:
        stopped.setattr(drive, "run", lambda _id: None)
        with pytest.raises(StaleState):
            agree(alice, merge)
    assert agree(alice, merge).memories == 1
    with acting(system_of(cast.alice)):
        assert Memory.objects.get().state == State.ACTIVE
    gone = body_of(api("GET", "deletions?user_id=alice"))["deletions"]
    assert told["decisions"][0]["id"] in [one["id"] for one in gone]


def test_every_table_of_a_person_moves_or_has_a_reason_to_stay() -> None:
    moving = {label(model) for model in (*MOVED, *HANDED_OVER, *DROPPED)}
    assert {label(model) for model in PERSONAL} - moving == set(STAYS)
    assert moving & set(STAYS) == set()
    assert set(STAYS) <= {model._meta.label for model in apps.get_models()}
