"""Values that change: event time decides, then trust, and nothing is lost."""

from typing import Any

import pytest

from accounts.acting import acting
from memory.models import Conflict, Memory, ReviewItem, Version
from tests.cast import Api, Cast, system_of
from tests.memory.wire import BEGIN, day, listed, outcomes, propose, recall, tell, texts


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


def homes(cast: Cast) -> list[Memory]:
    with acting(system_of(cast.alice)):
        return list(Memory.objects.filter(attribute="home.city", state="active"))


def versions(cast: Cast, memory: Memory) -> list[Version]:
    with acting(system_of(cast.alice)):
        return list(Version.objects.filter(memory=memory).order_by("number"))


@pytest.mark.parametrize(
    ("old", "new"),
    [("我住在北京。", "我搬到上海了。"), ("I live in Beijing.", "I moved to Shanghai.")],
)
def test_a_move_supersedes_and_closes_the_old_address(
    api: Api, cast: Cast, old: str, new: str
) -> None:
    tell(api, said(old, 0))
    assert outcomes(tell(api, said(new, 10))) == [("superseded", ["new_value"])]
    (memory,) = homes(cast)
    first, second = versions(cast, memory)
    assert first.valid_from == BEGIN and first.valid_to == second.valid_from
    assert first.superseded_at is not None and second.superseded_at is None
    assert second.valid_to is None
    assert texts(listed(api)) == [new]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我住在北京。", "我上周搬到上海了。"),
        ("我是老师。", "我昨天转行做护士了。"),
        ("I live in Berlin.", "I moved to Munich last week."),
        ("Our database is PostgreSQL.", "We moved to MySQL yesterday."),
    ],
)
def test_a_change_from_before_the_first_saying_wins(
    api: Api, cast: Cast, old: str, new: str
) -> None:
    """A regression: what was said yesterday held on, since the move lay before it."""
    tell(api, said(old, 0))
    at = day(0).replace("T09", "T10")
    assert outcomes(tell(api, {"role": "user", "content": new, "at": at})) == [
        ("superseded", ["new_value"])
    ]
    assert texts(in_force(api)) == [new]
    with acting(system_of(cast.alice)):
        first, second = Version.objects.order_by("number")
    assert second.valid_from is not None and second.valid_from < BEGIN
    assert (first.valid_from, first.valid_to) == (None, second.valid_from)
    assert second.valid_to is None


@pytest.mark.parametrize(
    ("old", "planned", "then"),
    [
        ("我住在北京。", "我下个月搬到上海。", "我搬到上海了，新家很好。"),
        ("I live in Berlin.", "I'm moving to Munich in June.", "I moved to Munich."),
    ],
)
def test_a_plan_ends_nothing_until_it_has_come_to_be(
    api: Api, old: str, planned: str, then: str
) -> None:
    tell(api, said(old, 0))
    tell(api, said(planned, 5))
    assert old in texts(in_force(api))
    tell(api, said(then, 60))
    assert old not in texts(in_force(api)) and then in texts(in_force(api))


def test_both_in_one_batch_end_the_same(api: Api, cast: Cast) -> None:
    tell(api, said("我住在北京。", 0), said("我搬到上海了。", 10), said("谢谢 thanks", 11))
    assert texts(listed(api)) == ["我搬到上海了。"]
    assert len(homes(cast)) == 1


def test_an_older_value_that_arrives_late_is_the_past_and_never_retires_a_newer_one(
    api: Api, cast: Cast
) -> None:
    tell(api, said("我搬到上海了。", 10))
    for _ in range(2):  # imported twice, kept once
        tell(api, said("I live in Beijing.", 0))
    assert texts(recall(api, "Where do they live? 住在哪里")["profile"]) == ["我搬到上海了。"]
    before, after = sorted(homes(cast), key=lambda one: versions(cast, one)[0].valid_from or BEGIN)
    assert versions(cast, before)[0].valid_to == versions(cast, after)[0].valid_from
    then = recall(api, "Where do I live in Beijing? 住在哪里", as_of=day(5))
    assert "I live in Beijing." in texts(then["profile"] + then["memories"])


def test_there_and_back_again_leaves_one_current_value(api: Api, cast: Cast) -> None:
    for at, text in enumerate(("我住在北京。", "I moved to Shanghai.", "我搬回北京了。")):
        tell(api, said(text, at * 10))
    (memory,) = homes(cast)
    spans = [(one.valid_from, one.valid_to) for one in versions(cast, memory)]
    assert spans[0][1] == spans[1][0] and spans[1][1] == spans[2][0] and spans[2][1] is None
    assert texts(listed(api)) == ["我搬回北京了。"]


def test_the_same_place_in_other_words_is_no_move(api: Api, cast: Cast) -> None:
    tell(api, said("我住在上海。", 0))
    assert outcomes(tell(api, said("我家在上海市。", 9))) == [("reinforced", ["duplicate_exact"])]
    (memory,) = homes(cast)
    assert len(versions(cast, memory)) == 1


