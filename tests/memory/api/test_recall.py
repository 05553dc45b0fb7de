"""POST /recall: the shape of each answer, and every limit of a question."""

import uuid
from typing import Any

import pytest

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.models import Memory, RecalledMemory, RecallLog
from tests.cast import Api, Cast, agent_key, make_agent, make_grant, system_of
from tests.memory.wire import body_of, problem, propose, recall, tell, texts


def test_a_found_memory_says_what_why_and_from_where(api: Api) -> None:
    told = tell(api, "我最近在学吹尺八。")
    answer = recall(api, "最近学吹尺八")
    assert answer["status"] == "found"
    (item,) = answer["memories"]
    assert item["text"] == "我最近在学吹尺八。"
    assert item["why"] and set(item["why"]) <= {"meaning", "words"}
    assert item["evidence"] == told["events"]
    assert (item["origin"], item["trust"], item["version"]) == ("person", 30, 1)
    assert 0 < item["score"] <= 1
    parts = {"relevance", "recency", "importance", "confidence", "cosine", "bm25"}
    assert set(item["score_breakdown"]) == parts
    assert (answer["policy"], answer["degraded"], answer["held_back"]) == ("default", [], {})
    assert str(uuid.UUID(answer["recall_id"])) == answer["recall_id"]


def test_nothing_relevant_is_an_answer_of_its_own(api: Api) -> None:
    propose(api, "Her canary is called Pip 金丝雀叫皮皮")
    answer = recall(api, "Which mountains are volcanic? 火山")
    assert (answer["status"], answer["memories"], answer["degraded"]) == (
        "nothing_relevant",
        [],
        [],
    )


def test_nobody_s_memory_is_empty_not_an_error(cast: Cast) -> None:
    answer = recall(Api(cast.keys["stranger"]), "anything 什么", user_id="new person 新人")
    assert answer["status"] == "nothing_relevant" and answer["profile"] == []


def test_recall_is_never_cached_and_never_a_get(api: Api) -> None:
    assert api("POST", "recall", {"user_id": "alice", "query": "茶"})["Cache-Control"] == "no-store"
    problem(api("GET", "recall?user_id=alice&query=tea"), 405, "method_not_allowed")


def test_the_log_of_a_recall_holds_ids_and_no_word_of_the_question(api: Api, cast: Cast) -> None:
    memory = propose(api, "Keeps bees at the allotment 养蜂")["id"]
    answer = recall(api, "bees 养蜂 zanzibar", purpose="planning")
    with acting(system_of(cast.alice)):
        log = RecallLog.objects.get(id=answer["recall_id"])
        handed = list(RecalledMemory.objects.filter(recall=log).values_list("memory_id", "rank"))
        counted = Memory.objects.get(id=memory)
    assert (log.status, log.purpose, log.result_count) == ("found", "planning", 1)
    assert handed == [(uuid.UUID(str(memory)), 1)]
    assert counted.recall_count == 1 and counted.last_recalled_at is not None
    line = AuditEvent.objects.get(code="memory.recalled")
    assert line.result_count == 1
    assert "zanzibar" not in f"{vars(line)} {vars(log)}"


NOT_UNDERSTOOD: list[tuple[str, object]] = [
    ("query", ""),
    ("query", "   "),
    ("query", "茶" * 8001),
    ("query", ["tea"]),
    ("top_k", 0),
    ("top_k", 51),
    ("top_k", "many"),
    ("top_k", 2.5),
    ("max_tokens", 0),
    ("max_tokens", 128_001),
    ("filters", {"colour": ["red"]}),
    ("filters", {"state": ["erased"]}),
    ("filters", {"kind__in": ["semantic"]}),
    ("filters", {"kind": "poem"}),
    ("filters", ["kind"]),
    ("as_of", "last spring 去年春天"),
    ("known_at", 7),
    ("policy", "everything"),
    ("purpose", "x" * 51),
    ("include_profile", "perhaps"),
    ("subject_id", "7"),
    ("threshold", 0),
]


def test_what_a_question_cannot_hold_is_named_in_a_400(api: Api, subtests: pytest.Subtests) -> None:
    propose(api, "Drinks oolong tea 乌龙茶")
    for field, value in NOT_UNDERSTOOD:
        with subtests.test(f"{field} {str(value)[:20]}"):
            body = {"user_id": "alice", "query": "tea 茶"} | {field: value}
            found = problem(api("POST", "recall", body), 400, "invalid_input")
            assert field.rstrip("s") in found["detail"]


