"""How well memory serves: counted from what happened, of a tenant or one agent, without a word of it."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest
from django.test import Client
from django.utils import timezone

from accounts.acting import acting
from memory.admin.quality import quality
from memory.choices.experiments import Arm
from memory.forget import drive
from memory.models import Erasure, Experiment
from memory.recall.experiments import arm_of
from tests.cast import Api, Cast
from tests.cast import operator as operator_of
from tests.memory.wire import body_of, open_session, propose, recall

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])


def numbers_of(cast: Cast, agent: str | None = None) -> dict[str, str]:
    """Return the numbers of the last week, of Acme or one of its agents."""
    agent_id = cast.agents[agent].id if agent else None
    shown = quality(cast.acme.id, agent_id=agent_id, days=7)
    return {one.words: one.value for one in shown.numbers}


@pytest.fixture
def happened(cast: Cast) -> None:
    """Two memories, two recalls, two verdicts, a correction and an erasure."""
    api = Api(cast.keys["assistant"])
    first = propose(api, "Alice lives in Lyon 里昂")
    second = propose(api, "爱丽丝在里昂 Lyon 教钢琴")
    found = recall(api, "Lyon 里昂")
    recall(api, "submarines 潜水艇", include_profile=False)
    told = {"recall_id": found["recall_id"], "task_id": "t"}
    body_of(api("POST", "feedback", told | {"verdict": "hurt", "success": True}), 201)
    body_of(api("POST", "feedback", {"memory_id": first["id"], "verdict": "helped"}), 201)
    person = Api(cast.keys["alice"])
    current = person("GET", f"memories/{first['id']}")
    mended = {"text": "Alice lives in Lille 里尔"}
    body_of(person("PATCH", f"memories/{first['id']}", mended, If_Match=current["ETag"]))
    assert api("DELETE", f"memories/{second['id']}").status_code in (200, 202)
    drive.run(Erasure.objects.get().id)


def test_every_number_is_counted(happened: None, cast: Cast) -> None:
    shown = quality(cast.acme.id, agent_id=None, days=30)
    numbers = {one.words: one.value for one in shown.numbers}
    assert numbers["Recalls"] == "2"
    assert numbers["Items handed over, on average"] == "1.0"
    assert float(numbers["Tokens handed over, on average"]) > 3
    assert numbers["Nothing relevant"] == "50.0 % (1 of 2)"
    assert numbers["Answers that made it worse"] == "50.0 % (1 of 2)"
    assert numbers["Recalls whose task went well"] == "100.0 % (1 of 1)"
    # A regression: what was erased was still counted as corrected and no longer as written.
    assert numbers["Corrections by people, per 100 memories written"] == "50.0"
    assert float(numbers["Seconds to erase, 95 % of them"]) >= 0
    assert sum(number for _, _, number in shown.reasons) == 1, "what was erased is not counted"
    assert shown.charts["Recalls"].total == 2 and len(shown.charts["Recalls"].bars) == 30


def test_a_task_that_ended_is_counted_once_as_it_was_said_last(cast: Cast) -> None:
    """A regression: what was said of one recall's task with each verdict counted as another task."""
    api = Api(cast.keys["assistant"])
    memory = propose(api, "Alice lives in Lyon 里昂")
    for ended in (False, True):
        of = {"recall_id": recall(api, "Lyon 里昂")["recall_id"]}
        of_memory = of | {"memory_id": memory["id"], "verdict": "helped"}
        body_of(api("POST", "feedback", of_memory | {"success": not ended}), 201)
        body_of(api("POST", "feedback", of | {"success": ended}), 201)
    assert numbers_of(cast)["Recalls whose task went well"] == "50.0 % (1 of 2)"


def test_five_verdicts_on_one_answer_are_one(cast: Cast) -> None:
    """A regression: five memories of one recall that made it worse counted as five times worse."""
    api = Api(cast.keys["assistant"])
    told = (
        "Alice plays the oboe",
        "爱丽丝吹双簧管 oboe",
        "Alice has two oboes",
        "爱丽丝有一支旧双簧管",
    )
    ids = [propose(api, text)["id"] for text in told]
    bad, good = (recall(api, "oboe 双簧管")["recall_id"] for _ in range(2))
    for one in ids:
        body = {"recall_id": bad, "memory_id": one, "verdict": "hurt"}
        body_of(api("POST", "feedback", body), 201)
    body_of(api("POST", "feedback", {"recall_id": good, "verdict": "helped"}), 201)
    numbers = numbers_of(cast)
    assert numbers["Answers that made it worse"] == "50.0 % (1 of 2)"
    assert numbers["Answers that helped"] == "50.0 % (1 of 2)"
    shown = quality(cast.acme.id, agent_id=None, days=7)
    assert shown.agents[0].hurt == "50.0 % (1 of 2)"
    assert shown.charts["Made it worse"].total == 1


