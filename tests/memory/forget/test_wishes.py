"""What a person asks an agent to have forgotten: what is meant, what is done, what the agent hears."""

from typing import Any

import pytest

from accounts.acting import acting
from accounts.choices import Action
from accounts.models import Grant
from memory import jobs
from memory.choices import ReviewState
from memory.models import Memory, ReviewItem, Suppression
from memory.write.candidate import Turn
from memory.write.rules import extract
from memory.write.wishes import Wish
from tests.cast import Api, Cast, system_of
from tests.memory.wire import BEGIN, body_of, listed, outcomes, propose, recall, tell, texts

PHONE = {"contact.phone"}


def grant(cast: Cast, **changes: Any) -> None:
    with acting(system_of(cast.alice)):
        Grant.objects.filter(agent=cast.agents["assistant"]).update(**changes)


def wish(text: str) -> Wish | None:
    found = extract(Turn(role="user", text=text, at=BEGIN), at=BEGIN)  # type: ignore[arg-type]
    return next((one for one in found if isinstance(one, Wish)), None)


# --- what is meant -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("forget my phone number", PHONE),
        ("Would you please drop my phone number from your notes?", PHONE),
        ("Can you forget my birthday please?", {"identity.birthday"}),
        ("Don't remember my birthday.", {"identity.birthday"}),
        ("Stop remembering where I live.", {"home.city"}),
        ("Don't save my email address anymore", {"contact.email"}),
        ("忘掉我的手机号", PHONE),
        ("把我的手机号删掉。", PHONE),
        ("Delete my phone number.", PHONE),
        ("别再记我的城市", {"home.city"}),
        ("别再记我住哪儿了", {"home.city"}),
        ("不要记我的地址。", {"contact.address"}),
        ("请忘掉我的邮箱和电话", {"contact.email", "contact.phone"}),
        ("删掉关于我过敏的记录", {"diet.allergy"}),
    ],
)
def test_a_slot_is_named_in_many_ways(text: str, attributes: set[str]) -> None:
    found = wish(text)
    assert found and found.slots == attributes and not found.everything


@pytest.mark.parametrize(
    ("text", "value"), [("Forget that I live in Berlin.", "Berlin"), ("忘掉我住在北京", "北京")]
)
def test_a_value_is_meant_and_its_slot_may_be_filled_again(text: str, value: str) -> None:
    found = wish(text)
    assert found and found.value == value and found.slots == frozenset()
    assert found.may_mean("…", "home.city", value)
    assert not found.may_mean("…", "home.city", "Graz")


@pytest.mark.parametrize(
    "text",
    [
        "Please delete everything you know about me",
        "Forget me",
        "忘掉关于我的一切",
        "清除我的所有记忆",
    ],
)
def test_everything_is_everything(text: str) -> None:
    found = wish(text)
    assert found and found.everything


@pytest.mark.parametrize(
    ("text", "meant", "other"),
    [
        ("Forget about my trip to Rome.", "I booked a trip to Rome in May.", "I booked a trip to Oslo."),
        ("Please remove the note about the blue car from your memory.", "I sold the blue car.", "I sold the red car."),
        ("忘了我的罗马之行吧", "罗马之行定在五月。", "巴黎之行定在五月。"),
    ],
)  # fmt: skip
def test_other_words_mean_what_holds_them(text: str, meant: str, other: str) -> None:
    found = wish(text)
    assert found and found.may_mean(meant, "", "") and not found.may_mean(other, "", "")


@pytest.mark.parametrize(
    "text",
    ["I never forget my keys.", "我忘了带钥匙", "Don't forget my birthday!", "别忘了我的生日", "我忘了我的密码", "忘了我的生日了吗？", "帮我删除我的旧邮件", "Delete my old emails",
     "别记这句：我打算年底离职。",
     "Don't remember this: I live in Graz.", "我总是忘记吃药", "Did you forget my name?"],
)  # fmt: skip
def test_other_forgetting_is_no_wish(text: str) -> None:
    assert wish(text) is None


# --- what is done --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked", ["Would you please drop my phone number from your notes?", "忘掉我的手机号"]
)
def test_a_grant_that_lets_forget_erases_at_once_and_says_so(
    api: Api, person: Api, cast: Cast, asked: str
) -> None:
    grant(cast, clearance=30)
    tell(api, "我的手机号是 13900001234。", "My bicycle is green.")
    written = propose(person, "The user's phone number is 555-0142.")["id"]
    answer = tell(api, asked)
    assert outcomes(answer) == [("refused", ["forget_wish", "forgotten"])]
    assert texts(listed(person)) == ["My bicycle is green."]
    assert api("GET", f"memories/{written}").status_code == 410
    assert recall(api, "phone number 手机号")["memories"] == []


