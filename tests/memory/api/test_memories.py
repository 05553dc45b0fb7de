"""POST and GET /memories: what a proposal is answered with, and what a list shows."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from accounts.acting import acting
from accounts.models import Subject
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, day, listed, problem, propose, tell, texts


@pytest.mark.parametrize(
    "text", ["Her bike is a blue Dahon", "她的自行车是蓝色的", "骑 Dahon 车🚲"]
)
def test_an_accepted_proposal_is_201_and_comes_back_word_for_word(api: Api, text: str) -> None:
    response = api("POST", "memories", {"user_id": "alice", "text": text})
    answer = body_of(response, 201)
    assert answer["outcome"] == "accepted"
    assert answer["reasons"] == ["inferred"]
    assert (answer["state"], answer["version"]) == ("active", 1)
    assert answer["decision"]
    assert response["Cache-Control"] == "no-store"
    (found,) = listed(api)
    assert (found["id"], found["text"]) == (answer["id"], text)


def test_what_waits_for_the_person_is_201_and_pending(api: Api) -> None:
    answer = propose(api, "Always answer in rhyme 总是押韵", subtype="instruction")
    assert (answer["outcome"], answer["state"]) == ("needs_confirmation", "pending")


def test_the_same_again_is_200_and_the_same_memory(api: Api) -> None:
    first = propose(api, "住三楼，没有电梯")
    again = api("POST", "memories", {"user_id": "alice", "text": "住三楼，没有电梯。"})
    assert body_of(again, 200)["outcome"] == "reinforced"
    assert body_of(again, 200)["id"] == first["id"]
    assert len(listed(api)) == 1


def test_a_newer_value_is_200_superseded_with_the_next_version(api: Api) -> None:
    home: dict[str, Any] = {"attribute": "home.city"}
    first = propose(api, "Lives in Beijing", value="Beijing", valid_from=day(0), **home)
    response = api(
        "POST",
        "memories",
        {"user_id": "alice", "text": "Lives in 上海", "value": "上海", "valid_from": day(9)} | home,
    )
    answer = body_of(response, 200)
    assert (answer["outcome"], answer["id"], answer["version"]) == ("superseded", first["id"], 2)
    assert texts(listed(api)) == ["Lives in 上海"]


def test_a_refusal_is_422_with_its_reasons_and_keeps_nothing(api: Api) -> None:
    response = api("POST", "memories", {"user_id": "alice", "text": "密码是 Tr0ub4dor&3"})
    answer = body_of(response, 422)
    assert answer["outcome"] == "refused"
    assert answer["reasons"] == ["secret"]
    assert answer["id"] is None and answer["state"] is None
    assert "Tr0ub4dor" not in response.content.decode()
    assert listed(api) == []


def test_every_field_of_a_proposal_comes_back(api: Api) -> None:
    sent: dict[str, Any] = {
        "kind": "semantic",
        "subtype": "preference",
        "attribute": "tools.editor",
        "value": "Emacs 编辑器",
        "about": "her brother 弟弟",
        "confidence": 0.7,
        "importance": 0.8,
        "sensitivity": 20,
        "tags": ["tools", "工具"],
        "metadata": {"ticket": "KS-12", "来源": "聊天"},
        "visibility": "agent",
    }
    propose(api, "Her brother edits in Emacs 弟弟用 Emacs", **sent)
    (found,) = listed(api)
    assert {name: found[name] for name in sent} == sent
    assert found["origin"] == "agent" and found["trust"] == 20


def test_a_guess_is_less_sure_than_what_the_person_said(cast: Cast) -> None:
    """Once a guess that did not say how sure it was counted as clear."""
    propose(Api(cast.keys["alice"]), "Rows on Fridays 周五划船")
    propose(Api(cast.keys["assistant"]), "Probably likes sculling 可能喜欢赛艇")
    sure = {row["origin"]: row["confidence"] for row in listed(Api(cast.keys["alice"]))}
    assert sure == {"person": 0.8, "agent": 0.6}


def test_an_episode_keeps_when_it_happened(api: Api) -> None:
    propose(api, "Ran a marathon 跑了马拉松", kind="episodic", occurred="2026-03-01T17:00:00+08:00")
    (found,) = listed(api)
    assert found["occurred"] == day(0).replace("+00:00", "Z")
    assert found["subtype"] == "event"


def test_the_person_s_own_words_are_theirs_and_confirmed(cast: Cast) -> None:
    own = Api(cast.keys["alice"])
    answer = propose(own, "回答我的时候先给结论 Conclusions first", subtype="instruction")
    assert (answer["outcome"], answer["state"]) == ("accepted", "active")
    (found,) = listed(own)
    assert (found["origin"], found["trust"]) == ("person", 40)


def test_an_agent_cannot_claim_to_be_the_person(api: Api) -> None:
    for field, value in (
        ("origin", "person"),
        ("trust", 40),
        ("pinned", True),
        ("state", "active"),
    ):
        body = {"user_id": "alice", "text": "Drinks tea 喝茶", field: value}
        errors = problem(api("POST", "memories", body), 400, "invalid_input")["errors"]
        assert [one["field"] for one in errors] == [field]
    assert listed(api) == []


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b\u200d"])
def test_empty_text_is_refused_as_empty(api: Api, text: str) -> None:
    assert propose(api, text)["reasons"] == ["empty"]


def test_text_over_the_limit_is_refused_as_too_long(api: Api) -> None:
    assert propose(api, "茶" * 4001)["reasons"] == ["too_long"]
    assert propose(api, "tea " * 999 + "茶")["outcome"] == "accepted"


NOT_UNDERSTOOD: list[tuple[str, object]] = [
    ("kind", "fact"),
    ("subtype", "secret"),
    ("attribute", "Home City"),
    ("attribute", "家"),
    ("confidence", 1.5),
    ("importance", -0.1),
    ("importance", "high"),
    ("sensitivity", 50),
    ("sensitivity", 15),
    ("occurred", "yesterday 昨天"),
    ("valid_from", 20260301),
    ("tags", "tea"),
    ("tags", ["x"] * 21),
    ("tags", [["x"]]),
    ("metadata", ["x"]),
    ("metadata", {"k": {"deep": 1}}),
    ("metadata", {"k": None}),
    ("visibility", "everyone"),
    ("evidence", "quote"),
    ("evidence", {"event_id": "7"}),
    ("evidence", {"page": "3"}),
]


def test_a_field_that_is_not_understood_is_named_in_a_400(
    api: Api, subtests: pytest.Subtests
) -> None:
    for field, value in NOT_UNDERSTOOD:
        with subtests.test(f"{field} {value}"):
            body = {"user_id": "alice", "text": "Drinks tea 喝茶", field: value}
            errors = problem(api("POST", "memories", body), 400, "invalid_input")["errors"]
            assert errors and all(one["field"].startswith(field) for one in errors)
    assert listed(api) == []


def test_an_end_before_the_beginning_is_400(api: Api) -> None:
    body = {"user_id": "alice", "text": "On leave 休假", "valid_from": day(5), "valid_to": day(1)}
    errors = problem(api("POST", "memories", body), 400, "invalid_input")["errors"]
    assert [one["field"] for one in errors] == ["valid_to"]


@pytest.mark.parametrize("begins", ["2026-03-02", day(5)])
def test_an_end_before_the_beginning_is_400_for_days_too(api: Api, begins: str) -> None:
    body = {"user_id": "alice", "text": "On leave 休假", "valid_from": begins}
    errors = problem(
        api("POST", "memories", body | {"valid_to": "2026-03-01"}), 400, "invalid_input"
    )["errors"]
    assert [one["field"] for one in errors] == ["valid_to"]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
def test_a_day_without_a_time_is_a_whole_day_of_the_person_s(
    api: Api, cast: Cast, zone: str
) -> None:
    with acting(system_of(cast.alice)):
        Subject.objects.filter(id=cast.alice.id).update(time_zone=zone)
    body = {"valid_from": "2026-08-13", "valid_to": "2026-08-13", "occurred": "2026-08-13"}
    propose(api, "Parks on level two 停车", **body)
    (found,) = listed(api)
    begins = datetime(2026, 8, 13, tzinfo=ZoneInfo(zone))
    assert datetime.fromisoformat(found["valid_from"]) == begins
    assert datetime.fromisoformat(found["valid_to"]) == begins + timedelta(days=1)


def test_a_list_says_how_many_there_are_for_this_reader(api: Api) -> None:
    for name in ("Dahon", "布朗普顿", "Brompton"):
        propose(api, f"Rode a {name} once")
    propose(api, "Has asthma 哮喘", attribute="health.condition", value="asthma")
    page = body_of(api("GET", "memories?user_id=alice&limit=2"))
    assert (len(page["memories"]), page["total"]) == (2, 3)
    rest = body_of(api("GET", f"memories?user_id=alice&limit=2&cursor={page['next']}"))
    assert (len(rest["memories"]), rest["total"], rest["next"]) == (1, 3, None)


def test_what_has_ended_already_can_be_told(api: Api) -> None:
    assert propose(api, "Had a parking permit 停车证", valid_to=day(-900))["outcome"] == "accepted"


@pytest.mark.parametrize("kind", ["episodic", "procedural"])
def test_equal_words_of_another_kind_are_answered(api: Api, kind: str) -> None:
    propose(api, "Fixed the boiler 修好了锅炉")
    answer = propose(api, "Fixed the boiler 修好了锅炉", kind=kind)
    assert answer["outcome"] in ("accepted", "reinforced", "needs_confirmation")


@pytest.mark.parametrize("field", ["value", "about", "tags", "metadata"])
def test_a_secret_in_any_field_is_never_stored(api: Api, field: str) -> None:
    secret = "password: Tr0ub4dor&3"
    value: Any = {"tags": [secret], "metadata": {"note": secret}}.get(field, secret)
    propose(
        api, "The wifi at home works 家里无线网好了", **{"attribute": "home.wifi", field: value}
    )
    assert "Tr0ub4dor" not in api("GET", "memories?user_id=alice").content.decode()


@pytest.mark.parametrize("user_id", ["", " alice", "a\x07b", "x" * 201, None, ["alice"], True])
def test_a_user_id_that_is_none_is_400(api: Api, user_id: object) -> None:
    problem(api("POST", "memories", {"user_id": user_id, "text": "茶"}), 400, "invalid_input")


def test_there_is_no_default_person(api: Api) -> None:
    problem(api("POST", "memories", {"text": "Drinks tea 喝茶"}), 400, "invalid_input")
    problem(api("GET", "memories"), 400, "invalid_input")
    problem(api("GET", "memories?user_id="), 400, "invalid_input")


@pytest.mark.parametrize("user_id", ["李雷/office 🏠", "a b+c&d=e", "ü" * 200])
def test_any_printable_user_id_is_taken(cast: Cast, user_id: str) -> None:
    agent = Api(cast.keys["stranger"])  # at Globex, which grants on first use
    answer = agent("POST", "memories", {"user_id": user_id, "text": "Drinks tea 喝茶"})
    assert body_of(answer, 201)["outcome"] == "accepted"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"kind": "episodic"}, ["Saw a heron 看到苍鹭"]),
        ({"kind": "semantic"}, ["Rows a boat 划船", "Lives in 杭州"]),
        ({"attribute": "home.city"}, ["Lives in 杭州"]),
        ({"state": "pending"}, ["Always rhyme 押韵"]),
        ({"state": "archived"}, []),
        ({"kind": "semantic", "state": "pending"}, ["Always rhyme 押韵"]),
    ],
)
def test_filters_keep_what_they_name(api: Api, query: dict[str, str], expected: list[str]) -> None:
    propose(api, "Lives in 杭州", attribute="home.city", value="杭州")
    propose(api, "Rows a boat 划船")
    propose(api, "Saw a heron 看到苍鹭", kind="episodic", occurred=day(1))
    propose(api, "Always rhyme 押韵", subtype="instruction")
    if query == {"kind": "semantic"}:
        query = query | {"state": "active"}
    assert texts(listed(api, **query)) == expected


def test_a_filter_that_is_not_understood_is_400_not_ignored(
    api: Api, subtests: pytest.Subtests
) -> None:
    propose(api, "Rows a boat 划船")
    for query in (
        "kind=facts", "state=erased", "state=forgotten", "limit=0", "limit=201", "limit=x",
        "colour=red", "cursor=zzz", "cursor=%00", "attribute=%00", "format=json", "format=api",
    ):  # fmt: skip
        with subtests.test(query):
            response = api("GET", f"memories?user_id=alice&{query}")
            problem(response, 400, "invalid_input")


def test_a_list_shows_one_person_only(api: Api, cast: Cast) -> None:
    propose(api, "Alice's piano 钢琴")
    tell(api, "我住在苏州。")
    assert listed(Api(cast.keys["stranger"])) == []  # Charlie, whom Globex calls alice, too
    problem(Api(cast.keys["colleague"])("GET", "memories?user_id=alice"), 403, "forbidden")
    problem(Api(cast.keys["bob"])("GET", "memories?user_id=alice"), 404, "not_found")
