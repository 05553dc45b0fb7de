"""POST /sessions/{id}/context: the prompt of a session, in order, within its budget."""

import uuid

from memory.providers.tokens import count_tokens
from tests.cast import Api, Cast, make_grant
from tests.memory.api.desk import assistant, contents, context, reasons, summarise, user
from tests.memory.wire import day, open_session, problem, tell

PARTS = [
    "system",
    "profile",
    "memory",
    "knowledge",
    "summary",
    "task",
    "recent",
    "reminder",
    "query",
]


# --- what is in it -------------------------------------------------------------------------------


def test_every_part_in_its_order_labelled_in_chinese(api: Api, cast: Cast) -> None:
    session = open_session(api)
    tell(
        api,
        "以后所有报告都用中文写，先给数字。",
        "我喜欢爬山，尤其是黄山。",
        session=open_session(api, "old"),
    )
    told = tell(api, user("周末我想出去玩"), assistant("想去远还是近？"), session=session)
    summarise(cast, session, "先前谈到预算三百元。", str(uuid.uuid4()))
    api("PUT", "tasks/trip/state", {"user_id": "alice", "state": {"goal": "安排周末出行"}})
    body = context(
        api, session, query="黄山爬山怎么安排？", system="你是旅行助手。", task_id="trip"
    )
    said = contents(body)
    assert said[0] == "你是旅行助手。"
    assert said[1].startswith("以下是关于用户的已知信息，请结合这些信息回答")
    assert "以后所有报告都用中文写" in said[1] and "黄山" in said[2]
    assert said[3].startswith("近期对话摘要") and "三百元" in said[3]
    assert "目标：安排周末出行" in said[4]
    assert said[5:7] == ["周末我想出去玩", "想去远还是近？"]
    assert "偏好" in said[7] and said[8] == "黄山爬山怎么安排？"
    assert [one["role"] for one in body["messages"]] == [
        *["system"] * 5, "user", "assistant", "system", "user",
    ]  # fmt: skip
    assert list(body["tokens"]) == PARTS
    assert [part for part, count in body["tokens"].items() if not count] == ["knowledge"]
    assert body["left_out"] == [] and body["recall"]["status"] == "found"
    assert len(told["events"]) == 2


def test_labels_in_english(api: Api) -> None:
    session = open_session(api)
    tell(api, "From now on write all reports in English, numbers first.", session=session)
    body = context(api, session, query="Write the report about hiking.")
    assert contents(body)[0].startswith("Known about the user; take it into account")
    assert "Follow the user's preferences" in contents(body)[-2]


def test_the_language_the_person_chose_wins(api: Api, cast: Cast) -> None:
    type(cast.alice).objects.filter(id=cast.alice.id).update(language="zh-hans")
    session = open_session(api)
    tell(api, "From now on write all reports in English, numbers first.", session=session)
    body = context(api, session, query="Write the report.")
    assert contents(body)[0].startswith("以下是关于用户的已知信息")


def test_without_a_query_the_context_ends_with_the_last_turn(api: Api) -> None:
    session = open_session(api)
    tell(api, user("I live in Oslo."), assistant("It rains there."), session=session)
    body = context(api, session)
    assert contents(body)[-2:] == ["I live in Oslo.", "It rains there."]
    assert body["tokens"]["query"] == 0


def test_the_new_message_is_not_said_twice_if_the_session_has_it(api: Api) -> None:
    session = open_session(api)
    tell(
        api, user("I live in Oslo."), assistant("Noted."), user("Where do I live?"), session=session
    )
    said = contents(context(api, session, query="Where do I live?"))
    assert said.count("Where do I live?") == 1 and said[-1] == "Where do I live?"


def test_an_empty_session_gives_the_new_message_alone(api: Api) -> None:
    body = context(api, open_session(api), query="你好")
    assert body["messages"] == [{"role": "user", "content": "你好"}]
    assert body["recall"]["status"] in ("nothing_relevant", "degraded")
    assert context(api, open_session(api))["messages"] == []


def test_turns_that_say_nothing_stay_out_and_are_named(api: Api) -> None:
    session = open_session(api)
    told = tell(
        api,
        user("I live in Oslo."),
        assistant("Noted."),
        user("thanks"),
        user("好的"),
        session=session,
    )
    body = context(api, session, query="Tell me about the town.")
    assert "thanks" not in contents(body) and "好的" not in contents(body)
    (left,) = [one for one in body["left_out"] if one["reason"] == "low_information"]
    assert left == {"part": "recent", "reason": "low_information", "events": told["events"][2:]}


def test_turns_stand_by_when_they_were_said(api: Api) -> None:
    session = open_session(api)
    tell(api, user("second 二", at=day(2)), user("first 一", at=day(1)), session=session)
    assert contents(context(api, session)) == ["first 一", "second 二"]


def test_as_long_as_all_fits_all_is_shown_however_many_turns(api: Api) -> None:
    session = open_session(api)
    turns = [t for n in range(13) for t in (user(f"question {n} 问"), assistant(f"answer {n} 答"))]
    tell(api, *turns, session=session)
    body = context(api, session, query="And now?")
    assert contents(body)[0] == "question 0 问" and len(body["messages"]) == 27
    assert body["left_out"] == []


