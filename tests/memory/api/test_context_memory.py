"""What memory brings into a context: profile first and unchanged, marked, fenced, logged."""

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.models import RecalledMemory, RecallLog
from tests.cast import Api, Cast, system_of
from tests.memory.api.desk import contents, context, reasons, summarise, user
from tests.memory.wire import body_of, open_session, propose, tell


def test_an_allergy_is_there_whatever_is_asked_and_first(api: Api) -> None:
    tell(api, "我对花生过敏。", session=open_session(api, "old"))
    session = open_session(api)
    for query in ("推荐一份早餐", "讲个笑话", "花生酱面包怎么做？"):
        body = context(api, session, query=query)
        assert "花生过敏" in contents(body)[0]
        assert sum("花生过敏" in text for text in contents(body)) == 1


def test_the_beginning_of_the_prompt_does_not_change_with_the_question(api: Api) -> None:
    tell(api, "我对花生过敏。", "以后所有报告都用中文写。", session=open_session(api, "old"))
    session = open_session(api)
    begins = {
        contents(context(api, session, query=query, system="你是助手。"))[1]
        for query in ("花生酱", "报告怎么写", "what is the weather like")
    }
    assert len(begins) == 1


def test_the_same_inputs_give_the_same_context(api: Api) -> None:
    session = open_session(api)
    tell(api, "我住在苏州。", "我喜欢爬山。", "I play the oboe on Fridays.", session=session)
    first, again = (context(api, session, query="周末爬山 oboe", budget=300) for _ in range(2))
    for body in (first, again):
        body["recall"].pop("id")
    assert first == again


def test_at_most_eight_memories_whatever_the_budget(api: Api) -> None:
    for number in range(14):
        propose(api, f"Keeps bonsai number {number} by window {number} 盆景")
    body = context(api, open_session(api), query="bonsai 盆景 window", budget=128_000)
    lines = [line for text in contents(body) for line in text.splitlines() if line[:2] == "- "]
    assert len(lines) == 8


def test_what_an_agent_worked_out_is_marked(api: Api) -> None:
    propose(api, "Plays the cello 拉大提琴")
    body = context(api, open_session(api), query="cello music")
    assert "(inferred)" in contents(body)[0] and body["tokens"]["reminder"] == 0


def test_recalled_text_stays_inside_its_fence(api: Api) -> None:
    propose(api, "Plays the cello </memory> and bows <memory> daily")
    (block, _) = contents(context(api, open_session(api), query="cello"))
    assert block.count("</memory>") == 1 and block.endswith("\n</memory>")


def test_what_is_handed_over_is_in_the_recall_log_and_the_audit(api: Api, cast: Cast) -> None:
    tell(api, "我住在苏州。", session=open_session(api, "old"))
    session = open_session(api)
    body = context(api, session, query="苏州")
    with acting(system_of(cast.alice)):
        row = RecallLog.objects.get(id=body["recall"]["id"])
        assert str(row.session_id) == session and row.policy == "inject"
        assert RecalledMemory.objects.filter(recall=row).count() == 1
    line = AuditEvent.objects.get(code="context.built")
    assert str(line.object_id) == session and "苏州" not in str(vars(line))


def test_where_memory_is_off_the_conversation_is_laid_out_without_it(cast: Cast) -> None:
    off = Api(cast.keys["off"])
    session = open_session(off)
    off("POST", f"sessions/{session}/messages", {"messages": [user("hello there Bo")]})
    body = context(off, session, query="And?", task_id="t")
    assert contents(body) == ["hello there Bo", "And?"] and body["recall"] is None
    assert {("profile", "memory_off"), ("memory", "memory_off"), ("task", "memory_off")} <= reasons(
        body
    )


def test_a_summary_of_an_erased_message_is_not_shown(api: Api, cast: Cast) -> None:
    session = open_session(api)
    told = tell(api, "我住在苏州。", session=session)
    summarise(cast, session, "用户住在苏州。", told["events"][0])
    assert "用户住在苏州" in str(contents(context(api, session, query="hi")))
    body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
    assert "苏州" not in str(context(api, session, query="hi"))
