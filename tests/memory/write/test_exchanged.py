"""What took the place of what: one value in force, nothing lost, and a question where it is not clear."""

import pytest

from accounts.acting import acting
from memory.models import Conflict, Memory, ReviewItem
from memory.write.correct import bring_back
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.wire import day, listed, outcomes, propose, recall, tell, texts

SUPERSEDED = [("superseded", ["new_value"])]


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


@pytest.mark.parametrize(
    ("old", "new", "ask"),
    [
        ("会上定了，后台的数据库采用 PostgreSQL。", "我们换成 SQLite 了。", "我们用什么数据库？"),
        ("We use CircleCI for our builds.", "We've moved to GitLab CI.", "What do we build with?"),
        ("我喜欢喝拿铁。", "I've switched to black coffee.", "我喜欢喝什么？"),
    ],
)
def test_what_took_the_place_holds_alone_and_can_be_undone(
    api: Api, cast: Cast, old: str, new: str, ask: str
) -> None:
    tell(api, said(old, 0))
    assert outcomes(tell(api, said(new, 10))) == SUPERSEDED
    assert texts(listed(api)) == [new]
    assert old not in texts(recall(api, ask)["memories"])
    assert texts(recall(api, ask, as_of=day(5))["memories"]) in ([old], [])
    with acting(system_of(cast.alice)):
        (memory,) = Memory.objects.filter(state="active")
    bring_back(principal_of(cast.keys["alice"], "alice"), memory.id, 1, if_version=2)
    assert texts(listed(api)) == [old]


def test_two_that_could_be_meant_both_stay_and_the_person_is_asked(api: Api, cast: Cast) -> None:
    """A regression: guessing which of them was exchanged would lose the other."""
    both = ["订单数据存在 PostgreSQL 数据库里，记住。", "记住，报表的数据库是 MySQL。"]
    for at, text in enumerate(both):
        tell(api, said(text, at))
    assert outcomes(tell(api, said("我们换成 SQLite 了。", 10))) == [("accepted", ["conflict"])]
    assert len(listed(api)) == 3
    with acting(system_of(cast.alice)):
        (conflict,), (item,) = Conflict.objects.all(), ReviewItem.objects.all()
    assert conflict.challenger_id == item.memory_id and item.kind == "conflict"


def test_the_one_for_the_same_use_is_meant(api: Api) -> None:
    tell(api, said("记住，订单的数据库是 PostgreSQL。", 0), said("记住，报表的数据库是 MySQL。", 1))
    assert outcomes(tell(api, said("报表的数据库换成 SQLite 了。", 10))) == SUPERSEDED
    assert len(listed(api)) == 2 and not any("MySQL" in one for one in texts(listed(api)))


def test_what_said_the_same_ends_too(api: Api) -> None:
    """A regression: of two wordings of one habit, the second went on as if it held."""
    said_twice = ["喝的我一般只选美式，记住。", "记住，我爱喝美式这种咖啡。"]
    tell(api, *(said(text, at) for at, text in enumerate(said_twice)))
    tell(api, said("最近口味变了，现在我最爱喝豆浆。", 10))
    found = recall(api, "我喜欢喝什么 美式 豆浆", top_k=10)["memories"]
    assert [one for one in texts(found) if "美式" in one] == []


def test_a_guess_takes_no_place(api: Api) -> None:
    tell(api, said("We use CircleCI for our builds.", 0))
    answer = propose(api, "The user's team moved to GitLab CI.")
    assert (answer["outcome"], answer["reasons"][0]) == ("needs_confirmation", "lower_trust")
    in_use = [one["text"] for one in listed(api) if one["state"] == "active"]
    assert in_use == ["We use CircleCI for our builds."]


def test_what_was_said_before_takes_no_place(api: Api) -> None:
    tell(api, said("We use CircleCI for our builds.", 20))
    assert outcomes(tell(api, said("We've moved to GitLab CI.", 0))) == [
        ("accepted", ["older_value"])
    ]
