"""GET /events/{id}: the original; once it is gone, 410 with what is left; never another's."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.errors import NotFound
from memory.forget import drive, expire
from memory.models import Event, Evidence, Message, ObjectKey
from memory.sessions.originals import Gone, open_original
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.wire import body_of, open_session, problem, tell

NOBODY = uuid.UUID(int=7)


@pytest.fixture
def told(api: Api) -> dict[str, Any]:
    """A fact, a passing word and a tool's result, handed over and read."""
    return tell(
        api,
        {"role": "user", "content": "我住在苏州。", "name": "阿宁"},
        {"role": "user", "content": "今天有点冷。", "name": "阿宁"},
        {"role": "tool", "content": "42 rows 行"},
        session=open_session(api),
    )


def lose(cast: Cast, *event_ids: str) -> None:
    """Take events away without an erasure."""
    with acting(system_of(cast.alice)):
        Message.objects.filter(event_id__in=event_ids).delete()
        Event.objects.filter(id__in=event_ids).delete()
        ObjectKey.objects.filter(object_id__in=event_ids).delete()


def age(cast: Cast, *event_ids: str) -> None:
    """Let the time of uncited events be over."""
    with acting(system_of(cast.alice)):
        Event.objects.filter(id__in=event_ids, expires_at__isnull=False).update(
            expires_at=timezone.now() - timedelta(seconds=1)
        )


# --- while it lasts ------------------------------------------------------------------------------


def test_an_original_opens(api: Api, cast: Cast, told: dict[str, Any]) -> None:
    body = body_of(api("GET", f"events/{told['events'][0]}"))
    assert (body["content"], body["role"], body["name"]) == ("我住在苏州。", "user", "阿宁")
    assert (body["type"], body["redacted"]) == ("message", [])
    assert body["agent_id"] == str(cast.agents["assistant"].id)
    assert body["expires_at"] is None  # a memory cites it
    tool = body_of(api("GET", f"events/{told['events'][2]}"))
    assert (tool["type"], tool["content"]) == ("tool_result", "42 rows 行")
    assert tool["expires_at"] > tool["received_at"]


def test_the_person_opens_theirs(cast: Cast, told: dict[str, Any]) -> None:
    own = Api(cast.keys["alice"])
    assert body_of(own("GET", f"events/{told['events'][0]}"))["content"] == "我住在苏州。"


def test_another_s_original_is_404(cast: Cast, told: dict[str, Any]) -> None:
    for other in ("low", "reader", "colleague", "stranger", "bob"):
        for event in (told["events"][0], NOBODY):
            problem(Api(cast.keys[other])("GET", f"events/{event}"), 404, "not_found")


def test_memory_switched_off_opens_nothing(api: Api, cast: Cast, told: dict[str, Any]) -> None:
    type(cast.alice).objects.filter(id=cast.alice.id).update(memory_mode="off")
    problem(api("GET", f"events/{told['events'][0]}"), 403, "forbidden")


def test_opening_is_in_the_audit_log(api: Api, told: dict[str, Any]) -> None:
    api("GET", f"events/{told['events'][0]}")
    line = AuditEvent.objects.get(code="event.read")
    assert str(line.object_id) == told["events"][0] and line.decision == "opened"
    assert "苏州" not in str(vars(line))


# --- erased --------------------------------------------------------------------------------------


def test_an_erased_original_is_410_without_a_word(
    api: Api, cast: Cast, told: dict[str, Any]
) -> None:
    erasure = body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))["id"]
    for _ in range(2):  # right after the fence, and when every store is empty
        for caller in (api, Api(cast.keys["alice"])):
            body = problem(caller("GET", f"events/{told['events'][0]}"), 410, "gone")
            assert body["quotes"] == [] and "苏州" not in str(body)
        for other in ("colleague", "stranger", "bob"):
            answer = Api(cast.keys[other])("GET", f"events/{told['events'][0]}")
            problem(answer, 404, "not_found")
        drive.run(uuid.UUID(erasure))


# --- ended ---------------------------------------------------------------------------------------


