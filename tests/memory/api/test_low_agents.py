"""An agent with a low grant learns nothing from answers, and reaches nothing beyond its grant."""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import Action
from accounts.models import Grant
from accounts.principal import Principal
from memory.choices import Origin, Role, Sensitivity, Trust
from memory.models import Memory
from memory.write import pipeline
from memory.write.proposal import Proposal, Source
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


def propose(principal: Principal, text: str) -> uuid.UUID:
    """Have a person say something of their own; return its memory's id."""
    source = Source(origin=Origin.PERSON, said_at=timezone.now(), role=Role.USER)
    memory = pipeline.propose(principal, Proposal(text=text, source=source)).memory
    assert memory is not None
    return memory.id


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
    assert (first["outcome"], first["version"], first["state"]) == ("accepted", 1, "active")
    assert "duplicate_exact" not in first["reasons"]
    assert second["outcome"] == "reinforced"
    with acting(system_of(cast.alice)):
        assert Memory.objects.filter(subject_id=cast.alice.id).count() == 1  # still one memory


@pytest.mark.parametrize(
    ("other", "text"), [("喜欢收集旧邮票。", TEXTS[0]), ("Collects old stamps.", TEXTS[1])]
)
def test_the_same_words_twice_are_answered_alike_whatever_is_hidden(
    cast: Cast, low: Api, other: str, text: str
) -> None:
    """Once only a writer beside a hidden memory was never told that it repeats itself."""
    said = [_answer(send(low, other)) for _ in range(3)]
    hidden = remember(principal_of(cast.keys["alice"], "alice"), text)
    with acting(system_of(cast.alice)):
        rows = Memory.objects.filter(id=hidden.id)
        rows.update(sensitivity=Sensitivity.SPECIAL, pinned=False, version=3, state="pending")
    assert [_answer(send(low, text)) for _ in range(3)] == said
    assert [outcome for outcome, *_ in said] == ["accepted", "reinforced", "reinforced"]


@pytest.mark.parametrize(
    ("listed", "dropped"),
    [
        ("My shopping list: milk, eggs and flour.", "Remove eggs from my shopping list."),
        ("购物清单：牛奶、鸡蛋、面粉。", "把鸡蛋从购物清单里去掉。"),
    ],
)
def test_taking_something_off_a_hidden_list_is_answered_as_if_there_were_none(
    cast: Cast, low: Api, listed: str, dropped: str
) -> None:
    nothing = _answer(send(low, dropped))
    hidden = propose(principal_of(cast.keys["alice"], "alice"), listed)
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=hidden).update(
            sensitivity=Sensitivity.SPECIAL, pinned=False, trust=Trust.INFERRED
        )
    answer = send(low, dropped)
    assert _answer(answer) == nothing and answer["id"] is None
    with acting(system_of(cast.alice)):
        kept = Memory.objects.get(id=hidden)
        assert kept.version == 2 or kept.versions.filter(valid_to__isnull=False).exists()


def _answer(answer: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(answer[name] for name in ("outcome", "reasons", "state", "version"))


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
