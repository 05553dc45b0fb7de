"""GET /sessions, GET /sessions/{id}/messages, POST /sessions/{id}/close."""

import uuid
from typing import Any

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.models import Job, Message
from tests.cast import Api, Cast, make_grant, system_of
from tests.memory.wire import body_of, day, listed, open_session, outcomes, problem, tell, texts

NOBODY = uuid.UUID(int=7)


def say(api: Api, session: str, *messages: dict[str, Any]) -> dict[str, Any]:
    return body_of(api("POST", f"sessions/{session}/messages", {"messages": list(messages)}), 202)


def user(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content} | more


def messages(api: Api, session: str, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = body_of(api("GET", f"sessions/{session}/messages{query}"))[
        "messages"
    ]
    return found


def pages(api: Api, path: str, name: str, limit: int) -> list[dict[str, Any]]:
    """Follow every page of a list."""
    found: list[dict[str, Any]] = []
    cursor = ""
    for _ in range(50):
        mark = "&" if "?" in path else "?"
        body = body_of(api("GET", f"{path}{mark}limit={limit}{cursor}"))
        assert len(body[name]) <= limit
        found += body[name]
        if body["next"] is None:
            return found
        cursor = f"&cursor={body['next']}"
    raise AssertionError("the list does not end")


# --- sessions ------------------------------------------------------------------------------------


def test_sessions_come_newest_first_in_pages(api: Api) -> None:
    made = [open_session(api, f"chat {number} 聊天") for number in range(7)]
    found = pages(api, "sessions?user_id=alice", "sessions", 3)
    assert [one["id"] for one in found] == made[::-1]
    assert found[0]["session_id"] == "chat 6 聊天"


def test_a_session_shows_its_times_and_how_much_it_received(api: Api, cast: Cast) -> None:
    session = open_session(api)
    say(api, session, user("我住在苏州。"), user("谢谢"))
    (found,) = body_of(api("GET", "sessions?user_id=alice"))["sessions"]
    assert (found["id"], found["messages"], found["closed_at"]) == (session, 2, None)
    assert found["agent_id"] == str(cast.agents["assistant"].id)
    assert found["last_active_at"] > found["opened_at"]


def test_an_agent_sees_its_own_the_person_all(api: Api, cast: Cast) -> None:
    mine, other = open_session(api), open_session(Api(cast.keys["low"]))
    ids = {
        key: {
            one["id"]
            for one in body_of(Api(cast.keys[key])("GET", "sessions?user_id=alice"))["sessions"]
        }
        for key in ("assistant", "low", "alice", "stranger")
    }
    assert ids == {
        "assistant": {mine}, "low": {other}, "alice": {mine, other}, "stranger": set(),
    }  # fmt: skip
    problem(Api(cast.keys["bob"])("GET", "sessions?user_id=alice"), 404, "not_found")
    problem(Api(cast.keys["colleague"])("GET", "sessions?user_id=alice"), 403, "forbidden")


def test_a_query_of_another_shape_is_400(api: Api) -> None:
    for query in ("", "?user_id=", "?user_id=alice&limit=0", "?user_id=alice&limit=201"):
        problem(api("GET", f"sessions{query}"), 400, "invalid_input")
    problem(api("GET", "sessions?user_id=alice&state=open"), 400, "invalid_input")


def test_a_cursor_that_is_not_ours_is_400(api: Api) -> None:
    session = open_session(api)
    for cursor in ("x", "bm9uZQ==", "%00", "MjAyNi0wMS0wMXwx"):
        problem(api("GET", f"sessions?user_id=alice&cursor={cursor}"), 400, "invalid_input")
        problem(api("GET", f"sessions/{session}/messages?cursor={cursor}"), 400, "invalid_input")


# --- messages ------------------------------------------------------------------------------------


def test_messages_come_with_their_words_in_order(api: Api) -> None:
    session = open_session(api)
    said = [user("我住在苏州。", name="阿宁"), {"role": "assistant", "content": "Noted 记下了"}]
    events = say(api, session, *said)["events"]
    found = messages(api, session)
    assert [one["event_id"] for one in found] == events
    assert [(one["role"], one["content"], one["name"]) for one in found] == [
        ("user", "我住在苏州。", "阿宁"),
        ("assistant", "Noted 记下了", None),
    ]
    assert [one["sequence"] for one in found] == [1, 2]
    assert all(one["tokens"] > 0 for one in found)


def test_the_time_it_was_said_decides_then_the_order_it_came_in(api: Api) -> None:
    session = open_session(api)
    say(api, session, user("第二", at=day(2)), user("第四", at=day(4)))
    say(api, session, user("第一 late", at=day(1)), user("第二 again", at=day(2)))
    found = messages(api, session)
    assert [one["content"] for one in found] == ["第一 late", "第二", "第二 again", "第四"]
    assert [one["sequence"] for one in found] == [3, 1, 4, 2]
    assert [one["late"] for one in found] == [True, False, True, False]


def test_pages_hold_every_message_once(api: Api) -> None:
    session = open_session(api)
    say(api, session, *[user(f"line {number} 句", at=day(number % 3)) for number in range(11)])
    whole = messages(api, session)
    assert pages(api, f"sessions/{session}/messages", "messages", 4) == whole
    assert len({one["sequence"] for one in whole}) == 11
    late = [one for one in messages(api, session, "?limit=200") if one["late"]]
    assert {one["sequence"] for one in late} == {4, 5, 7, 8, 10, 11}


def test_turns_that_say_nothing_are_kept_and_marked(api: Api) -> None:
    session = open_session(api)
    say(
        api,
        session,
        user("我住在苏州。"),
        {"role": "assistant", "content": "要我记住吗？"},
        user("好的"),
    )
    say(api, session, user("thanks"), {"role": "assistant", "content": "不客气"}, user("ok"))
    found = messages(api, session)
    assert [one["low_information"] for one in found] == [False, False, False, True, True, True]


def test_the_question_may_have_come_in_the_batch_before(api: Api) -> None:
    session = open_session(api)
    say(api, session, {"role": "assistant", "content": "Shall I book the 8:40 train?"})
    say(api, session, user("yes"))
    assert messages(api, session)[1]["low_information"] is False


def test_secrets_do_not_come_back(api: Api) -> None:
    session = open_session(api)
    say(api, session, user("我的密码是 Tr0ub4dor&3，别弄丢了。"))
    (found,) = messages(api, session)
    assert "Tr0ub4dor" not in found["content"] and found["redacted"] == ["PASSWORD"]


def test_another_agent_s_or_person_s_messages_are_404(api: Api, cast: Cast) -> None:
    session = open_session(api)
    say(api, session, user("我住在苏州。"))
    for other in ("low", "colleague", "stranger", "bob"):
        for path in ("messages", "messages?limit=1"):
            problem(Api(cast.keys[other])("GET", f"sessions/{session}/{path}"), 404, "not_found")
        problem(Api(cast.keys[other])("POST", f"sessions/{session}/close", {}), 404, "not_found")
    problem(api("GET", f"sessions/{NOBODY}/messages"), 404, "not_found")
    own = Api(cast.keys["alice"])
    assert [one["content"] for one in messages(own, session)] == ["我住在苏州。"]


def test_one_name_under_two_people_keeps_two_conversations(api: Api, cast: Cast) -> None:
    make_grant(cast.agents["assistant"], cast.bob)
    alice, bob = open_session(api, "chat"), open_session(api, "chat", user_id="bob")
    say(api, alice, user("Alice's 爱丽丝"))
    say(api, bob, user("Bob's 鲍勃"))
    assert [one["content"] for one in messages(api, alice)] == ["Alice's 爱丽丝"]
    assert [one["content"] for one in messages(api, bob)] == ["Bob's 鲍勃"]


def test_where_memory_is_off_the_session_still_serves_its_conversation(cast: Cast) -> None:
    off = Api(cast.keys["off"])
    session = open_session(off)
    body_of(off("POST", f"sessions/{session}/messages", {"messages": [user("你好 hello")]}))
    assert len(messages(off, session)) == 1


def test_an_erased_message_is_gone_from_the_list_at_once(api: Api) -> None:
    session = open_session(api)
    told = tell(api, "我住在苏州。", "我叫林悦。", session=session)
    body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
    assert [one["content"] for one in messages(api, session)] == ["我叫林悦。"]
    say(api, session, user("好的"))  # the turn before it opens no more


def test_reading_is_in_the_audit_log_without_a_word(api: Api, cast: Cast) -> None:
    session = open_session(api)
    say(api, session, user("我住在苏州。"))
    messages(api, session)
    api("GET", "sessions?user_id=alice")
    body_of(api("POST", f"sessions/{session}/close?wait=true", {}))
    lines = AuditEvent.objects.filter(subject_id=cast.alice.id)
    found = {line.code: line for line in lines}
    assert {"session.read", "session.listed", "session.closed"} <= set(found)
    assert found["session.read"].result_count == 1
    assert "苏州" not in str([vars(line) for line in lines])


# --- closing -------------------------------------------------------------------------------------


def close(api: Api, session: str, query: str = "") -> Any:
    return api("POST", f"sessions/{session}/close{query}", {})


def test_closing_reads_what_is_left_and_takes_no_more(api: Api, cast: Cast) -> None:
    session = open_session(api)
    say(api, session, user("我住在苏州。"))
    Job.objects.all().delete()  # as if the first job was lost
    body = body_of(close(api, session, "?wait=true"))
    assert body["closed_at"] and body["job"]["state"] == "succeeded"
    assert texts(listed(api)) == ["我住在苏州。"]
    late = api("POST", f"sessions/{session}/messages", {"messages": [user("还有一句")]})
    problem(late, 409, "stale_state")
    assert len(messages(api, session)) == 1


def test_closing_without_waiting_is_202_with_a_job(api: Api) -> None:
    session = open_session(api)
    say(api, session, user("我住在苏州。"))
    body = body_of(close(api, session), 202)
    assert Job.objects.get(id=body["job"]["id"]).state == "pending"


def test_closing_twice_changes_nothing(api: Api, cast: Cast) -> None:
    session = open_session(api)
    first = body_of(close(api, session))
    again = body_of(close(api, session))
    assert first == again and "job" not in first
    assert AuditEvent.objects.filter(code="session.closed").count() == 1


def test_an_empty_or_read_session_leaves_no_job(api: Api) -> None:
    session = open_session(api)
    assert outcomes(tell(api, "我住在苏州。", session=session)) == [("accepted", ["stated"])]
    assert "job" not in body_of(close(api, session))


def test_where_learning_is_off_closing_reads_nothing(api: Api, cast: Cast) -> None:
    session = open_session(api)
    say(api, session, user("我住在苏州。"))
    Job.objects.all().delete()
    type(cast.alice).objects.filter(id=cast.alice.id).update(memory_mode="use_only")
    assert "job" not in body_of(close(api, session))
    with acting(system_of(cast.alice)):
        assert Message.objects.filter(session_id=session).count() == 1


def test_the_person_may_close_a_reader_may_not(api: Api, cast: Cast) -> None:
    session = open_session(api)
    problem(close(Api(cast.keys["reader"]), session), 404, "not_found")  # another agent's
    assert body_of(close(Api(cast.keys["alice"]), session))["closed_at"]


def test_a_body_with_unknown_fields_is_400(api: Api) -> None:
    session = open_session(api)
    problem(api("POST", f"sessions/{session}/close", {"reason": "done"}), 400, "invalid_input")
