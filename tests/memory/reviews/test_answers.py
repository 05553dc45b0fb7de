"""The person's answers: what each changes, and that taking one back leaves no trace of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory.choices import Kind, Origin, Trust
from memory.forget.expire import lapse_guesses
from memory.models import Memory, ReviewItem, Tombstone, Version
from memory.policy import STALE
from memory.reviews import ageing
from memory.reviews.rollback import Trail, roll_back
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, day, listed, problem, propose, recall, tell, texts


def waiting(person: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    return found


def answer(person: Api, item: dict[str, Any], what: str, body: Any = None) -> dict[str, Any]:
    return body_of(person("POST", f"reviews/{item['id']}/{what}", body))


def guess(api: Api, text: str, **fields: Any) -> str:
    return str(propose(api, text, **({"sensitivity": 30} | fields))["id"])


def row(cast: Cast, memory: object) -> dict[str, Any]:
    """Return what an answer may change of a memory."""
    names = ("state", "trust", "confidence", "last_confirmed_at", "wording", "importance")
    with acting(system_of(cast.alice)):
        found: dict[str, Any] = Memory.objects.values(*names).get(id=memory)
        return found


def later(cast: Cast, **fields: Any) -> None:
    with acting(system_of(cast.alice)):
        ReviewItem.objects.update(**fields)


PAST = timezone.now() - timedelta(seconds=1)


# --- kinds of questions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "proposal", "kind"),
    [
        ("", {"text": "Likes teal 青色", "subtype": "instruction"}, "new"),
        ("", {"text": "Has asthma 哮喘", "sensitivity": 40}, "sensitive"),
        ("我住在苏州。", {"text": "Lives in Graz 格拉茨", "attribute": "home.city", "value": "Graz"}, "conflict"),
    ],
)  # fmt: skip
def test_a_question_says_what_it_is_about(
    api: Api, person: Api, cast: Cast, said: str, proposal: dict[str, Any], kind: str
) -> None:
    if said:
        tell(api, said)
    type(cast.alice).objects.update(learning="ordinary")
    with acting(system_of(cast.alice)):
        from accounts.models import Grant

        Grant.objects.update(clearance=40)
    propose(api, **proposal)
    (item,) = waiting(person)
    assert (item["kind"], item["memory"]["text"]) == (kind, proposal["text"])
    assert bool(item["current"]) == (kind == "conflict")


def test_a_proposed_correction_is_a_change(api: Api, person: Api) -> None:
    kept = propose(person, "Prefers window seats 靠窗")["id"]
    api("PATCH", f"memories/{kept}", {"text": "Prefers aisle seats 过道"}, If_Match='"1"')
    (item,) = waiting(person)
    assert (item["kind"], item["current"]["text"]) == ("change", "Prefers window seats 靠窗")


# --- kept and taken back -------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["keep", "edit"])
def test_what_was_kept_goes_back_as_it_waited(api: Api, person: Api, cast: Cast, how: str) -> None:
    memory = propose(api, "Wants a weekly summary 周报", subtype="instruction")["id"]
    before = row(cast, memory)
    (item,) = waiting(person)
    answer(person, item, how, {"text": "Wants a monthly summary 月报"} if how == "edit" else None)
    assert row(cast, memory) | {} != before and row(cast, memory)["trust"] == 40
    answer(person, item, "undo")
    after = row(cast, memory)
    assert {k: v for k, v in after.items() if k != "wording"} == {
        k: v for k, v in before.items() if k != "wording"
    }
    assert recall(api, "weekly monthly summary 周报 月报")["memories"] == []
    assert [one["id"] for one in waiting(person)] == [item["id"]]


def test_a_value_that_was_replaced_comes_back_with_its_trust(
    api: Api, person: Api, cast: Cast
) -> None:
    tell(api, {"role": "user", "content": "我住在苏州。", "at": day(0)})
    (home,) = listed(api)
    before = row(cast, home["id"])
    challenger = propose(api, "Lives in Graz 格拉茨", attribute="home.city", value="Graz")["id"]
    waited = row(cast, challenger)
    (item,) = waiting(person)
    answer(person, item, "keep")
    assert texts(listed(api, state="active")) == ["Lives in Graz 格拉茨"]
    assert row(cast, challenger)["state"] == "archived"
    answer(person, item, "undo")
    assert texts(listed(api, state="active")) == ["我住在苏州。"]
    assert row(cast, challenger) == waited
    after = row(cast, home["id"])
    assert (after["trust"], after["wording"], after["state"]) == (30, before["wording"], "active")
    assert [one["current"]["text"] for one in waiting(person)] == ["我住在苏州。"]
    answer(person, item, "keep")  # and the person may still change their mind
    assert texts(listed(api, state="active")) == ["Lives in Graz 格拉茨"]


@pytest.mark.parametrize("confirmed", ["by answer", "by name"])
def test_what_the_person_confirmed_is_not_rolled_back(
    api: Api, person: Api, cast: Cast, confirmed: str
) -> None:
    """A kept wording was the person's on the memory alone, not on its version."""
    start = timezone.now()
    tell(api, {"role": "user", "content": "我住在苏州。", "at": day(0)})
    propose(api, "Lives in Graz 格拉茨", attribute="home.city", value="Graz")
    (item,) = waiting(person)
    answer(person, item, "keep")
    (home,) = listed(api, state="active")
    with acting(system_of(cast.alice)):
        if confirmed == "by name":  # a rewording of an agent's, confirmed afterwards
            Version.objects.filter(memory_id=home["id"], number=2).update(trust=Trust.INFERRED)
        trail = Trail(since=start, until=timezone.now(), origin=Origin.AGENT)
        roll_back(system_of(cast.alice), trail)
    assert texts(listed(api, state="active")) == ["Lives in Graz 格拉茨"]