def test_a_tool_s_result_is_fenced_and_cut_last(api: Api) -> None:
    session = open_session(api)
    rows = "G7 13:05 139.5 元；" * 1500
    events = tell(
        api, user("查南京的车"), {"role": "tool", "content": rows, "name": "trains"},
        assistant("下午有五趟。"), session=session,
    )["events"]  # fmt: skip
    body = context(api, session, query="哪趟最便宜？", budget=1000)
    (tool,) = [text for text in contents(body) if "<tool>" in text]
    assert "已截断" in tool and tool.endswith("</tool>")
    assert {"part": "recent", "reason": "cut", "events": [events[1]]} in body["left_out"]
    assert "下午有五趟。" in contents(body) and "查南京的车" in contents(body)


def test_stored_system_text_stands_in_where_none_is_given(api: Api) -> None:
    session = open_session(api)
    tell(api, {"role": "system", "content": "Be brief."}, user("hello there Bo"), session=session)
    assert contents(context(api, session))[0] == "Be brief."
    given = contents(context(api, session, system="Be long."))
    assert given[0] == "Be long." and "Be brief." not in given


def test_an_unknown_task_is_said_to_be_missing(api: Api) -> None:
    body = context(api, open_session(api), query="hi", task_id="nothing 无")
    assert ("task", "missing") in reasons(body)


def test_text_is_one_text(api: Api) -> None:
    session = open_session(api)
    tell(api, user("我住在苏州。"), assistant("记下了。"), session=session)
    body = context(api, session, query="苏州有什么好玩的？", format="text")
    assert "messages" not in body
    assert body["text"].endswith("用户：苏州有什么好玩的？") and "助手：记下了。" in body["text"]
    assert count_tokens(body["text"]) <= sum(body["tokens"].values())


def test_anthropic_s_form_has_system_text_apart(api: Api) -> None:
    session = open_session(api)
    tell(api, user("我住在苏州。"), assistant("记下了。"), session=session)
    asked = {"query": "苏州有什么好玩的？", "system": "Be brief.", "format": "anthropic"}
    body = context(api, session, **asked)
    assert body["system"].startswith("Be brief.") and "text" not in body
    assert [one["role"] for one in body["messages"]] == ["user", "assistant", "user"]
    assert contents(body)[-1].endswith("苏州有什么好玩的？")


# --- the budget ----------------------------------------------------------------------------------


def test_never_over_the_budget(api: Api) -> None:
    session = open_session(api)
    known = ("我对花生过敏。", "以后所有报告都用中文写。", "我喜欢爬山，尤其是黄山。")
    tell(api, *known, session=session)
    tell(api, *[user(f"第 {n} 个问题 about hiking {n}") for n in range(20)], session=session)
    asked = {"query": "黄山爬山怎么走？"}
    for budget in (40, 100, 160, 250, 400, 8000, 128_000):
        for style in ("messages", "text"):
            body = context(api, session, budget=budget, format=style, **asked)
            assert sum(body["tokens"].values()) <= budget
            said = contents(body) if style == "messages" else [body["text"]]
            assert sum(map(count_tokens, said)) <= budget


def test_a_desk_of_a_hundred_tokens_over_five_turns(api: Api) -> None:
    session = open_session(api)
    for number in range(5):
        query = f"第 {number} 轮：杭州哪里好玩？"
        body = context(api, session, query=query, budget=100)
        assert sum(body["tokens"].values()) <= 100
        assert contents(body)[-1] == query
        if number:
            assert f"西湖 {number - 1}" in contents(body)[-2]
        tell(api, user(query), assistant(f"去看看西湖 {number} 吧，早上人少。"), session=session)


def test_system_text_and_new_message_over_the_budget_are_413(api: Api) -> None:
    session = open_session(api)
    asked = {"query": "问题" * 30, "system": "系统" * 100, "budget": 100}
    found = problem(api("POST", f"sessions/{session}/context", asked), 413, "too_large")
    assert "100" in found["detail"] and "系统" not in found["detail"]


def test_a_body_of_another_shape_is_400(api: Api) -> None:
    session = open_session(api)
    bodies: tuple[dict[str, object], ...] = (
        {"budget": 0}, {"budget": 128_001}, {"budget": "all"}, {"format": "xml"}, {"query": 7},
        {"task_id": ""}, {"user_id": "alice"}, {"query": "x" * 32_001}, {"task_id": "a\x01"},
    )  # fmt: skip
    for asked in bodies:
        problem(api("POST", f"sessions/{session}/context", asked), 400, "invalid_input")


# --- whose it is ---------------------------------------------------------------------------------


def test_another_agent_s_or_person_s_session_is_404(api: Api, cast: Cast) -> None:
    session = open_session(api)
    tell(api, "我住在苏州。", session=session)
    for other in ("low", "colleague", "stranger", "bob"):
        answer = Api(cast.keys[other])("POST", f"sessions/{session}/context", {"query": "苏州"})
        problem(answer, 404, "not_found")
    assert contents(context(Api(cast.keys["alice"]), session, query="苏州"))


def test_one_name_under_two_people_shares_nothing(api: Api, cast: Cast) -> None:
    make_grant(cast.agents["assistant"], cast.bob)
    alice, bob = open_session(api, "shared"), open_session(api, "shared", user_id="bob")
    tell(api, "I am Tove and I only eat fish on Fridays.", session=alice)
    body = context(api, bob, query="What do I eat on Fridays? What is my name?")
    assert "Tove" not in str(body) and "fish" not in str(body)
