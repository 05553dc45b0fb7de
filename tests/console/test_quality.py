"""How well memory serves: counted from what happened, of a tenant or one agent, without a word of it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from memory.admin.quality import quality
from memory.forget import drive
from memory.models import Erasure
from tests.cast import Api, Cast
from tests.memory.wire import body_of, propose, recall

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])


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
    assert numbers["Feedback: made it worse"] == "50.0 % (1 of 2)"
    assert numbers["Tasks that went well"] == "100.0 % (1 of 1)"
    assert numbers["Corrections by people, per 100 memories written"] == "100.0"
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
    numbers = {one.words: one.value for one in quality(cast.acme.id, agent_id=None, days=7).numbers}
    assert numbers["Tasks that went well"] == "50.0 % (1 of 2)"


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
