"""What the person keeps ends what it makes untrue, as if they had said it; taken back, all holds again."""

import pytest

from tests.cast import Api
from tests.memory.reviews.test_answers import answer, waiting
from tests.memory.wire import day, listed, propose, tell, texts


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


def in_force(api: Api) -> set[str]:
    return set(texts([one for one in listed(api, state="active") if not one["valid_to"]]))


ENDED = [
    (
        ["Deploys go through the jump host kiwi.", "Runbook step 1: ssh to kiwi."],
        "kiwi was switched off for good.",
        set(),
    ),
    (["生产网关是 gw-old。", "登录生产先连 gw-old，再跳到目标机。"], "gw-old 昨天下线了。", set()),
    (
        ["I coach fencing, chess and swimming at the youth club."],
        "The user has stopped coaching swimming.",
        {"I coach fencing and chess at the youth club."},
    ),
    (["我会弹钢琴、吉他和尤克里里。"], "用户不再弹吉他了。", {"我会弹钢琴和尤克里里。"}),
]


@pytest.mark.parametrize(("claims", "guess", "left"), ENDED)
def test_a_guess_that_is_kept_ends_what_it_makes_untrue(
    api: Api, person: Api, claims: list[str], guess: str, left: set[str]
) -> None:
    for claim in claims:
        propose(person, claim)
    propose(api, guess, subtype="instruction")  # what changes behaviour waits
    assert in_force(api) == set(claims)
    (item,) = waiting(person)
    answer(person, item, "keep")
    assert in_force(api) == {guess, *left}
    answer(person, item, "undo")
    assert in_force(api) == set(claims)
    assert [one["id"] for one in waiting(person)] == [item["id"]]


@pytest.mark.parametrize(
    ("claims", "right"),
    [
        (
            ["The user's locker is number 88.", "Gym note: the locker number of the user is 88."],
            "The user's locker is number 93.",
        ),
        (["用户的工位在 3 楼 A12。", "快递送到工位 A12。"], "用户的工位在 3 楼 B07。"),
    ],
)
def test_a_correction_that_is_kept_reaches_every_copy(
    api: Api, person: Api, claims: list[str], right: str
) -> None:
    first, *_ = [propose(person, claim) for claim in claims]
    answered = api("PATCH", f"memories/{first['id']}", {"text": right}, If_Match='"1"')
    assert answered.status_code in (200, 202), answered.content
    (item,) = waiting(person)
    answer(person, item, "keep")
    assert in_force(api) == {right}
    answer(person, item, "undo")
    assert in_force(api) == set(claims)


def test_what_came_to_hold_the_slot_while_it_waited_gives_way(api: Api, person: Api) -> None:
    """Keeping it used to break on the one current value, with a 500."""
    guess = "Lives in Graz 格拉茨"
    propose(api, guess, attribute="home.city", value="Graz", subtype="instruction")
    tell(api, "我住在上海。")
    (item,) = waiting(person)
    assert item["current"]["text"] == "我住在上海。"
    answer(person, item, "keep")
    assert in_force(api) == {guess}
    answer(person, item, "undo")
    assert in_force(api) == {"我住在上海。"}
    assert waiting(person)[0]["current"]["text"] == "我住在上海。"


def test_what_was_said_after_the_guess_stays(api: Api, person: Api) -> None:
    """The person confirms what was said then; what they said later still holds."""
    propose(api, "The user has stopped coaching chess.", subtype="instruction")
    tell(api, said("I coach fencing and chess at the youth club.", 400))
    (item,) = waiting(person)
    answer(person, item, "keep")
    assert "I coach fencing and chess at the youth club." in in_force(api)
