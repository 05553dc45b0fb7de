"""What a recall brings back, for whom and as of when."""

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from accounts.acting import acting
from memory.models import Memory, Version
from memory.providers.embedding import reset_embedder
from tests.cast import Api, Cast, agent_key, make_agent, make_grant, system_of
from tests.memory.wire import body_of, day, propose, recall, tell, texts


def change(cast: Cast, memory: object, **columns: Any) -> None:
    """Put a memory into a state that no call of the API leads to yet."""
    with acting(system_of(cast.alice)):
        assert Memory.objects.filter(id=str(memory)).update(**columns) == 1


def found(api: Api, query: str, **options: Any) -> list[str]:
    return texts(recall(api, query, **options)["memories"])


# --- meaning, with the embedder that is shipped --------------------------------------------------


@pytest.fixture
def meaning(cast: Cast, settings: Settings) -> Iterator[None]:
    """Search with the default embedder."""
    settings.EMBEDDER = "e5s-use-896"
    reset_embedder()
    yield
    reset_embedder()


def test_a_wish_in_chinese_is_found_in_english_until_it_is_erased(api: Api, meaning: None) -> None:
    tell(api, "以后所有报告都用中文写，先给数字。")
    question = "What language should the report be written in?"
    (item,) = recall(api, question)["memories"]
    assert item["text"] == "以后所有报告都用中文写，先给数字。"
    body_of(api("DELETE", f"memories/{item['id']}"))
    after = recall(api, question)
    assert (after["status"], after["memories"], after["profile"]) == ("nothing_relevant", [], [])


def test_what_answers_one_of_two_questions_is_as_close_as_if_it_were_asked_alone(
    api: Api, meaning: None
) -> None:
    tell(api, "My dentist is Dr Okafor.", "我们的数据库是 PostgreSQL 16。")
    first, second = "Who is my dentist?", "我们用哪个数据库？"

    def cosines(query: str) -> dict[str, float]:
        found_ = recall(api, query, policy="inject")["memories"]
        return {one["text"]: one["score_breakdown"]["cosine"] for one in found_}

    both = cosines(f"{first} {second}")
    assert len(both) == 2
    for alone in (first, second):
        assert all(both[text] >= cosine - 1e-3 for text, cosine in cosines(alone).items())


def test_what_is_far_from_the_question_stays_out_however_fresh_and_important(
    api: Api, meaning: None
) -> None:
    tell(api, "我们的数据库是 PostgreSQL 16。", "I like hiking on weekends.", "我养了两只猫。")
    assert found(api, "What is the boiling point of mercury?") == []
    assert found(api, "Which database do we use?")[0] == "我们的数据库是 PostgreSQL 16。"
    assert found(api, "周末去哪儿玩")[0] == "I like hiking on weekends."


# --- the profile ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "question"),
    [("我对花生过敏。", "推荐早餐"), ("I'm allergic to peanuts.", "Suggest a breakfast")],
)
def test_an_allergy_comes_along_when_breakfast_is_asked_for(
    api: Api, said: str, question: str
) -> None:
    tell(api, said)
    answer = recall(api, question)
    assert (texts(answer["memories"]), texts(answer["profile"])) == ([], [said])
    assert answer["profile"][0]["why"] == ["profile"]
    assert "score" not in answer["profile"][0]


def test_what_answers_the_question_is_listed_once(api: Api) -> None:
    tell(api, "我对花生过敏。", "以后报告都用中文写。")
    answer = recall(api, "我对花生过敏吗")
    assert texts(answer["memories"]) == ["我对花生过敏。"]
    assert texts(answer["profile"]) == ["以后报告都用中文写。"]


@pytest.mark.parametrize(
    "filters", [{"kind": ["episodic"]}, {"attribute": ["home.city"]}, {"origin": ["agent"]}]
)
def test_no_filter_hides_a_safety_fact(api: Api, filters: dict[str, list[str]]) -> None:
    tell(api, "我对花生过敏。")
    assert texts(recall(api, "推荐早餐", filters=filters)["profile"]) == ["我对花生过敏。"]


def test_safety_comes_first_then_what_lasts(api: Api) -> None:
    tell(
        api, "以后报告都用中文写。", "我住在苏州。", "I play the oboe on Fridays.", "我对花生过敏。"
    )
    profile = texts(recall(api, "anything 什么")["profile"])
    assert profile == ["我对花生过敏。", "以后报告都用中文写。", "我住在苏州。"]


def test_an_instruction_for_one_topic_waits_for_the_topic(api: Api) -> None:
    tell(api, "From now on, when you write SQL, use upper case.")
    assert recall(api, "推荐早餐")["profile"] == []


# --- when ----------------------------------------------------------------------------------------


def test_as_of_brings_back_where_the_person_lived_then(api: Api) -> None:
    for at, text in ((0, "我住在北京。"), (10, "我搬到上海了。")):
        tell(api, {"role": "user", "content": text, "at": day(at)})
    asked = "我住在哪里 北京 上海"
    assert found(api, asked) == ["我搬到上海了。"]
    assert found(api, asked, as_of=day(12)) == ["我搬到上海了。"]
    assert found(api, asked, as_of=day(5)) == ["我住在北京。"]
    assert found(api, asked, as_of=day(0)) == ["我住在北京。"]
    assert found(api, asked, as_of=day(-1)) == []


def test_known_at_brings_back_what_was_known_then(api: Api) -> None:
    memory = propose(api, "Plays the cello 大提琴")["id"]
    then = timezone.now()
    time.sleep(0.01)
    api("PATCH", f"memories/{memory}", {"text": "Plays the viola 中提琴"}, If_Match='"1"')
    propose(api, "Plays the oboe 双簧管")
    assert set(found(api, "Plays 琴 cello viola oboe")) == {
        "Plays the viola 中提琴",
        "Plays the oboe 双簧管",
    }
    past = then - timedelta(days=1)
    assert found(api, "Plays cello viola oboe", known_at=past.isoformat()) == []


