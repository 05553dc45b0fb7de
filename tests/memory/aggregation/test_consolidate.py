"""Merging fragments: proposed, never done; kept, taken back, refused, erased."""

from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory.aggregation.consolidate import consolidate, joined
from memory.choices import Origin, State
from memory.forget import drive, expire
from memory.models import Derivation, Memory, ReviewItem
from memory.text.guard import may_join
from tests.cast import Api, Cast, remember, system_of
from tests.dashboard.conftest import sign_in
from tests.memory.wire import body_of, listed, problem, recall, texts

CAT = ("我养了一只猫", "我的猫叫豆包")
ONE = "我养了一只猫。我的猫叫豆包。"


@pytest.fixture(autouse=True)
def _no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written while the embedder is away is not compared by meaning."""
    monkeypatch.setattr("memory.write.pipeline.meaning_of", lambda *_: None)


def put(cast: Cast, *said: str, attribute: str = "pets", **more: Any) -> list[Memory]:
    principal = system_of(cast.alice)
    return [
        remember(principal, text, attribute=attribute, value=text if attribute else "", **more)
        for text in said
    ]


def run(cast: Cast) -> int:
    return consolidate(system_of(cast.alice))


def waiting(person: Api) -> list[dict[str, Any]]:
    found = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    return [one for one in found if one["kind"] == "merge"]


def active(api: Api) -> list[str]:
    return sorted(texts([one for one in listed(api) if one["state"] == "active"]))


def test_fragments_are_proposed_to_become_one(api: Api, person: Api, cast: Cast) -> None:
    put(cast, *CAT)
    assert (run(cast), run(cast)) == (1, 0)
    (asked,) = waiting(person)
    assert asked["memory"]["text"] == ONE and texts(asked["parts"]) == list(CAT)
    assert active(person) == sorted(CAT)  # until the person agrees everything stands
    assert ONE not in str(recall(api, "豆包"))
    body_of(person("POST", f"reviews/{asked['id']}/keep"))
    assert active(person) == [ONE]
    (kept,) = [one for one in listed(person) if one["text"] == ONE]
    assert (kept["attribute"], kept["trust"]) == ("pets", 40)
    assert texts(recall(api, "豆包 猫")["memories"]) == [ONE]
    sources = body_of(person("GET", f"memories/{kept['id']}/sources"))["sources"]
    assert sorted(texts([one["memory"] for one in sources])) == sorted(CAT)


def test_a_kept_merge_is_taken_back_whole(person: Api, cast: Cast) -> None:
    put(cast, *CAT)
    run(cast)
    before = [(one["id"], one["state"]) for one in listed(person)]
    (asked,) = waiting(person)
    for _ in range(2):
        body_of(person("POST", f"reviews/{asked['id']}/keep"))
        body_of(person("POST", f"reviews/{asked['id']}/undo"))
        assert [(one["id"], one["state"]) for one in listed(person)] == before
        assert len(waiting(person)) == 1
    body_of(person("POST", f"reviews/{asked['id']}/edit", {"text": "我的橘猫叫豆包"}))
    assert active(person) == ["我的橘猫叫豆包"]


def test_a_merge_is_taken_back_though_another_has_the_words_of_a_fragment_meanwhile(
    person: Api, cast: Cast
) -> None:
    put(cast, *CAT)
    (other,) = put(cast, "我有一只仓鼠 hamster")
    run(cast)
    (asked,) = waiting(person)
    body_of(person("POST", f"reviews/{asked['id']}/keep"))
    body_of(person("PATCH", f"memories/{other.id}", {"text": CAT[1]}, If_Match='"1"'))
    body_of(person("POST", f"reviews/{asked['id']}/undo"))
    assert active(person) == sorted(CAT)


def test_what_is_left_apart_is_not_proposed_again(person: Api, cast: Cast) -> None:
    put(cast, *CAT)
    run(cast)
    (asked,) = waiting(person)
    body_of(person("POST", f"reviews/{asked['id']}/reject"))
    with acting(system_of(cast.alice)):
        Memory.objects.filter(state=State.FORGOTTEN).update(undo_until=timezone.now())
    assert expire.end_undo_windows(system_of(cast.alice)) == 1
    assert active(person) == sorted(CAT)
    assert run(cast) == 0
    put(cast, "豆包这只猫很黏人")  # another set is another question
    assert run(cast) == 1


def test_one_that_lapses_leaves_everything_as_it_was(person: Api, cast: Cast) -> None:
    put(cast, *CAT)
    run(cast)
    with acting(system_of(cast.alice)):
        ReviewItem.objects.update(lapses_at=timezone.now())
    assert expire.lapse_guesses(system_of(cast.alice)) == 1
    assert active(person) == sorted(CAT) and run(cast) == 0


def test_one_whose_fragment_changed_is_withdrawn(person: Api, cast: Cast) -> None:
    _, named = put(cast, *CAT)
    run(cast)
    (asked,) = waiting(person)
    corrected = person("PATCH", f"memories/{named.id}", {"text": "我的猫叫汤圆"}, If_Match='"1"')
    assert corrected.status_code == 200
    problem(person("POST", f"reviews/{asked['id']}/keep"), 409, "stale_state")
    assert active(person) == sorted((CAT[0], "我的猫叫汤圆"))
    run(cast)
    assert asked["id"] not in {one["id"] for one in waiting(person)}


def test_doubles_that_slipped_in_become_one(person: Api, cast: Cast) -> None:
    doubles = ("我最喜欢的颜色是墨绿色。", "墨绿色是我最喜欢的颜色。")
    put(cast, *doubles, attribute="")
    assert run(cast) == 1
    (asked,) = waiting(person)
    assert asked["memory"]["text"] in doubles
    body_of(person("POST", f"reviews/{asked['id']}/keep"))
    assert active(person) == [asked["memory"]["text"]]


@pytest.mark.parametrize(
    ("said", "more"),
    [
        (("Lena Brandt is head of finance at Kolibri Foods.",
          "Marta Brandt is head of logistics at Kolibri Foods."), {"attribute": ""}),
        (("我的猫三岁了", "我的猫五岁了"), {}),
        (("My cat is allowed on the sofa", "My cat is not allowed in the bedroom"), {}),
        (("我养了一只猫", "我的猫去世了"), {}),
        (("I like coffee in the morning", "I like swimming"), {"attribute": "taste.likes"}),
        (("我对花生过敏", "我住在苏州"), {"attribute": ""}),
    ],
)  # fmt: skip
def test_what_differs_is_not_proposed(
    said: tuple[str, str], more: dict[str, str], cast: Cast
) -> None:
    put(cast, *said, **more)
    assert run(cast) == 0


@pytest.mark.parametrize("field", ["about", "condition"])
def test_of_another_person_or_under_another_condition_is_not_proposed(
    field: str, cast: Cast
) -> None:
    put(cast, CAT[0])
    put(cast, CAT[1], **{field: "小雨"})
    assert run(cast) == 0


def test_trust_is_the_lowest_and_the_level_the_highest(cast: Cast) -> None:
    put(cast, CAT[0], sensitivity=30)
    put(cast, CAT[1], origin=Origin.AGENT)
    run(cast)
    with acting(system_of(cast.alice)):
        found = Memory.objects.get(state=State.PENDING)
    assert (found.trust, found.sensitivity, found.origin) == (20, 30, Origin.AGENT)


def kept(person: Api, cast: Cast) -> str:
    run(cast)
    (asked,) = waiting(person)
    body_of(person("POST", f"reviews/{asked['id']}/keep"))
    return str(asked["memory"]["id"])


def test_erasing_the_one_erases_its_fragments(person: Api, cast: Cast) -> None:
    put(cast, *CAT)
    merged = kept(person, cast)
    drive.run(body_of(person("DELETE", f"memories/{merged}"))["id"])
    assert listed(person) == []
    with acting(system_of(cast.alice)):
        assert not Derivation.objects.exists()
        assert set(Memory.objects.values_list("state", flat=True)) == {State.ERASED}


def test_erasing_a_fragment_erases_the_one_and_brings_the_rest_back(
    person: Api, cast: Cast
) -> None:
    first, _ = put(cast, *CAT)
    merged = kept(person, cast)
    body_of(person("DELETE", f"memories/{first.id}"))
    problem(person("GET", f"memories/{merged}"), 410, "gone")
    assert active(person) == [CAT[1]]


@pytest.mark.parametrize("way", ["erased", "forgotten"])
def test_a_fragment_whose_words_another_has_meanwhile_stays_put_away(
    person: Api, cast: Cast, way: str
) -> None:
    """It could not be erased at all, and nothing else ended by itself any more."""
    first, second = put(cast, *CAT)
    (other,) = put(cast, "我有一只仓鼠")
    merged = kept(person, cast)
    body_of(person("PATCH", f"memories/{other.id}", {"text": CAT[1]}, If_Match='"1"'))
    if way == "erased":
        body_of(person("DELETE", f"memories/{first.id}"))
    else:
        body_of(person("POST", f"memories/{first.id}/forget"))
        with acting(system_of(cast.alice)):
            Memory.objects.filter(id=first.id).update(undo_until=timezone.now())
        assert expire.end_undo_windows(system_of(cast.alice)) == 1
    problem(person("GET", f"memories/{merged}"), 410, "gone")
    assert [one["id"] for one in listed(person) if one["state"] == "active"] == [str(other.id)]
    with acting(system_of(cast.alice)):
        assert Memory.objects.get(id=second.id).state == State.ARCHIVED


def test_forgetting_the_one_hides_its_fragments_too(api: Api, person: Api, cast: Cast) -> None:
    put(cast, *CAT)
    merged = kept(person, cast)
    body_of(person("POST", f"memories/{merged}/forget"))
    assert listed(api) == []
    body_of(person("POST", f"memories/{merged}/undo"))
    assert active(api) == [ONE]


def test_a_fragment_that_was_forgotten_apart_stays_so(person: Api, cast: Cast) -> None:
    """Taking the forgetting of the one back took that of the fragment back as well."""
    put(cast, *CAT)
    merged = kept(person, cast)
    apart, other = [one["id"] for one in listed(person, state="archived")]
    body_of(person("POST", f"memories/{apart}/forget"))
    body_of(person("POST", f"memories/{merged}/forget"))
    body_of(person("POST", f"memories/{merged}/undo"))
    assert [one["id"] for one in listed(person, state="archived")] == [other]


def test_at_most_a_few_wait_at_once(cast: Cast, person: Api) -> None:
    for pet in ("狗", "兔子", "仓鼠", "鹦鹉", "乌龟"):
        put(cast, f"我养了一只{pet}", f"我的{pet}很可爱")
    assert (run(cast), run(cast)) == (3, 0)


def test_the_page_asks_and_shows_the_parts(cast: Cast) -> None:
    put(cast, *CAT)
    run(cast)
    text = sign_in(cast.alice, email="alice@example.com").get("/review/").content.decode()
    assert "Make it one" in text and "Leave them apart" in text
    assert all(one in text for one in (*CAT, ONE))


@pytest.mark.parametrize(
    ("said", "language", "one"),
    [
        (["我养了一只猫", "我的猫叫豆包！"], "zh", "我养了一只猫。我的猫叫豆包！"),
        (["I have a cat", "My cat is called Momo."], "en", "I have a cat. My cat is called Momo."),
        (["My dog is called Biscuit", "I have a dog named Biscuit"], "en",
         "I have a dog named Biscuit"),
    ],
)  # fmt: skip
def test_fragments_are_joined_whole(said: list[str], language: str, one: str) -> None:
    assert joined(said, language=language) == one


@pytest.mark.parametrize(
    ("a", "b", "may"),
    [
        ("I have a cat", "My cat is called Momo", True),
        ("我养了一只猫", "我的猫三岁了", True),  # a number in one alone
        ("My cat is 3", "My cat is 4", False),
        ("我吃鱼", "我不吃鱼肝", False),
        ("I have a cat", "I used to have a cat", False),
    ],
)
def test_parts_stand_side_by_side_unless_they_contradict(a: str, b: str, may: bool) -> None:
    assert may_join(a, b) == may_join(b, a) == may