def test_a_guess_against_the_person_s_word_waits_and_changes_nothing(api: Api, cast: Cast) -> None:
    tell(api, said("我住在北京。", 0))
    home = {"attribute": "home.city", "value": "Shanghai"}
    answer = propose(api, "Seems to live in Shanghai 上海", **home)
    assert (answer["outcome"], answer["reasons"]) == ("needs_confirmation", ["lower_trust"])
    assert texts(recall(api, "北京 上海 Shanghai")["memories"]) == ["我住在北京。"]
    with acting(system_of(cast.alice)):
        conflict = Conflict.objects.get()
        item = ReviewItem.objects.get(memory_id=answer["id"])
    assert str(conflict.challenger_id) == answer["id"] and conflict.state == "open"
    assert item.kind == "conflict"


def test_a_third_party_s_home_is_not_the_person_s(api: Api, cast: Cast) -> None:
    tell(
        api,
        said("我住在北京。", 0),
        said("我妹妹住在广州。", 5),
        said("My sister lives in Lyon.", 6),
    )
    assert texts([one for one in listed(api) if one["about"] is None]) == ["我住在北京。"]
    assert [memory.attribute for memory in homes(cast)] == ["home.city"]


def test_a_many_valued_attribute_collects(api: Api) -> None:
    tell(api, "我对花生过敏。", "I'm allergic to shrimp.")
    profile = texts(recall(api, "推荐早餐")["profile"])
    assert sorted(profile) == ["I'm allergic to shrimp.", "我对花生过敏。"]


@pytest.mark.parametrize("again", ["我搬到上海了。", "I live in Shanghai."])
def test_the_person_s_word_decides_over_a_guess_that_waits(
    api: Api, cast: Cast, again: str
) -> None:
    tell(api, said("我住在北京。", 0))
    value = "上海" if "上海" in again else "Shanghai"
    propose(api, "Seems to live there 那里", attribute="home.city", value=value)
    tell(api, said(again, 10))
    assert texts(listed(api, attribute="home.city", state="active")) == [again]


def test_where_somebody_lived_once_does_not_retire_where_they_live(api: Api) -> None:
    home: dict[str, Any] = {"attribute": "home.city"}
    propose(api, "Lives in Graz", value="Graz", valid_from=day(0), **home)
    propose(api, "Lived in Lyon 里昂", value="Lyon", valid_to=day(-50), **home)
    assert texts(in_force(api)) == ["Lives in Graz"]


@pytest.mark.parametrize("words", ["那里有我的书架。", "My bookshelf is there."])
def test_words_of_a_guess_do_not_lift_it_into_a_slot_that_is_held(
    api: Api, cast: Cast, words: str
) -> None:
    tell(api, said("我住在北京。", 0))
    guess = propose(api, words, attribute="home.city", value="上海")
    assert guess["outcome"] == "needs_confirmation"
    again = Api(cast.keys["alice"])("POST", "memories", {"user_id": "alice", "text": words})
    assert again.status_code == 200 and again.json()["outcome"] == "reinforced"
    assert texts(listed(api, attribute="home.city", state="active")) == ["我住在北京。"]


def in_force(api: Api) -> list[dict[str, Any]]:
    """What holds now: neither waiting nor ended."""
    return [one for one in listed(api, state="active") if one["valid_to"] is None]


REVERSED = [
    ("I love durian.", "I cannot stand durian these days."),
    ("I can't stand opera.", "I love opera now."),
    ("I like coffee in the morning", "I no longer like coffee in the morning"),
    ("我喜欢晚上喝热牛奶。", "我不喜欢晚上喝热牛奶。"),
    ("我不吃香菜。", "我现在吃香菜了，觉得挺香的。"),
    ("我讨厌跑步。", "我现在爱上跑步了。"),
]


@pytest.mark.parametrize(("old", "new"), REVERSED)
def test_the_opposite_replaces_and_the_history_keeps_both(
    api: Api, cast: Cast, old: str, new: str
) -> None:
    tell(api, said(old, 0))
    assert outcomes(tell(api, said(new, 60))) == [("superseded", ["new_value"])]
    (memory,) = listed(api)
    assert memory["text"] == new
    with acting(system_of(cast.alice)):
        first, second = Version.objects.filter(memory_id=memory["id"]).order_by("number")
    assert first.valid_to == second.valid_from is not None and second.valid_to is None


@pytest.mark.parametrize(("old", "new"), REVERSED)
def test_an_older_opposite_that_arrives_late_changes_nothing(api: Api, old: str, new: str) -> None:
    tell(api, said(new, 60))
    tell(api, said(old, 0))
    assert texts(in_force(api)) == [new]


def test_what_was_ended_holds_again_when_it_is_said_again(api: Api) -> None:
    for at, text in enumerate(("我不吃香菜。", "我现在吃香菜了。", "我不吃香菜。")):
        tell(api, said(text, at * 10))
        assert texts(in_force(api)) == [text]


def test_what_is_alike_but_another_thing_stays(api: Api) -> None:
    both = ["I love tea.", "I don't like tea with sugar.", "我喜欢猫。", "我不喜欢狗。"]
    tell(api, *both)
    assert sorted(texts(in_force(api))) == sorted(both)


def test_a_guess_does_not_reverse_the_person_s_word(api: Api) -> None:
    tell(api, said("I love durian.", 0))
    answer = propose(api, "The user does not like durian.")
    assert (answer["outcome"], answer["reasons"]) == ("needs_confirmation", ["lower_trust"])
    assert texts(in_force(api)) == ["I love durian."]
