"""What a person keeps asking about: counted by topic, never by word; theirs to see, erase, switch off."""

import json

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.choices.topics import Topic
from memory.forget import drive
from memory.models import Interest
from memory.transfer.export import export
from memory.write.interests import asked_about
from tests.cast import Api, Cast, person_key, principal_of, system_of
from tests.memory.wire import body_of, listed, propose, tell


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("今晚吃什么好？我在学做饺子。", {"food"}),
        ("What should I cook for dinner? And which film is worth watching?", {"food", "leisure"}),
        ("服务器的日志在哪里看？", {"software"}),
        ("Which train goes to Berlin?", {"travel"}),
        ("我妈妈生日送什么好？", {"family", "home"}),
        ("How do I train for a marathon?", {"leisure", "travel"}),
        ("糖尿病能吃西瓜吗？", set()),  # health: not counted, not even as food
        ("Can I eat shrimp with my allergy?", set()),
        ("我喜欢游泳。", set()),  # no question
        ("Why?", set()),
    ],
)
def test_a_question_has_coarse_topics(text: str, topics: set[str]) -> None:
    assert asked_about(text) == topics


@given(st.text(max_size=200))
def test_whatever_is_said_only_topics_come_of_it(text: str) -> None:
    assert asked_about(text) <= set(Topic)


def interests(api: Api, cast: Cast) -> dict[str, int]:
    found = body_of(api("GET", f"users/{cast.alice.id}/interests"))
    return {one["topic"]: one["count"] for one in found["interests"]}


def ask(api: Api, *texts: str) -> None:
    for text in texts:
        assert tell(api, text)["decisions"]


FOOD = ("今晚吃什么？", "What could I have for lunch?", "火锅怎么做？")


def test_what_is_asked_again_and_again_is_counted(api: Api, person: Api, cast: Cast) -> None:
    ask(api, *FOOD[:2])
    assert interests(person, cast) == {}  # twice is not yet again and again
    ask(api, FOOD[2], "服务器怎么部署？")
    assert interests(person, cast) == {"food": 3}
    with acting(system_of(cast.alice)):
        assert set(Interest.objects.values_list("topic", "count")) == {("food", 3), ("software", 1)}
    assert listed(person) == []  # a question is still no memory


def test_a_message_sent_again_counts_once(api: Api, person: Api, cast: Cast) -> None:
    ask(api, *FOOD)
    tell(api, *FOOD)  # in the same session, the same words: other messages
    before = interests(person, cast)
    from memory import jobs
    from memory.models import Job

    for job_id in Job.objects.values_list("id", flat=True):
        jobs.run_job(job_id)
    assert interests(person, cast) == before


def test_only_the_persons_own_open_questions_count(api: Api, person: Api, cast: Cast) -> None:
    for _ in range(3):
        tell(
            api,
            {"role": "assistant", "content": "What would you like for dinner?"},
            {"role": "tool", "content": "晚餐吃什么？"},
            {"role": "user", "content": "我想去东京玩，哪里好玩？别记这句。"},
        )
    assert interests(person, cast) == {}


def test_the_person_erases_and_switches_off(api: Api, person: Api, cast: Cast) -> None:
    address = f"users/{cast.alice.id}/interests"
    ask(api, *FOOD)
    assert person("DELETE", address).status_code == 204
    assert interests(person, cast) == {}
    ask(api, *FOOD)
    answer = body_of(person("PUT", address, {"counted": False}))
    assert answer == {"counted": False, "interests": []}
    ask(api, *FOOD)
    with acting(system_of(cast.alice)):
        assert not Interest.objects.exists()
    assert body_of(person("PUT", address, {"counted": True}))["counted"]
    ask(api, *FOOD)
    assert interests(person, cast) == {"food": 3}
    codes = AuditEvent.objects.filter(object_kind="").values_list("code", flat=True)
    assert "interests.erased" in set(codes)


@pytest.mark.parametrize("body", [{}, {"counted": None}, {"counted": "perhaps"}, {"other": 1}, []])
def test_a_body_that_says_nothing_is_refused(person: Api, cast: Cast, body: object) -> None:
    assert person("PUT", f"users/{cast.alice.id}/interests", body).status_code == 400


def test_no_agent_sees_them(api: Api, cast: Cast) -> None:
    for method, body in (("GET", None), ("PUT", {"counted": False}), ("DELETE", None)):
        answer = api(method, f"users/{cast.alice.id}/interests", body)
        assert answer.status_code == 403


def test_they_are_exported_and_go_with_the_person(api: Api, person: Api, cast: Cast) -> None:
    ask(api, *FOOD)
    propose(person, "我住在苏州")
    document = json.loads("".join(export(principal_of(person_key(cast.alice), "alice"))))
    assert [(one["topic"], one["count"]) for one in document["interests"]] == [("food", 3)]
    body = {"user_id": "alice", "everything": True, "confirm": "alice"}
    erasure = body_of(person("POST", "erasures", body), 201)["id"]
    drive.run(erasure)
    with connection.cursor() as cursor, acting(system_of(cast.alice)):
        cursor.execute("SELECT count(*) FROM memory_interest")
        assert cursor.fetchone() == (0,)