@pytest.mark.parametrize("again", ["我的手机号是 13900001234。", "You can call me at 555-0142."])
def test_the_slot_is_not_learnt_again_until_the_person_lifts_it(
    api: Api, person: Api, cast: Cast, again: str
) -> None:
    grant(cast, clearance=30)
    answer = tell(api, "别再记我的手机号")
    assert outcomes(answer) == [("refused", ["forget_wish"])]  # there was nothing to forget
    assert listed(person) == [] and tell(api, again)
    assert propose(api, again)["reasons"] == ["suppressed"]
    (row,) = body_of(person("GET", f"users/{cast.alice.id}/suppressions"))["suppressions"]
    assert row["basis"] == "attribute"
    person("DELETE", f"users/{cast.alice.id}/suppressions/{row['id']}")
    assert propose(person, again)["outcome"] == "accepted"


def test_what_is_most_likely_meant_is_forgotten_and_can_be_taken_back(
    api: Api, person: Api
) -> None:
    kept = propose(person, "I booked a trip to Rome in May.")["id"]
    assert outcomes(tell(api, "Forget about my trip to Rome."))[0][1] == [
        "forget_wish",
        "forgotten",
    ]
    assert listed(api) == []
    assert body_of(person("POST", f"memories/{kept}/undo"))["state"] == "active"


def test_everything_can_be_taken_back_too(api: Api, person: Api, cast: Cast) -> None:
    tell(api, "我住在苏州。", "I play the oboe on Fridays.")
    tell(api, "忘掉关于我的一切")
    assert listed(api) == []
    with acting(system_of(cast.alice)):
        assert set(Memory.objects.values_list("state", flat=True)) == {"forgotten"}


def test_a_value_that_is_wrong_may_be_told_right(api: Api) -> None:
    tell(api, "I live in Berlin.")
    tell(api, "Forget that I live in Berlin.", "I live in Graz.")
    assert texts(listed(api)) == ["I live in Graz."]


# --- where the grant does not reach --------------------------------------------------------------


def test_without_the_right_the_person_is_asked(api: Api, person: Api, cast: Cast) -> None:
    tell(api, "我住在苏州。")
    grant(cast, actions=[Action.READ, Action.WRITE])
    answer = tell(api, "别再记我的城市")
    assert outcomes(answer) == [("refused", ["forget_wish", "forget_asked"])]
    assert texts(listed(api)) == ["我住在苏州。"]  # in use until the person answers
    assert ("refused", ["suppressed"]) in outcomes(tell(api, "我搬到上海了。"))
    (item,) = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    assert (item["kind"], item["memory"]["text"]) == ("forget", "我住在苏州。")
    tell(api, "别再记我的城市")  # said twice, asked once
    assert len(body_of(person("GET", "reviews?user_id=alice"))["reviews"]) == 1
    body_of(person("POST", f"reviews/{item['id']}/keep"))
    assert texts(listed(api)) == ["我住在苏州。"]
    body_of(person("POST", f"reviews/{item['id']}/undo"))
    assert texts(listed(api)) == ["我住在苏州。"]  # open again, and still in use
    body_of(person("POST", f"reviews/{item['id']}/reject"))
    assert listed(api) == []


def test_what_the_agent_may_not_see_is_asked_about_without_a_hint(
    api: Api, person: Api, cast: Cast
) -> None:
    propose(person, "我的手机号是 13900001234。", attribute="contact.phone")
    assert outcomes(tell(api, "忘掉我的手机号")) == [("refused", ["forget_wish"])]
    (item,) = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    assert item["kind"] == "forget"


def test_a_wish_reaches_no_other_person(api: Api, cast: Cast) -> None:
    bob = Api(cast.keys["colleague"])
    body_of(bob("POST", "memories", {"user_id": "bob", "text": "我住在苏州。", "attribute": "home.city"}), 201)  # fmt: skip
    tell(api, "别再记我的城市", "忘掉关于我的一切")
    assert texts(listed(bob, user_id="bob")) == ["我住在苏州。"]


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_the_persons_own_words_are_a_wish(api: Api, role: str) -> None:
    tell(api, "我住在苏州。")
    tell(api, {"role": role, "content": "忘掉关于我的一切"}, {"role": role, "content": "Forget me"})
    assert texts(listed(api)) == ["我住在苏州。"]


def test_a_wish_is_done_once_whatever_dies(api: Api, cast: Cast) -> None:
    tell(api, "我住在苏州。")
    session = body_of(api("POST", "sessions", {"user_id": "alice"}), 201)["id"]
    said = {"messages": [{"role": "user", "content": "别再记我的城市"}]}
    job = body_of(api("POST", f"sessions/{session}/messages", said), 202)["job"]["id"]
    for _ in range(2):
        jobs.run_job(job)
    with acting(system_of(cast.alice)):
        assert Suppression.objects.filter(basis="attribute").count() == 1
        assert not ReviewItem.objects.filter(state=ReviewState.OPEN).exists()
    assert listed(api) == []
