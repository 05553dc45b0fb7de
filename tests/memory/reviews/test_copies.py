"""A value that was taken over from a challenger: what holds the words goes with it."""

import pytest

from accounts.acting import acting
from memory.models import ObjectKey, Tombstone
from memory.reviews import ageing
from tests.cast import Api, Cast, system_of
from tests.memory.reviews.test_answers import answer, row, waiting
from tests.memory.wire import body_of, day, listed, problem, propose, tell, texts


@pytest.mark.parametrize(
    ("said", "instead"), [("我住在苏州。", "住在格拉茨"), ("I live in Lyon.", "Lives in Graz")]
)
def test_erasing_a_value_erases_the_challenger_that_became_it(
    api: Api, person: Api, cast: Cast, said: str, instead: str
) -> None:
    """Until it was settled it was left with the words, and for good once its conflict was gone."""
    tell(api, said)
    challenger = propose(api, instead, attribute="home.city", value="Graz")["id"]
    (item,) = waiting(person)
    answer(person, item, "keep")
    (home,) = [one["id"] for one in listed(person, state="active")]
    body_of(person("DELETE", f"memories/{home}"))
    problem(api("GET", f"memories/{challenger}"), 410, "gone")
    with acting(system_of(cast.alice)):
        assert not ObjectKey.objects.filter(object_id=challenger).exists()


def test_forgetting_a_value_hides_the_challenger_that_became_it(
    api: Api, person: Api, cast: Cast
) -> None:
    tell(api, "我住在苏州。")
    challenger = propose(api, "Lives in Graz 格拉茨", attribute="home.city", value="Graz")["id"]
    (item,) = waiting(person)
    answer(person, item, "keep")
    (home,) = [one["id"] for one in listed(person, state="active")]
    body_of(person("POST", f"memories/{home}/forget"))
    problem(api("GET", f"memories/{challenger}"), 404, "not_found")
    body_of(person("POST", f"memories/{home}/undo"))
    assert row(cast, challenger)["state"] == "archived"
    answer(person, item, "undo")  # the answer can be taken back as before
    assert texts(listed(api, state="active")) == ["我住在苏州。"]


@pytest.mark.parametrize(
    ("guessed", "said"), [("我住在上海。", "我住在北京。"), ("I live in Graz.", "I live in Lyon.")]
)
def test_a_guess_that_the_person_then_says_is_no_copy_for_good(
    api: Api, person: Api, cast: Cast, guessed: str, said: str
) -> None:
    """It had waited before there was what it replaces: archived, it was never settled."""
    type(cast.alice).objects.update(learning="ask_first")
    challenger = propose(api, guessed)["id"]
    tell(api, {"role": "user", "content": said, "at": day(0)})
    tell(api, {"role": "user", "content": guessed, "at": day(9)})
    assert texts(listed(person, state="active")) == [guessed]
    assert row(cast, challenger)["state"] == "archived"
    assert ageing.settle(system_of(cast.alice)) == 1
    assert Tombstone.objects.filter(object_id=challenger).exists()
