"""What is one memory and what is two, by meaning: with the embedder that is shipped."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from memory.providers.embedding import reset_embedder
from tests.cast import Api, Cast
from tests.memory.wire import day, listed, propose, texts


@pytest.fixture
def api(cast: Cast, settings: Settings) -> Iterator[Api]:
    """Alice's agent, with the default embedder."""
    settings.EMBEDDER = "e5s-use-896"
    reset_embedder()
    yield Api(cast.keys["assistant"])
    reset_embedder()


DIFFERENT = [
    ("The service listens on port 8080.", "The service listens on port 8081."),
    ("服务监听 8080 端口。", "服务监听 8081 端口。"),
    ("Uses SQLite as the database.", "Uses Postgres as the database."),
    ("我们的队列用 Kafka", "我们的队列用 RabbitMQ"),
    ("The review is on Wednesday", "The review is on Thursday"),
    ("会议在周三下午", "会议在周四下午"),
    ("Tickets cost 1,200 euros", "Tickets cost 12,000 euros"),
    ("Anna reports to Ben", "Ben reports to Anna"),
]
SAME = [
    ("我喜欢靠窗的座位", "靠窗的座位是我最喜欢的"),
    ("The user's locker is number 88.", "My locker is number 88."),
    ("用户不吃牛肉。", "I don't eat beef."),
]


def test_texts_that_differ_in_what_counts_stay_two(api: Api) -> None:
    for one, other in DIFFERENT:
        assert propose(api, one)["outcome"] == "accepted", one
        assert propose(api, other)["outcome"] == "accepted", other
    assert len(listed(api)) == 2 * len(DIFFERENT)


def test_one_fact_in_other_words_is_one_memory(api: Api) -> None:
    for one, other in SAME:
        first, again = propose(api, one), propose(api, other)
        assert again["outcome"] == "reinforced", other
        assert again["id"] == first["id"]
    assert sorted(texts(listed(api))) == sorted(one for one, _ in SAME)


@pytest.mark.parametrize("text", ["Ran five kilometres before work", "上班前跑了五公里"])
def test_the_same_thing_on_another_day_is_another_episode(api: Api, text: str) -> None:
    for number in (1, 2):
        answer = propose(api, text, kind="episodic", occurred=day(number))
        assert answer["outcome"] == "accepted"
    again = propose(api, text, kind="episodic", occurred=day(2))
    assert again["outcome"] == "reinforced"
    assert len(listed(api)) == 2
