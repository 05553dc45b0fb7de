"""A question that names a slot is answered by what fills it, in whatever words that was said.

The tests' embedder knows no meaning, so what comes back here came by its slot.
"""

from typing import Any

import pytest

from accounts.acting import acting
from memory.models import Vector
from memory.policy import QUESTION
from memory.text.slots import asked
from tests.cast import Api, Cast, system_of
from tests.memory.wire import day, recall, tell, texts

ASKED = [
    ("用户在哪家公司上班？", "work.employer"),
    ("我公司叫什么？", "work.employer"),
    ("Where does the user work?", "work.employer"),
    ("What company do I work for?", "work.employer"),
    ("What is my employer's name?", "work.employer"),
    ("我是做什么工作的？", "work.role"),
    ("What does the user do for a living?", "work.role"),
    ("用户住在哪里？", "home.city"),
    ("Which city do I live in?", "home.city"),
    ("你还记得我对什么过敏吗？", "diet.allergy"),
    ("Do I have any food allergies?", "diet.allergy"),
    ("我每天早上几点起床？", "schedule.wake"),
    ("What time do I get up?", "schedule.wake"),
    ("我叫什么名字", "identity.name"),
    ("Remind me of my e-mail address", "contact.email"),
    ("我的手机号是多少", "contact.phone"),
    ("我用的什么手机？", "devices.phone"),
    ("Which phone do I use?", "devices.phone"),
    ("我有几个孩子？", "family.children"),
    ("Am I married?", "family.status"),
    ("我坐飞机喜欢靠窗还是靠过道？", "travel.seat"),
    ("Where did I study?", "education.school"),
    ("What are my hobbies?", "taste.likes"),
    ("the user's blood type", "health.blood_type"),
]


@pytest.mark.parametrize(("question", "slot"), ASKED)
def test_a_question_names_its_slot_and_no_other(question: str, slot: str) -> None:
    assert asked(question) == {slot}


@pytest.mark.parametrize(
    "question",
    [
        # about nobody, or about somebody else
        "推荐一部电影",
        "Will it rain tomorrow?",
        "我妈的生日是哪天？",
        "What is my mother's birthday?",
        "我妹妹在哪里上班？",
        "Where does my sister work?",
        "我同事叫什么名字",
        "我儿子多大了？",
        "我们小区的物业电话是多少？",
        # tasks, and plans
        "帮我写一封给公司的请假邮件",
        "Write a letter to my employer about a raise.",
        "我想在公司附近找家餐厅",
        "Recommend a school for my kid",
        "我该买什么车？",
        "Which car should I buy?",
        "我出差住哪里比较方便？",
        "What should I wear to work?",
        "我的手机坏了怎么办",
        "What is my company's policy on leave?",
        # statements
        "我讨厌我的工作。",
        "I hate my job.",
        # what happened once
        "我上一次感冒吃了什么药？",
        "Where did I work out yesterday?",
    ],
)
def test_a_task_and_a_question_about_somebody_else_name_none(question: str) -> None:
    assert asked(question) == frozenset()


def test_only_the_last_lines_of_a_long_text_ask() -> None:
    question, story = "我住在哪里？", "这是一个很长的故事。" * QUESTION.slot_length
    assert asked(story + question) == {"home.city"}
    assert asked(question + story) == frozenset()


# --- the whole way -------------------------------------------------------------------------------

JOINED = "我上个月入职了青柠科技。"
QUESTION_ZH = "用户在哪家公司上班？"


def by_slot(api: Api, query: str, **options: Any) -> list[str]:
    """Return what a recall brings back because of its slot."""
    found = recall(api, query, **options)["memories"]
    return [item["text"] for item in found if "attribute" in item["why"]]


@pytest.mark.parametrize(
    ("said", "question"),
    [(JOINED, QUESTION_ZH), ("I joined Heron Bank last month.", "Where does the user work?")],
)
def test_what_fills_the_slot_is_found_even_while_it_waits_for_its_vector(
    api: Api, cast: Cast, said: str, question: str
) -> None:
    tell(api, {"role": "user", "content": said, "at": day(0)})
    with acting(system_of(cast.alice)):
        Vector.objects.all().delete()
    (item,) = recall(api, question)["memories"]
    assert item["text"].startswith(said) and item["why"] == ["attribute"]


def test_another_person_s_slot_is_not_the_person_s(api: Api) -> None:
    tell(api, "我妹妹在蓝鲸物流上班。")
    assert by_slot(api, "我在哪家公司上班？") == []


def test_the_slot_holds_what_it_held_at_the_time_that_is_asked_about(api: Api) -> None:
    tell(api, {"role": "user", "content": "我在蓝鲸物流上班。", "at": day(-700)})
    tell(api, {"role": "user", "content": JOINED, "at": day(0)})
    (now,) = by_slot(api, QUESTION_ZH)
    (then,) = by_slot(api, QUESTION_ZH, as_of=day(-300))
    assert "青柠" in now and "蓝鲸" in then
    found = recall(api, QUESTION_ZH, include_history=True)["memories"]
    assert [(one["past"], "attribute" in one["why"]) for one in found] == [
        (False, True),
        (True, True),
    ]


def test_neither_filters_nor_grants_nor_the_profile_s_recipe_are_passed_by(
    api: Api, cast: Cast
) -> None:
    tell(api, "我有高血压。", "我住在杭州。")
    own, low = Api(cast.keys["alice"]), Api(cast.keys["low"])
    assert by_slot(own, "我有什么病史？") == ["我有高血压。"]
    assert by_slot(api, "我有什么病史？") == []
    assert by_slot(api, "我住在哪里？") == ["我住在杭州。"]
    assert by_slot(low, "我住在哪里？") == []
    assert by_slot(api, "我住在哪里？", filters={"kind": "episodic"}) == []
    assert by_slot(api, "我住在哪里？", policy="profile_only") == []
    assert by_slot(api, "我住在哪里？", as_of=day(-700)) == []


def test_a_table_explains_it(api: Api, person: Api) -> None:
    tell(api, "我住在杭州。")
    body = {"user_id": "alice", "query": "Which city do I live in?"}
    (line,) = person("POST", "recall/explain", body).json()["candidates"]
    assert (line["fate"], line["why"]) == ("taken", ["attribute"])
    assert texts(recall(api, body["query"])["memories"]) == ["我住在杭州。"]
