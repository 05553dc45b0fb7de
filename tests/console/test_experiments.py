"""Two ways of recalling are compared by how tasks end: by session, told by agents, read in the console."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.acting import acting
from memory.admin import experiments
from memory.choices.experiments import Arm
from memory.errors import Forbidden, InvalidInput
from memory.evaluation.proportions import (
    A_BETTER,
    B_BETTER,
    NO_DIFFERENCE,
    TOO_SMALL,
    Share,
    compared,
)
from memory.models import Experiment, Memory, RecallLog
from memory.recall.experiments import arm_of, takes_part
from tests.cast import Api, Cast, principal_of, system_of
from tests.cast import operator as operator_of
from tests.memory.wire import body_of, open_session, propose

ASKED = "Lyon 里昂"
REASON = "drill OPS-3"


# --- the arithmetic ------------------------------------------------------------------------------


def simulated(seed: int, *, of_a: float, of_b: float, each: int = 300) -> tuple[float, float, str]:
    """Return the interval and the verdict on sessions whose true shares are known."""
    draw = random.Random(seed)
    a, b = (
        Share(successes=sum(draw.random() < p for _ in range(each)), of=each) for p in (of_a, of_b)
    )
    found = compared(a, b)
    return found.low, found.high, found.says


def test_a_known_effect_lies_within_its_interval() -> None:
    found = [simulated(seed, of_a=0.6, of_b=0.75) for seed in range(200)]
    assert sum(low <= 0.15 <= high for low, high, _ in found) >= 0.93 * 200
    assert sum(says == B_BETTER for _, _, says in found) >= 0.9 * 200
    assert not any(says == A_BETTER for _, _, says in found)


def test_no_effect_is_said_to_be_none() -> None:
    found = [simulated(seed, of_a=0.7, of_b=0.7) for seed in range(200)]
    assert sum(low <= 0 <= high for low, high, _ in found) >= 0.93 * 200
    assert sum(says == NO_DIFFERENCE for _, _, says in found) >= 0.93 * 200


@pytest.mark.parametrize("each", [0, 1, 29])
def test_too_small_says_nothing_however_large_the_difference(each: int) -> None:
    found = compared(Share(successes=0, of=each), Share(successes=500, of=500))
    assert found.says == TOO_SMALL
    assert compared(Share(successes=0, of=30), Share(successes=500, of=500)).says == B_BETTER
    assert compared(Share(successes=500, of=500), Share(successes=0, of=30)).says == A_BETTER


def test_numbers_worked_out_in_the_paper() -> None:
    """Newcombe 1998, table II, method 10: 56/70 less 48/80 is 0.2000 (0.0524 to 0.3339)."""
    found = compared(Share(successes=48, of=80), Share(successes=56, of=70))
    assert found.value == pytest.approx(0.2)
    assert found.low == pytest.approx(0.0524, abs=5e-4)
    assert found.high == pytest.approx(0.3339, abs=5e-4)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_the_interval_holds_the_difference(a: int, more_a: int, b: int, more_b: int) -> None:
    found = compared(Share(successes=a, of=a + more_a), Share(successes=b, of=b + more_b))
    assert -1 - 1e-9 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 1 + 1e-9


def test_a_session_stays_in_its_arm_and_arms_are_alike() -> None:
    draw = random.Random(3)
    one, other = (uuid.UUID(int=draw.getrandbits(128)) for _ in range(2))
    sessions = [uuid.UUID(int=draw.getrandbits(128)) for _ in range(2000)]
    arms = [arm_of(one, session) for session in sessions]
    assert arms == [arm_of(one, session) for session in sessions]
    assert 900 < Counter(arms)[Arm.B] < 1100
    assert 900 < sum(arm_of(other, s) == arm for s, arm in zip(sessions, arms, strict=True)) < 1100


# --- in the service ------------------------------------------------------------------------------


@pytest.fixture
def api(cast: Cast) -> Api:
    api = Api(cast.keys["assistant"])
    for text in ("Alice lives in Lyon 里昂", "爱丽丝在里昂 Lyon 教钢琴"):
        propose(api, text)
    return api


def start(client: Client, cast: Cast, **given: Any) -> Any:
    chosen = {"action": "start_experiment", "_selected_action": [str(cast.acme.id)]}
    body = {"because": "drill", "ticket": "OPS-3", "name": "on-or-off", "kind": "memory"}
    return client.post("/admin/console/tenant/", chosen | body | given)


def running(cast: Cast) -> Experiment:
    with acting(operator_of(cast.acme)):
        return Experiment.objects.get(ended_at=None)


def recalled(api: Api, session: str, **more: Any) -> dict[str, Any]:
    body = {"user_id": "alice", "query": ASKED, "session": session}
    return body_of(api("POST", "recall", body | more))


def sessions_of(api: Api, experiment: Experiment) -> dict[str, list[str]]:
    """Open sessions until there are some of both arms."""
    found: dict[str, list[str]] = {"a": [], "b": []}
    while min(map(len, found.values())) < 2:
        session = open_session(api, f"chat {sum(map(len, found.values()))}")
        found[arm_of(experiment.id, uuid.UUID(session))].append(session)
    return found


@pytest.mark.django_db(transaction=True, databases=["default", "console"])
def test_memory_on_and_off(operator: Client, cast: Cast, api: Api) -> None:
    pinned = str(propose(api, "Alice takes no ferries 渡轮")["id"])
    with acting(system_of(cast.alice)):
        Memory.objects.filter(id=pinned).update(pinned=True, in_profile=True)
    assert start(operator, cast).status_code == 302
    row = running(cast)
    sessions = sessions_of(api, row)
    for session in sessions["a"]:
        answer = recalled(api, session)
        assert len(answer["memories"]) == 2 and "experiment" not in answer["held_back"]
        said = {
            "recall_id": answer["recall_id"],
            "verdict": "helped",
            "task_id": "t",
            "success": True,
        }
        body_of(api("POST", "feedback", said), 201)
    for session in sessions["b"]:
        answer = recalled(api, session)
        assert answer["status"] == "nothing_relevant" and answer["memories"] == []
        assert answer["held_back"]["experiment"] >= 2
        assert [one["id"] for one in answer["profile"]] == [pinned], "safety always comes"
        said = {"recall_id": answer["recall_id"], "verdict": "hurt", "success": False}
        body_of(api("POST", "feedback", said), 201)
    outside = body_of(api("POST", "recall", {"user_id": "alice", "query": ASKED}))
    assert len(outside["memories"]) == 2, "a recall without a session takes no part"
    assert takes_part(principal_of(cast.keys["alice"], "alice"))
    page = operator.get(f"/admin/console/experiment/{row.id}/change/").content.decode()
    assert "Too small to say" in page
    found = experiments.result(row.id)
    assert found.told["a"] == Share(successes=len(sessions["a"]), of=len(sessions["a"]))
    assert found.told["b"] == Share(successes=0, of=len(sessions["b"]))
    assert found.sessions == {arm: len(ids) for arm, ids in sessions.items()}
    ending = {"action": "end_experiment", "_selected_action": [str(row.id)]}
    why = {"because": "drill", "ticket": "OPS-3"}
    assert operator.post("/admin/console/experiment/", ending | why).status_code == 302
    assert len(recalled(api, sessions["b"][0])["memories"]) == 2
    assert not takes_part(principal_of(cast.keys["alice"], "alice"))


@pytest.mark.django_db(transaction=True, databases=["default", "console"])
def test_one_recipe_and_another(operator: Client, cast: Cast, api: Api) -> None:
    for refused in (
        {"recipe_a": "default", "recipe_b": "default"},
        {"recipe_a": "default", "recipe_b": "nobody"},
        {"recipe_a": "default", "recipe_b": "profile_only"},
    ):
        assert start(operator, cast, kind="recipe", **refused).status_code == 200
    made = start(operator, cast, kind="recipe", recipe_a="default", recipe_b="inject")
    assert made.status_code == 302
    assert start(operator, cast).status_code == 200, "one at once"
    sessions = sessions_of(api, running(cast))
    assert recalled(api, sessions["a"][0], policy="inject")["policy"] == "default"
    assert recalled(api, sessions["b"][0])["policy"] == "inject"
    with acting(system_of(cast.alice)):
        arms = RecallLog.objects.exclude(arm="").order_by("at").values_list("arm", "policy")
        assert list(arms) == [("a", "default"), ("b", "inject")]


@pytest.mark.django_db
def test_only_an_operator(cast: Cast) -> None:
    agent = principal_of(cast.keys["assistant"], "alice")
    with pytest.raises(Forbidden):
        experiments.start_experiment(agent, cast.acme.id, reason=REASON, name="x", kind="memory")
    with pytest.raises(Forbidden):
        experiments.end_experiment(agent, uuid.UUID(int=3), reason=REASON)
    acme = operator_of(cast.acme)
    assert not experiments.end_experiment(acme, uuid.UUID(int=3), reason=REASON)
    with pytest.raises(InvalidInput, match="A name is"):
        experiments.start_experiment(acme, cast.acme.id, reason=REASON, name="A b", kind="memory")
