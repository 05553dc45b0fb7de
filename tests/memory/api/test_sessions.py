"""/sessions: one session per person, agent and name; messages in order, once, within limits."""

import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory import jobs
from memory.models import Event, Job, Message, Session
from memory.policy import SESSION
from memory.vault import Place, open_vault
from tests.cast import Api, Cast, make_grant, system_of
from tests.memory.wire import body_of, day, listed, open_session, outcomes, problem, tell, texts


def post(api: Api, session: str, *messages: object, wait: str = "") -> Any:
    return api("POST", f"sessions/{session}/messages{wait}", {"messages": list(messages)})


def user(content: object, **more: object) -> dict[str, object]:
    return {"role": "user", "content": content} | more


def stored(cast: Cast, session: str) -> list[str]:
    """Return the messages of a session as they lie in the database, in order."""
    with acting(system_of(cast.alice)) as principal:
        vault = open_vault(principal)
        rows = Message.objects.filter(session_id=session).order_by("sequence")
        events = [row.event for row in rows.select_related("event")]
        return [vault.unseal(Place(object_id=event.id), event.text) for event in events]


def test_what_a_terminal_reads_as_orders_is_no_fault_of_a_message(api: Api, cast: Cast) -> None:
    session = open_session(api)
    printed = "\x1b[1;31m构建失败\x1b[0m\x07 \x1b]8;;http://a.b\x1b\\the log\x1b]8;;\x1b\\\0 3 s"
    body_of(post(api, session, {"role": "tool", "content": printed}), 202)
    assert stored(cast, session) == ["构建失败 the log 3 s"]


# --- opening -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chat", "聊天/1 🌙", "x" * 200])
def test_opening_twice_is_one_session(api: Api, name: str) -> None:
    body = {"user_id": "alice", "session_id": name}
    first = body_of(api("POST", "sessions", body), 201)
    again = body_of(api("POST", "sessions", body), 200)
    assert first == again
    assert (first["user_id"], first["session_id"], first["closed_at"]) == ("alice", name, None)
    assert str(uuid.UUID(first["id"])) == first["id"]


def test_without_a_name_every_opening_is_a_new_session(api: Api) -> None:
    ids = {body_of(api("POST", "sessions", {"user_id": "alice"}), 201)["id"] for _ in range(2)}
    assert len(ids) == 2


def test_one_name_under_two_people_is_two_sessions(api: Api, cast: Cast) -> None:
    make_grant(cast.agents["assistant"], cast.bob)
    alice, bob = open_session(api, "chat"), open_session(api, "chat", user_id="bob")
    assert alice != bob
    tell(api, "我住在苏州。", session=alice)
    assert texts(listed(api, user_id="alice")) == ["我住在苏州。"]
    assert listed(api, user_id="bob") == []


def test_one_name_under_two_agents_is_two_sessions(api: Api, cast: Cast) -> None:
    assert open_session(api, "chat") != open_session(Api(cast.keys["low"]), "chat")


def test_another_agent_s_session_is_404(api: Api, cast: Cast) -> None:
    session = open_session(api)
    for other in ("low", "colleague", "stranger"):
        problem(post(Api(cast.keys[other]), session, user("hi 你好")), 404, "not_found")
    assert stored(cast, session) == []


@pytest.mark.parametrize("name", ["", " chat", "a\x01b", "x" * 201, ["chat"], {"a": 1}, True])
def test_a_session_id_that_is_none_is_400(api: Api, name: object) -> None:
    body = {"user_id": "alice", "session_id": name}
    problem(api("POST", "sessions", body), 400, "invalid_input")


# --- handing over messages -----------------------------------------------------------------------


def test_messages_are_202_with_a_job_and_are_read_later(api: Api, cast: Cast) -> None:
    session = open_session(api)
    body = body_of(post(api, session, user("我住在苏州。"), user("谢谢 thanks")), 202)
    assert len(body["events"]) == 2 and "decisions" not in body
    assert body["job"]["state"] == "pending"
    assert Job.objects.get(id=body["job"]["id"]).kind == "extract"
    assert listed(api) == []


def test_wait_answers_with_the_decisions_in_the_order_of_the_messages(api: Api) -> None:
    answer = tell(api, "我住在苏州。", "今天有点冷。", "I play the oboe on Fridays.")
    assert answer["job"]["state"] == "succeeded"
    assert [one["event_id"] for one in answer["decisions"]] == answer["events"]
    assert outcomes(answer) == [
        ("accepted", ["stated"]),
        ("refused", ["transient"]),
        ("accepted", ["stated"]),
    ]
    assert {one["id"] is None for one in answer["decisions"] if one["outcome"] == "refused"} == {
        True
    }


@pytest.mark.parametrize("wait", ["", "?wait=false", "?wait=0"])
def test_wait_is_what_says_yes(api: Api, wait: str) -> None:
    body_of(post(api, open_session(api), user("我住在苏州。"), wait=wait), 202)


