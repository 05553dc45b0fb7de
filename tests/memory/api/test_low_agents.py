"""An agent with a low grant learns nothing from answers, and reaches nothing beyond its grant."""

from typing import Any

import pytest

from accounts.acting import acting
from accounts.choices import Action
from accounts.models import Grant
from memory.choices import Sensitivity, Visibility
from memory.models import Memory
from tests.cast import Api, Cast, principal_of, remember, system_of
from tests.memory.wire import body_of

TEXTS = ("每周五拉大提琴。", "Plays the cello on Fridays.")


@pytest.fixture
def low(cast: Cast) -> Api:
    """Alice's agent that may see ordinary things."""
    return Api(cast.keys["low"])


def allow(cast: Cast, **rights: Any) -> None:
    """Change the grant of Alice's first agent."""
    with acting(system_of(cast.alice)):
        Grant.objects.filter(agent=cast.agents["assistant"]).update(**rights)


def send(api: Api, text: str) -> dict[str, Any]:
    answer: dict[str, Any] = api("POST", "memories", {"user_id": "alice", "text": text}).json()
    return answer


@pytest.mark.parametrize("text", TEXTS)
def test_the_words_of_a_hidden_memory_are_answered_like_new_ones(
    cast: Cast, low: Api, text: str
) -> None:
    """Once the answer said "reinforced", which told that the memory is there."""
    hidden = remember(principal_of(cast.keys["alice"], "alice"), text)
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=hidden.id).update(sensitivity=Sensitivity.SPECIAL, pinned=False)
    first, second = send(low, text), send(low, text)
    for answer in (first, second):
        assert (answer["outcome"], answer["reasons"]) == ("accepted", first["reasons"])
    assert "duplicate_exact" not in first["reasons"]
    with acting(system_of(cast.alice)):
        assert Memory.objects.filter(subject_id=cast.alice.id).count() == 1  # still one memory


def test_what_one_agent_kept_to_itself_and_another_says_too_is_for_both(cast: Cast) -> None:
    text = "Prefers the 07:12 train 早班车 to Basel."
    first = principal_of(cast.keys["no_episodes"], "alice")
    mine = remember(first, text, visibility=Visibility.AGENT)
    other = Api(cast.keys["assistant"])
    answer = send(other, text)
    assert answer["outcome"] == "accepted"
    assert body_of(other("GET", f"memories/{mine.id}"))["text"] == text


def test_nobody_erases_what_they_may_not_see(cast: Cast, low: Api) -> None:
    whole = {"user_id": "alice", "everything": True, "confirm": "alice"}
    for name in ("low", "assistant", "no_episodes"):
        answer = Api(cast.keys[name])("POST", "erasures", whole)
        assert answer.status_code == 403, name
        assert "every kind and level" in answer.json()["detail"]
    allow(cast, clearance=Sensitivity.SPECIAL)
    assert Api(cast.keys["assistant"])("POST", "erasures", whole).status_code == 201


def test_only_an_agent_an_operator_chose_gives_links(cast: Cast) -> None:
    link = f"users/{cast.alice.id}/link"
    refused = Api(cast.keys["low"])("POST", link)
    assert refused.status_code == 403
    assert "operator" in refused.json()["detail"]
    given = Api(cast.keys["assistant"])("POST", link)
    assert given.status_code == 201
    allow(cast, actions=[Action.READ])
    assert Api(cast.keys["assistant"])("POST", link).status_code == 403


def test_a_first_use_gives_no_right_to_links(cast: Cast) -> None:
    stranger = Api(cast.keys["stranger"])  # Globex grants on first use
    found = body_of(stranger("POST", "users", {"user_id": "新人"}), 201)
    assert stranger("POST", f"users/{found['id']}/link").status_code == 403