@pytest.mark.parametrize("corrected", [True, False])
def test_known_at_before_a_change_brings_back_the_old_wording(
    api: Api, cast: Cast, corrected: bool
) -> None:
    said = {"role": "user", "content": "我住在北京。", "at": day(0)}
    memory = tell(api, said)["decisions"][0]["id"]
    then = timezone.now().isoformat()
    time.sleep(0.01)
    if corrected:
        new = {"text": "我住在上海。"}
        body_of(Api(cast.keys["alice"])("PATCH", f"memories/{memory}", new, If_Match='"1"'))
    else:
        tell(api, {"role": "user", "content": "我搬到上海了。", "at": day(10)})
    assert found(api, "我住在哪里 北京 上海", known_at=then) == ["我住在北京。"]


def test_what_has_ended_is_not_recalled_and_what_is_to_come_is(api: Api, cast: Cast) -> None:
    ended = propose(api, "Rents a locker 储物柜", valid_from=day(0), valid_to=day(3))["id"]
    propose(api, "Rents a garage locker 储物柜", valid_from="2090-01-01T00:00:00Z")
    assert found(api, "locker 储物柜") == ["Rents a garage locker 储物柜"]
    assert found(api, "locker 储物柜", as_of=day(1)) == ["Rents a locker 储物柜"]
    with acting(system_of(cast.alice)):
        assert Version.objects.filter(memory_id=ended).count() == 1


# --- which states --------------------------------------------------------------------------------

LATER = {"undo_until": timezone.now() + timedelta(days=1), "previous_state": "active"}


@pytest.mark.parametrize("state", ["pending", "paused", "disputed", "archived", "forgotten"])
def test_only_what_is_in_use_is_recalled(api: Api, cast: Cast, state: str) -> None:
    kayak = propose(api, "Owns a kayak 皮划艇")["id"]
    allergy = tell(api, "我对花生过敏。")["decisions"][0]["id"]
    for memory in (kayak, allergy):
        change(cast, memory, state=state, **(LATER if state == "forgotten" else {}))
    for caller in ("assistant", "alice"):
        answer = recall(Api(cast.keys[caller]), "kayak 皮划艇 花生过敏")
        assert (answer["memories"], answer["profile"], answer["held_back"]) == ([], [], {})
        assert answer["status"] == "nothing_relevant"


def test_what_has_expired_is_not_recalled(api: Api, cast: Cast) -> None:
    memory = propose(api, "Owns a kayak 皮划艇")["id"]
    change(cast, memory, expires_at=timezone.now())
    assert found(api, "kayak 皮划艇") == []


# --- who -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("low", {"Sails 帆船 boats"}),
        ("assistant", {"Sails 帆船 boats", "Sails from 苏州 帆船 harbour"}),
        ("alice", {"Sails 帆船 boats", "Sails from 苏州 帆船 harbour", "Sails, call 13800138000 帆船"}),
    ],
)  # fmt: skip
def test_nobody_gets_what_is_above_their_clearance_nor_a_hint_of_it(
    api: Api, cast: Cast, caller: str, expected: set[str]
) -> None:
    own = Api(cast.keys["alice"])
    propose(own, "Sails 帆船 boats")
    propose(own, "Sails from 苏州 帆船 harbour", sensitivity=20)
    propose(own, "Sails, call 13800138000 帆船")
    answer = recall(Api(cast.keys[caller]), "sails 帆船", include_profile=False)
    assert set(texts(answer["memories"])) == expected
    assert answer["held_back"] == {}


@pytest.mark.parametrize(("caller", "sees"), [("low", False), ("assistant", True), ("alice", True)])
def test_a_safety_fact_is_recalled_from_level_20_on(cast: Cast, caller: str, sees: bool) -> None:
    tell(Api(cast.keys["assistant"]), "我对花生过敏。")
    answer = recall(Api(cast.keys[caller]), "推荐早餐")
    assert texts(answer["profile"]) == (["我对花生过敏。"] if sees else [])


def test_a_kind_the_grant_leaves_out_is_not_recalled(api: Api, cast: Cast) -> None:
    propose(api, "Saw a heron 苍鹭", kind="episodic", occurred=day(1))
    propose(api, "Likes herons 苍鹭")
    assert found(Api(cast.keys["no_episodes"]), "heron 苍鹭") == ["Likes herons 苍鹭"]


def test_what_one_agent_keeps_to_itself_no_other_recalls(api: Api, cast: Cast) -> None:
    propose(api, "Rows a boat 划船", visibility="agent")
    other = make_agent(cast.acme, "other")
    make_grant(other, cast.alice, clearance=40)
    assert found(Api(agent_key(other)), "boat 划船") == []
    for caller in ("assistant", "alice"):
        assert found(Api(cast.keys[caller]), "boat 划船") == ["Rows a boat 划船"]


def test_no_session_and_no_other_person_widens_a_recall(api: Api, cast: Cast) -> None:
    propose(api, "Rows a boat 划船")
    make_grant(cast.agents["assistant"], cast.bob)
    assert found(api, "boat 划船", user_id="bob") == []
    assert found(Api(cast.keys["stranger"]), "boat 划船") == []


# --- how much work -------------------------------------------------------------------------------


def test_ten_times_as_many_memories_take_no_more_queries(api: Api) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert len(found(api, "kayak 皮划艇", top_k=50)) >= 10
        return len(captured)

    for number in range(100):
        propose(api, f"Kayak 皮划艇 number {number}")
        if number == 9:
            recall(api, "warm up 热身")
            few = queries()
    assert queries() == few