def test_what_changed_meanwhile_is_not_put_back(api: Api, person: Api, cast: Cast) -> None:
    tell(api, "我住在苏州。")
    propose(api, "Lives in Graz 格拉茨", attribute="home.city", value="Graz")
    (item,) = waiting(person)
    answer(person, item, "keep")
    (home,) = listed(api, state="active")
    text, version = "我搬到广州了。", f'"{home["version"]}"'
    body_of(person("PATCH", f"memories/{home['id']}", {"text": text}, If_Match=version))
    problem(person("POST", f"reviews/{item['id']}/undo"), 409, "stale_state")
    assert texts(listed(api, state="active")) == [text]


def test_a_merged_challenger_is_erased_when_the_window_is_over(
    api: Api, person: Api, cast: Cast
) -> None:
    tell(api, "我住在苏州。")
    challenger = propose(api, "Lives in Graz 格拉茨", attribute="home.city", value="Graz")["id"]
    (item,) = waiting(person)
    answer(person, item, "keep")
    principal = system_of(cast.alice)
    assert ageing.settle(principal) == 0
    later(cast, undo_until=PAST)
    assert ageing.settle(principal) == 1 and ageing.settle(principal) == 0
    assert Tombstone.objects.filter(object_id=challenger).exists()
    assert texts(listed(api, state="active")) == ["Lives in Graz 格拉茨"]
    problem(person("POST", f"reviews/{item['id']}/undo"), 409, "stale_state")


# --- forgotten by an answer, and back another way -----------------------------------------------


@pytest.mark.parametrize("text", ["Likes teal", "喜欢青色"])
def test_a_rejected_guess_that_is_brought_back_waits_again(
    api: Api, person: Api, cast: Cast, text: str
) -> None:
    """Undone by its memory it waited for good: nothing could keep it, and it never lapsed."""
    memory = propose(api, text, subtype="instruction")["id"]
    (item,) = waiting(person)
    answer(person, item, "reject")
    problem(api("POST", f"memories/{memory}/undo"), 403, "forbidden")
    body_of(person("POST", f"memories/{memory}/undo"))
    assert [one["id"] for one in waiting(person)] == [item["id"]]
    problem(person("POST", f"reviews/{item['id']}/undo"), 409, "stale_state")
    answer(person, item, "keep")
    assert texts(listed(api, state="active")) == [text]


def test_a_rejected_guess_that_is_brought_back_lapses(api: Api, person: Api, cast: Cast) -> None:
    memory = propose(api, "Likes teal 青色", subtype="instruction")["id"]
    (item,) = waiting(person)
    answer(person, item, "reject")
    body_of(person("POST", f"memories/{memory}/undo"))
    later(cast, lapses_at=PAST)
    assert lapse_guesses(system_of(cast.alice)) == 1


# --- by the clock --------------------------------------------------------------------------------


def test_what_is_in_use_stays_when_its_question_lapses(api: Api, person: Api, cast: Cast) -> None:
    tell(api, {"role": "user", "content": "以后报告都用中文写。", "at": day(-800)})
    principal = system_of(cast.alice)
    assert ageing.ask_again(principal) == 1 and ageing.ask_again(principal) == 0
    (item,) = waiting(person)
    assert (item["kind"], item["memory"]["state"]) == ("stale", "active")
    later(cast, lapses_at=PAST)
    assert ageing.lapse(principal) == 1
    assert texts(listed(api)) == ["以后报告都用中文写。"]
    assert ageing.ask_again(principal) == 0  # not again within the year
    later(cast, created_at=timezone.now() - STALE.after - timedelta(days=1))
    assert ageing.ask_again(principal) == 1


@pytest.mark.parametrize(("what", "left"), [("keep", ["以后报告都用中文写。"]), ("reject", [])])
def test_still_true_is_answered_and_taken_back(
    api: Api, person: Api, cast: Cast, what: str, left: list[str]
) -> None:
    tell(api, {"role": "user", "content": "以后报告都用中文写。", "at": day(-800)})
    (memory,) = listed(api)
    before = row(cast, memory["id"])
    principal = system_of(cast.alice)
    ageing.ask_again(principal)
    (item,) = waiting(person)
    answer(person, item, what)
    assert texts(listed(api)) == left
    answer(person, item, "undo")
    assert row(cast, memory["id"]) == before
    answer(person, item, what)
    later(cast, created_at=timezone.now() - STALE.after - timedelta(days=1))
    assert ageing.ask_again(principal) == 0  # confirmed anew, or gone


def test_only_a_few_are_asked_at_once_and_only_what_may_change(
    api: Api, person: Api, cast: Cast
) -> None:
    old = {"at": day(-800)}
    likes = ("oboe music", "jasmine tea", "black olives", "rye bread", "long trains")
    tell(api, *({"role": "user", "content": f"I love {one}."} | old for one in likes))
    tell(api, {"role": "user", "content": "我昨天修好了那个登录的 bug。"} | old)
    assert ageing.ask_again(system_of(cast.alice)) == STALE.at_once
    assert {one["memory"]["kind"] for one in waiting(person)} == {Kind.SEMANTIC}


def test_the_sweep_visits_everybody_and_leaves_guesses_to_expiry(api: Api, cast: Cast) -> None:
    propose(api, "Wants a weekly summary 周报", subtype="instruction")
    tell(api, {"role": "user", "content": "以后报告都用中文写。", "at": day(-800)})
    later(cast, lapses_at=PAST)
    ageing.sweep()
    with acting(system_of(cast.alice)):
        assert set(ReviewItem.objects.values_list("kind", "state")) == {
            ("new", "open"),
            ("stale", "open"),
        }