def test_what_did_not_look_is_not_counted_as_nothing_relevant(cast: Cast) -> None:
    """A regression: contexts without a question, and an experiment's sessions without memory, were."""
    api = Api(cast.keys["assistant"])
    propose(api, "Alice lives in Lyon 里昂")
    body_of(api("POST", f"sessions/{open_session(api)}/context", {}))
    with acting(operator_of(cast.acme)):
        running = Experiment.objects.create(tenant=cast.acme, name="on-or-off", kind="memory")
    sessions = [open_session(api, f"chat 聊天 {at}") for at in range(8)]
    while len(arms := Counter(arm_of(running.id, uuid.UUID(one)) for one in sessions)) < len(Arm):
        sessions.append(open_session(api, f"chat 聊天 {len(sessions)}"))
    for one in sessions:
        recall(api, "Lyon 里昂", session=one, include_profile=False)
    numbers = numbers_of(cast)
    assert numbers["Recalls"] == str(arms[Arm.A])
    assert numbers["Nothing relevant"] == f"0.0 % (0 of {arms[Arm.A]})"
    assert numbers["Items handed over, on average"] == "1.0"
    assert numbers["Contexts without a question"] == "1"
    assert numbers["Recalls without memory, by an experiment"] == str(arms[Arm.B])
    (agent,) = quality(cast.acme.id, agent_id=None, days=7).agents
    assert (agent.recalls, agent.nothing) == (arms[Arm.A], numbers["Nothing relevant"])


def test_what_people_say_of_an_agents_memories_is_counted_for_it(cast: Cast) -> None:
    """A rejected memory ends with its question: the log says both, for the agent that wrote it."""
    api, person = Api(cast.keys["assistant"]), Api(cast.keys["alice"])
    kept = propose(api, "Alice lives in Lyon 里昂")
    guessed = propose(api, "爱丽丝总想要简短的回答 short", subtype="instruction")
    current = person("GET", f"memories/{kept['id']}")
    body = {"text": "Alice lives in Lille 里尔"}
    body_of(person("PATCH", f"memories/{kept['id']}", body, If_Match=current["ETag"]))
    (question,) = body_of(person("GET", "reviews?user_id=alice"))["reviews"]
    assert person("POST", f"reviews/{question['id']}/reject").status_code in (200, 202)
    assert api("DELETE", f"memories/{kept['id']}").status_code in (200, 202)
    assert person("DELETE", f"memories/{guessed['id']}").status_code in (200, 202)
    for one in Erasure.objects.all():
        drive.run(one.id)
    for agent in (None, "assistant"):
        numbers = numbers_of(cast, agent)
        assert numbers["Corrections by people, per 100 memories written"] == "50.0"
        assert numbers["Questions rejected by people"] == "100.0 % (1 of 1)"
        assert float(numbers["Seconds to erase, half of them"]) >= 0
    assert set(numbers_of(cast, "reader").values()) == {"0", "–"}
    charts = quality(cast.acme.id, agent_id=None, days=7).charts
    assert (
        charts["Corrections by people"].total == charts["Questions rejected by people"].total == 1
    )


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_day_is_the_operators_day(happened: None, cast: Cast, zone: str) -> None:
    # At any time it is another day than in UTC in one of these: its recalls were once left out.
    with timezone.override(zone):
        charts = quality(cast.acme.id, agent_id=None, days=7).charts
    assert charts["Recalls"].total == 2 and charts["Recalls"].bars[-1].number == 2


def test_of_one_agent_and_on_the_page(happened: None, operator: Client, cast: Cast) -> None:
    (agent,) = quality(cast.acme.id, agent_id=None, days=30).agents
    assert (agent.agent.name, agent.recalls, agent.hurt) == (
        cast.agents["assistant"].name,
        2,
        "50.0 % (1 of 2)",
    )
    other = quality(cast.acme.id, agent_id=cast.agents["reader"].id, days=7)
    assert {one.value for one in other.numbers} == {"0", "–"}
    page = operator.get(f"/admin/quality/?tenant={cast.acme.id}&days=7").content.decode()
    assert "Made it worse: 1" in page and "Lyon" not in page
    assert operator.get("/admin/quality/?tenant=x&agent=y&days=z").status_code == 200
    nobody = quality(cast.globex.id, agent_id=None, days=90)
    assert nobody.agents == [] and {one.value for one in nobody.numbers} == {"0", "–"}
