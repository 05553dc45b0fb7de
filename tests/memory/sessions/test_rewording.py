"""A model's words for a summary: used if they say what was said, else the sentences stand."""

import json
from typing import Any

import pytest

from memory.jobs import run_job
from memory.models import Job
from memory.sessions.rewording import faults
from tests.cast import Api
from tests.language_model import language_model
from tests.memory.api.desk import assistant, contents, context, user
from tests.memory.wire import open_session, tell

SOURCE = "The budget is 300 EUR, not more.\nOur contact is Ilse Maartens."
QUELLE = "预算是 300 元，别超。\n联系人是王小明。"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Budget 300 EUR and not more; contact Ilse Maartens.", SOURCE),
        ("预算 300 元，别超；联系人王小明。", QUELLE),
    ],
)
def test_fewer_words_that_say_the_same_may_stand(text: str, source: str) -> None:
    assert faults(text, source) == []


@pytest.mark.parametrize(
    ("text", "source", "fault"),
    [
        ("Budget 350 EUR, not 300; contact Ilse Maartens.", SOURCE, "a number that no note has"),
        ("Budget not more; contact Ilse Maartens.", SOURCE, "number of the notes is missing"),
        ("Budget 300 EUR, not more; contact is Bo.", SOURCE, "a name that no note has"),
        ("Budget 300 EUR; contact Ilse Maartens.", SOURCE, "denial"),
        ("预算 300，别超。", SOURCE, "language"),
        ("预算 300 元；联系人王小明。", QUELLE, "denial"),
        ("预算 300 元，别超；联系人是李秋月。", QUELLE, "a name that no note has"),
        ("", SOURCE, "empty"),
        (f"{SOURCE} {SOURCE}", SOURCE, "longer"),
    ],
)
def test_words_that_say_something_else_may_not(text: str, source: str, fault: str) -> None:
    assert any(fault in one for one in faults(text, source))


def compacted(api: Api) -> str:
    session = open_session(api)
    talk = [user("What do you think about lunch?"), assistant("There is a lot to say about it.")]
    tell(api, "The budget is 300 EUR, not more.", *talk * 40, session=session)
    context(api, session, budget=500)
    return session


def said(text: str) -> Any:
    return lambda asked: json.dumps(
        {"summary": text} if "shorten" in str(asked["messages"][0]) else {"memories": []}
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Budget: 300 EUR and not more.", "Budget: 300 EUR and not more."),
        ("Budget: 350 EUR and not more.", "- The budget is 300 EUR, not more."),
    ],
)
def test_a_session_s_summary_is_told_in_a_model_s_words_if_they_hold(
    api: Api, settings: Any, text: str, shown: str
) -> None:
    with language_model() as model:
        settings.SUMMARISER = "llm"
        model.part = said(text)
        session = compacted(api)
        job = Job.objects.get(kind="summarise")
        run_job(job.id)
        job.refresh_from_db()
        assert job.state == "succeeded"
        block = next(
            one for one in contents(context(api, session, budget=500)) if "<summary>" in one
        )
    assert shown in block.splitlines()
    asked = [one for one in model.requests if "shorten" in str(one["messages"][0])]
    assert asked and "300 EUR" in str(asked[0]["messages"][1])