def test_a_lost_original_leaves_its_quote_to_the_person(cast: Cast, told: dict[str, Any]) -> None:
    lose(cast, told["events"][0])
    body = problem(Api(cast.keys["alice"])("GET", f"events/{told['events'][0]}"), 410, "gone")
    (quote,) = body["quotes"]
    assert quote["quote"] == "我住在苏州。" and quote["event_id"] == told["events"][0]
    line = AuditEvent.objects.get(code="event.read")
    assert line.decision == "gone"


def test_a_lost_original_leaves_its_quote_to_who_may_see_the_memory(
    cast: Cast, told: dict[str, Any]
) -> None:
    lose(cast, told["events"][0])
    event = uuid.UUID(told["events"][0])
    found = open_original(principal_of(cast.keys["assistant"], "alice"), event)
    assert isinstance(found, Gone) and not found.erased
    assert [one.text for one in found.quotes] == ["我住在苏州。"]
    with pytest.raises(NotFound):  # a city is level 20, this grant ends at 10
        open_original(principal_of(cast.keys["low"], "alice"), event)


def test_a_lost_original_leaves_its_quote_to_its_agent(
    api: Api, cast: Cast, told: dict[str, Any]
) -> None:
    lose(cast, told["events"][0])
    body = problem(api("GET", f"events/{told['events'][0]}"), 410, "gone")
    assert [one["quote"] for one in body["quotes"]] == ["我住在苏州。"]


def test_superseded_words_are_the_person_s_to_see(
    api: Api, cast: Cast, told: dict[str, Any]
) -> None:
    tell(api, "我搬到杭州了，我住在杭州。", session=open_session(api, "later"))
    lose(cast, told["events"][0])
    with acting(system_of(cast.alice)):
        rows = Evidence.objects.filter(event_id=told["events"][0])
        rows.update(version_number=1)
        type(rows[0].memory).objects.filter(id=rows[0].memory_id).update(version=2)
    problem(Api(cast.keys["alice"])("GET", f"events/{told['events'][0]}"), 410, "gone")
    with pytest.raises(NotFound):
        open_original(principal_of(cast.keys["assistant"], "alice"), uuid.UUID(told["events"][0]))


def test_expiry_takes_what_nothing_cites_with_its_message_and_key(
    api: Api, cast: Cast, told: dict[str, Any]
) -> None:
    age(cast, *told["events"])
    assert expire.expire_events(system_of(cast.alice)) == 2
    body_of(api("GET", f"events/{told['events'][0]}"))
    for event in told["events"][1:]:
        problem(api("GET", f"events/{event}"), 404, "not_found")
    with acting(system_of(cast.alice)):
        assert Message.objects.count() == 1
        assert not ObjectKey.objects.filter(object_id__in=told["events"][1:]).exists()


def test_a_session_goes_on_after_its_old_messages_have_ended(
    api: Api, cast: Cast, told: dict[str, Any]
) -> None:
    session = open_session(api)
    age(cast, *told["events"])
    expire.expire_events(system_of(cast.alice))
    tell(api, "好的", "我弹古筝。", session=session)
    found = body_of(api("GET", f"sessions/{session}/messages"))["messages"]
    assert [one["content"] for one in found] == ["我住在苏州。", "好的", "我弹古筝。"]
    assert [one["sequence"] for one in found] == [1, 4, 5]
    assert body_of(api("POST", f"sessions/{session}/context", {"query": "hi"}))["messages"]


def test_two_persons_events_expire_apart(api: Api, cast: Cast, told: dict[str, Any]) -> None:
    other = Api(cast.keys["colleague"])
    answer = tell(other, "今天有点冷。", session=open_session(other, user_id="bob"))
    age(cast, *told["events"])
    expire.sweep()
    body_of(other("GET", f"events/{answer['events'][0]}"))


def test_quoting_a_message_under_erasure_is_410_before_and_after_the_drive(
    api: Api, told: dict[str, Any]
) -> None:
    """Between the fence and its steps the row stands and its key is gone: once a 503."""
    gone = body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
    evidence = {"event_id": told["events"][0], "quote": "我住在苏州"}
    body = {"user_id": "alice", "text": "Lives in 苏州", "evidence": evidence}
    assert problem(api("POST", "memories", body), 410, "gone")
    drive.run(uuid.UUID(gone["id"]))
    assert api("POST", "memories", body).status_code in (404, 410)