def test_a_wait_that_says_neither_is_400_and_stores_nothing(api: Api, cast: Cast) -> None:
    session = open_session(api)
    problem(post(api, session, user("我住在苏州。"), wait="?wait=maybe"), 400, "invalid_input")
    assert stored(cast, session) == []


def test_messages_keep_their_order_over_requests(api: Api, cast: Cast) -> None:
    session = open_session(api)
    said = [f"第 {number} 句, line {number}" for number in range(7)]
    for start in (0, 3):
        post(api, session, *[user(one) for one in said[start : start + 3 + start // 3]])
    assert stored(cast, session) == said


def test_secrets_are_cut_before_the_first_row(api: Api, cast: Cast) -> None:
    session = open_session(api)
    tell(api, "我的密码是 Tr0ub4dor&3，别弄丢了。", session=session)
    (text,) = stored(cast, session)
    assert "Tr0ub4dor" not in text and "[PASSWORD]" in text
    with acting(system_of(cast.alice)):
        assert Event.objects.get(session_id=session).redacted == ["PASSWORD"]


def test_a_closed_session_takes_no_message(api: Api, cast: Cast) -> None:
    session = open_session(api)
    with acting(system_of(cast.alice)):
        Session.objects.filter(id=session).update(closed_at=timezone.now())
    problem(post(api, session, user("hi 你好")), 409, "stale_state")
    assert stored(cast, session) == []


def test_too_many_messages_are_413_and_none_is_stored(api: Api, cast: Cast) -> None:
    session = open_session(api)
    problem(post(api, session, *[user("嗯 ok")] * 201), 413, "too_large")
    assert stored(cast, session) == []
    assert len(body_of(post(api, session, *[user("嗯 ok")] * 200), 202)["events"]) == 200


def test_one_message_too_long_is_413_and_none_of_the_batch_is_stored(api: Api, cast: Cast) -> None:
    session = open_session(api)
    found = problem(post(api, session, user("short 短"), user("长" * 32_001)), 413, "too_large")
    assert "1" in found["detail"] and "32000" in found["detail"]
    assert stored(cast, session) == []
    body_of(post(api, session, user("长" * 32_000)), 202)


NO_MESSAGES: list[object] = [
    {"role": "user"},
    {"content": "no role"},
    {"role": "person", "content": "x"},
    {"role": "user", "content": None},
    {"role": "user", "content": ["x"]},
    {"role": "user", "content": {"text": "x"}},
    {"role": "user", "content": "x", "at": "昨天"},
    {"role": "user", "content": "x", "id": "7"},
    {"role": "user", "content": "x", "name": "n" * 201},
    "hello 你好",
    None,
    7,
]


def test_a_message_of_another_shape_is_400(api: Api, subtests: pytest.Subtests) -> None:
    session = open_session(api)
    for message in NO_MESSAGES:
        with subtests.test(str(message)):
            problem(post(api, session, user("fine 好"), message), 400, "invalid_input")


@pytest.mark.parametrize("messages", [[], {}, None, "hi", {"role": "user", "content": "x"}])
def test_no_list_of_messages_is_400(api: Api, messages: object) -> None:
    session = open_session(api)
    response = api("POST", f"sessions/{session}/messages", {"messages": messages})
    problem(response, 400, "invalid_input")


def test_a_session_nobody_has_is_404(api: Api) -> None:
    problem(post(api, str(uuid.UUID(int=7)), user("hi 你好")), 404, "not_found")


def test_where_learning_is_off_messages_are_kept_and_never_read(api: Api, cast: Cast) -> None:
    type(cast.alice).objects.filter(id=cast.alice.id).update(memory_mode="use_only")
    session = open_session(api)
    body = body_of(post(api, session, user("我住在苏州。"), wait="?wait=true"))
    assert body["decisions"] == [] and "job" not in body
    type(cast.alice).objects.filter(id=cast.alice.id).update(memory_mode="normal")
    tell(
        api, "谢谢 thanks", session=session
    )  # learning is on again; what was said then stays unread
    assert stored(cast, session)[0] == "我住在苏州。"
    assert listed(api) == []


def test_when_it_was_said_is_when_it_holds_from(api: Api) -> None:
    tell(api, user("我住在苏州。", at=day(3)))
    assert listed(api)[0]["valid_from"] == day(3).replace("+00:00", "Z")


def test_a_message_right_after_an_erasure_is_read_at_once(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SESSION", replace(SESSION, wait_seconds=0.2))
    session = open_session(api)
    named = tell(api, "我叫林悦。", session=session)["decisions"][0]["id"]
    body_of(api("DELETE", f"memories/{named}"))  # fenced; the steps have not run yet
    assert outcomes(tell(api, "我住在杭州。", session=session)) == [("accepted", ["stated"])]