def test_the_longest_question_and_the_widest_limits_are_taken(api: Api) -> None:
    propose(api, "Drinks oolong tea 乌龙茶")
    answer = recall(api, "乌龙茶 " * 2000, top_k=50, max_tokens=128_000)
    assert answer["status"] == "found"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kind": ["semantic"]}, {"Owns a kayak 皮划艇"}),
        ({"kind": ["episodic"]}, {"Capsized the kayak 皮划艇翻了"}),
        (
            {"kind": ["semantic", "episodic"]},
            {"Owns a kayak 皮划艇", "Capsized the kayak 皮划艇翻了"},
        ),
        ({"subtype": ["event"]}, {"Capsized the kayak 皮划艇翻了"}),
        ({"attribute": ["sport.kit"]}, {"Owns a kayak 皮划艇"}),
        ({"origin": ["person"]}, set()),
        ({"kind": []}, set()),
    ],
)
def test_filters_narrow_what_is_searched(
    api: Api, filters: dict[str, Any], expected: set[str]
) -> None:
    propose(api, "Owns a kayak 皮划艇", attribute="sport.kit", value="kayak")
    propose(api, "Capsized the kayak 皮划艇翻了", kind="episodic", occurred="2026-01-02T10:00:00Z")
    assert set(texts(recall(api, "kayak 皮划艇", filters=filters)["memories"])) == expected


def test_a_grant_without_kinds_finds_nothing(cast: Cast) -> None:
    blind = make_agent(cast.acme, "blind")
    make_grant(blind, cast.alice, kinds=[])
    assert recall(Api(agent_key(blind)), "kayak 皮划艇")["status"] == "nothing_relevant"


def test_top_k_is_never_exceeded_and_what_was_held_back_is_counted(api: Api) -> None:
    for colour in ("red 红", "green 绿", "blue 蓝"):
        propose(api, f"Has a {colour} kayak 皮划艇")
    answer = recall(api, "kayak 皮划艇", top_k=2)
    assert len(answer["memories"]) == 2
    assert answer["held_back"]["over_top_k"] == 1


def test_max_tokens_is_never_exceeded(api: Api) -> None:
    propose(api, "Has a kayak 皮划艇, kept on the roof 放在屋顶")
    answer = recall(api, "kayak 皮划艇", max_tokens=3)
    assert answer["memories"] == [] and answer["held_back"]["over_budget"] == 1


def test_the_profile_can_be_left_out(api: Api) -> None:
    tell(api, "我对花生过敏。")
    assert texts(recall(api, "推荐早餐")["profile"]) == ["我对花生过敏。"]
    assert recall(api, "推荐早餐", include_profile=False)["profile"] == []


def test_the_policy_profile_only_searches_nothing(api: Api) -> None:
    tell(api, "我对花生过敏。", "我最近在学吹尺八。")
    answer = recall(api, "尺八", policy="profile_only")
    assert answer["memories"] == [] and answer["policy"] == "profile_only"
    assert texts(answer["profile"]) == ["我对花生过敏。"]


@pytest.mark.parametrize(
    ("caller", "status", "code"),
    [
        ("colleague", 403, "forbidden"),
        ("paused", 403, "forbidden"),
        ("lapsed", 403, "forbidden"),
        ("off", 403, "forbidden"),
        ("bob", 404, "not_found"),
    ],
)
def test_who_may_not_read_is_told_so_and_sees_nothing(
    api: Api, cast: Cast, caller: str, status: int, code: str
) -> None:
    propose(api, "Owns a kayak 皮划艇")
    response = Api(cast.keys[caller])("POST", "recall", {"user_id": "alice", "query": "kayak"})
    problem(response, status, code)
    assert "皮划艇" not in response.content.decode()


def test_the_person_s_own_key_recalls_too(api: Api, cast: Cast) -> None:
    propose(api, "Owns a kayak 皮划艇")
    assert texts(recall(Api(cast.keys["alice"]), "kayak")["memories"]) == ["Owns a kayak 皮划艇"]


def test_an_empty_body_names_what_is_missing(api: Api) -> None:
    errors = problem(api("POST", "recall", {}), 400, "invalid_input")["errors"]
    assert {one["field"] for one in errors} == {"user_id", "query"}
    body_of(api("POST", "recall", {"user_id": "alice", "query": "茶"}))
