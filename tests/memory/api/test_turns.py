"""POST /sessions/{id}/turn: the message kept and the context for its answer, in one go."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory import jobs, queue
from memory.models import Event, Job, Message
from memory.policy import SESSION
from tests.cast import Api, Cast, system_of
from tests.memory.api.desk import assistant, contents, context, user
from tests.memory.wire import body_of, day, listed, open_session, problem, propose, tell, texts


def turn(api: Api, session: str, query: str, key: str = "", **asked: Any) -> dict[str, Any]:
    headers = {"Idempotency_Key": key} if key else {}
    return body_of(api("POST", f"sessions/{session}/turn", {"query": query} | asked, **headers))


def answer(api: Api, session: str, text: str) -> dict[str, Any]:
    return tell(api, assistant(text), session=session)


def said(api: Api, session: str) -> list[str]:
    found = body_of(api("GET", f"sessions/{session}/messages"))["messages"]
    return [one["content"] for one in found]


# --- one turn ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "question"),
    [
        ("以后所有报告都用中文写，先给数字。", "周报怎么写？"),
        ("From now on write all reports in English, numbers first.", "How do I write the report?"),
    ],
)
def test_a_turn_is_what_context_returns_and_the_kept_message(
    api: Api, wish: str, question: str
) -> None:
    tell(api, wish, session=open_session(api, "old"))
    session = open_session(api)
    before = context(api, session, query=question, system="Be brief.")
    body = turn(api, session, question, system="Be brief.")
    event = body.pop("event")
    assert body_of(api("GET", f"events/{event}"))["content"] == question
    assert body.pop("recall")["status"] == before.pop("recall")["status"]
    assert body == before
    assert wish in contents(body)[1] and contents(body)[-1] == question


def test_a_conversation_of_turns_keeps_every_message_once_and_in_order(api: Api) -> None:
    session = open_session(api)
    expected: list[str] = []
    for number in range(4):
        question, reply = f"第 {number} 问 about Oslo?", f"Answer {number} 答"
        body = turn(api, session, question)
        assert contents(body) == [*expected, question]
        answer(api, session, reply)
        expected += [question, reply]
    assert said(api, session) == expected


def test_a_question_asked_again_is_shown_each_time_it_was_asked(api: Api) -> None:
    session = open_session(api)
    turn(api, session, "Where is Oslo 奥斯陆?")
    assert contents(turn(api, session, "Where is Oslo 奥斯陆?")) == ["Where is Oslo 奥斯陆?"] * 2


def test_ok_is_shown_as_the_new_message_and_left_out_afterwards(api: Api) -> None:
    session = open_session(api)
    body = turn(api, session, "谢谢")
    assert contents(body) == ["谢谢"] and body["left_out"] == []
    assert contents(turn(api, session, "How tall is K2 in metres?")) == [
        "How tall is K2 in metres?"
    ]


def test_a_secret_reaches_neither_the_store_nor_the_model(api: Api) -> None:
    session = open_session(api)
    body = turn(api, session, "我的密码是 Tr0ub4dor&3，能用吗？")
    assert "Tr0ub4dor" not in str(body) and "[PASSWORD]" in contents(body)[-1]
    assert said(api, session) == [contents(body)[-1]]


def test_when_it_was_said_is_kept(api: Api) -> None:
    session = open_session(api)
    event = turn(api, session, "我住在苏州。", at=day(3))["event"]
    assert body_of(api("GET", f"events/{event}"))["at"] == day(3).replace("+00:00", "Z")


# --- recall before, extraction after -------------------------------------------------------------


@pytest.mark.parametrize("fact", ["我住在苏州。", "I live in Oslo."])
def test_it_is_read_for_memories_once_it_is_answered(api: Api, fact: str) -> None:
    session = open_session(api)
    turn(api, session, fact)
    assert listed(api) == []
    answer(api, session, "记下了。Noted.")
    assert texts(listed(api)) == [fact]


def test_what_is_never_answered_is_read_when_the_session_is_idle(api: Api, cast: Cast) -> None:
    session = open_session(api)
    turn(api, session, "我住在苏州。")
    with acting(system_of(cast.alice)):
        (job,) = Job.objects.filter(target_id=session)
    assert timezone.now() < job.due_at <= timezone.now() + SESSION.idle
    assert job.id not in queue.due_jobs()
    Job.objects.filter(id=job.id).update(due_at=timezone.now() - timedelta(seconds=1))
    assert job.id in queue.due_jobs()
    jobs.run_job(job.id)
    assert texts(listed(api)) == ["我住在苏州。"]


@pytest.mark.parametrize(
    "fact", ["以后叫我老王。推荐一份早餐。", "Call me 老王. Suggest a breakfast."]
)
def test_a_message_is_no_memory_of_itself(api: Api, fact: str) -> None:
    session = open_session(api)
    first = turn(api, session, fact, key="k")
    answer(api, session, "好的 fine")
    assert listed(api)
    again = turn(api, session, fact, key="k")  # repeated after it was read and answered
    for body in (first, again):
        assert contents(body) == [fact] and body["tokens"]["profile"] == 0
    later = turn(api, open_session(api, "later"), "面包 bread?")
    assert later["tokens"]["profile"] > 0


def test_the_goal_of_the_task_says_what_a_question_is_about(api: Api) -> None:
    fact = "Prefers hiking boots from Lowa for alpine tours 登山靴"
    propose(api, fact)
    body = {"user_id": "alice", "state": {"goal": "Buy hiking boots for alpine tours 登山靴"}}
    api("PUT", "tasks/boots/state", body)
    session = open_session(api)
    assert fact not in str(turn(api, session, "Which ones should I order today?"))
    assert fact in str(turn(api, session, "Which ones should I order today?", task_id="boots"))


# --- sent twice, and errors ----------------------------------------------------------------------


def test_sent_twice_it_is_kept_once_and_answered_alike(api: Api, cast: Cast) -> None:
    session = open_session(api)
    first = turn(api, session, "How tall is K2?", key="t1")
    second = turn(api, session, "How tall is K2?", key="t1")
    for body in (first, second):
        body.pop("recall")
    assert first == second
    with acting(system_of(cast.alice)):
        assert Message.objects.filter(session_id=session).count() == 1
    other = api("POST", f"sessions/{session}/turn", {"query": "另一句"}, Idempotency_Key="t1")
    problem(other, 422, "idempotency_conflict")


def test_repeated_after_its_erasure_it_is_gone(api: Api, person: Api) -> None:
    session = open_session(api)
    turn(api, session, "我住在苏州。", key="t1")
    answer(api, session, "好。")
    body_of(person("DELETE", f"memories/{listed(api)[0]['id']}"))
    again = api("POST", f"sessions/{session}/turn", {"query": "我住在苏州。"}, Idempotency_Key="t1")
    problem(again, 410, "gone")


def test_over_the_budget_nothing_is_kept(api: Api, cast: Cast) -> None:
    session = open_session(api)
    asked = {"query": "问题" * 30, "system": "系统" * 100, "budget": 100}
    problem(api("POST", f"sessions/{session}/turn", asked), 413, "too_large")
    long = {"query": "长" * 32_001, "budget": 128_000}
    problem(api("POST", f"sessions/{session}/turn", long), 413, "too_large")
    with acting(system_of(cast.alice)):
        assert Event.objects.count() == 0 and Job.objects.count() == 0


def test_a_desk_of_a_hundred_tokens_over_five_turns(api: Api) -> None:
    for name, ask, reply in (
        ("zh", "第 {} 轮：杭州哪里好玩？", "去看看西湖 {} 吧，早上人少。"),
        ("en", "Round {}: what is nice in Oslo?", "Have a look at fjord {}, in the morning."),
    ):
        session = open_session(api, name)
        for number in range(5):
            body = turn(api, session, ask.format(number), budget=100)
            assert sum(body["tokens"].values()) <= 100
            assert contents(body)[-1] == ask.format(number)
            if number:
                assert contents(body)[-2] == reply.format(number - 1)
            answer(api, session, reply.format(number))


def test_a_body_of_another_shape_is_400(api: Api) -> None:
    session = open_session(api)
    bodies: tuple[dict[str, object], ...] = (
        {}, {"query": ""}, {"query": 7}, {"query": "x", "budget": 0}, {"query": "x", "format": "xml"},
        {"query": "x", "at": "昨天"}, {"query": "x", "role": "user"}, {"query": "x", "messages": []},
    )  # fmt: skip
    for asked in bodies:
        problem(api("POST", f"sessions/{session}/turn", asked), 400, "invalid_input")


def test_a_closed_session_takes_no_turn(api: Api) -> None:
    session = open_session(api)
    body_of(api("POST", f"sessions/{session}/close", {}))
    problem(api("POST", f"sessions/{session}/turn", {"query": "hi 你好"}), 409, "stale_state")


def test_where_memory_is_off_a_session_still_takes_turns(cast: Cast) -> None:
    api = Api(cast.keys["off"])
    session = open_session(api)
    body = turn(api, session, "我住在苏州。")
    assert contents(body) == ["我住在苏州。"] and body["recall"] is None
    with acting(system_of(cast.alice)):
        assert Job.objects.count() == 0


def test_other_messages_said_system_text_first(api: Api) -> None:
    session = open_session(api)
    tell(api, {"role": "system", "content": "Be brief."}, user("hello there Bo"), session=session)
    assert contents(turn(api, session, "你好吗，Bo？"))[0] == "Be brief."
