"""Why this came back and why that did not: the whole table for the person, nothing for a lower grant."""

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.models import AuditEvent, Grant
from accounts.principal import ALL_ACTIONS, Principal
from memory.models import Memory, RecallLog, Vector
from memory.recall.explain import explain
from memory.recall.values import RecallQuery
from tests.cast import Api, Cast, make_agent, system_of
from tests.memory.wire import body_of, day, problem, propose, recall

ASKED = "kayak 皮划艇"
LONG = "Kayak 皮划艇 two, with a longer description 很长的说明" * 6


def table(person: Api, query: str = ASKED, **options: Any) -> dict[str, Any]:
    return body_of(person("POST", "recall/explain", {"user_id": "alice", "query": query} | options))


def fates(found: dict[str, Any]) -> dict[str, str]:
    return {one["text"]: one["fate"] for one in found["candidates"]}


def change(cast: Cast, memory: object, **columns: Any) -> None:
    with acting(system_of(cast.alice)):
        assert Memory.objects.filter(id=str(memory)).update(**columns) == 1


def test_each_reason_is_told(api: Api, person: Api, cast: Cast) -> None:
    propose(api, "Kayak 皮划艇 one")
    propose(api, LONG)
    propose(api, "Kayak 皮划艇 three")
    propose(api, "Plays the oboe 双簧管")
    now = timezone.now()
    for text, columns in (
        ("Kayak 皮划艇 paused", {"state": "paused"}),
        ("Kayak 皮划艇 expired", {"expires_at": now - timedelta(days=1)}),
        ("Kayak 皮划艇 special", {"sensitivity": 40}),
        ("Kayak 皮划艇 private", {"visibility": "agent", "agent_id": uuid.uuid4()}),
    ):
        change(cast, propose(api, text)["id"], **columns)
    propose(api, "Kayak 皮划艇 ended", valid_from=day(0), valid_to=day(1))
    corrected = propose(api, "Kayak 皮划艇 old wording")["id"]
    body_of(
        person(
            "PATCH", f"memories/{corrected}", {"text": "Kayak 皮划艇 new wording"}, If_Match='"1"'
        )
    )
    agent = str(cast.agents["assistant"].id)
    found = fates(table(person, agent_id=agent, max_tokens=30))
    assert found.pop("Plays the oboe 双簧管") in ("below_gate", "not_close")
    assert found == {
        "Kayak 皮划艇 one": "taken",
        "Kayak 皮划艇 three": "taken",
        "Kayak 皮划艇 new wording": "taken",
        LONG: "over_budget",
        "Kayak 皮划艇 paused": "not_in_use",
        "Kayak 皮划艇 expired": "expired",
        "Kayak 皮划艇 special": "above_level",
        "Kayak 皮划艇 private": "other_agent",
        "Kayak 皮划艇 ended": "ended",
        "Kayak 皮划艇 old wording": "superseded",
    }

    short = table(person, agent_id=agent, top_k=1)["candidates"]
    assert [one["fate"] for one in short[:3]] == ["taken", "over_top_k", "over_top_k"]


def test_the_numbers_are_those_of_the_recall(api: Api, person: Api, cast: Cast) -> None:
    for text in ("Owns a kayak 皮划艇", "Kayak 皮划艇 club on Mondays", "Plays the oboe 双簧管"):
        propose(api, text)
    handed = recall(api, ASKED)["memories"]
    lines = table(person, agent_id=str(cast.agents["assistant"].id))["candidates"]
    taken = [one for one in lines if one["fate"] == "taken"]
    assert [(one["id"], one["why"]) for one in taken] == [(one["id"], one["why"]) for one in handed]
    for line, item in zip(taken, handed, strict=True):
        assert line["score"] == pytest.approx(item["score"], abs=1e-3)
        assert set(line["score_breakdown"]) == set(item["score_breakdown"])
    (below,) = [one for one in lines if one["fate"] == "below_gate"]
    assert below["score"] is None and below["score_breakdown"]["cosine"] is not None


@pytest.mark.parametrize(("filters", "query", "fate"), [
    ({"kind": "episodic"}, ASKED, "filtered"),
    (None, "我昨天划皮划艇了吗 kayak", "outside_time"),
])  # fmt: skip
def test_one_memory_can_be_asked_about(
    api: Api, person: Api, filters: Any, query: str, fate: str
) -> None:
    memory = propose(api, "Kayak 皮划艇 trip", kind="episodic" if not filters else "semantic",
                     occurred=day(0))["id"]  # fmt: skip
    options = {"filters": filters} if filters else {}
    found = table(person, query, memory_id=memory, **options)["memory"]
    assert (found["id"], found["fate"], found["text"]) == (memory, fate, "Kayak 皮划艇 trip")


def test_what_is_far_from_the_question_is_told_as_far(api: Api, person: Api, cast: Cast) -> None:
    memory = propose(api, "Plays the oboe 双簧管")["id"]
    with acting(system_of(cast.alice)):
        Vector.objects.all().delete()
    assert table(person, memory_id=memory)["memory"]["fate"] == "not_close"


def test_explaining_hands_nothing_over_and_is_noted(api: Api, person: Api, cast: Cast) -> None:
    memory = propose(api, "Owns a kayak 皮划艇")["id"]
    table(person, memory_id=memory, agent_id=str(cast.agents["assistant"].id))
    with acting(system_of(cast.alice)):
        assert RecallLog.objects.count() == 0
        assert Memory.objects.get(id=memory).recall_count == 0
    line = AuditEvent.objects.get(code="memory.explained")
    assert (str(line.object_id), line.actor_kind) == (memory, "person")
    assert "kayak" not in json.dumps(vars(line), default=str)


def test_an_agent_that_is_handed_nothing_is_explained(api: Api, person: Api, cast: Cast) -> None:
    propose(api, "Owns a kayak 皮划艇")
    for name in ("off", "paused", "lapsed"):
        found = table(person, agent_id=str(cast.agents[name].id))
        assert (found["allowed"], found["status"]) == (False, "nothing_relevant")
        assert fates(found) == {"Owns a kayak 皮划艇": "not_allowed"}


def test_asking_about_a_strange_agent_gives_it_no_grant(person: Api, cast: Cast) -> None:
    cast.acme.grants_on_first_use = True
    cast.acme.save()
    strange = make_agent(cast.acme, "strange")
    for agent in (strange.id, cast.agents["stranger"].id, uuid.uuid4()):
        asked = {"user_id": "alice", "query": ASKED, "agent_id": str(agent)}
        problem(person("POST", "recall/explain", asked), 404, "not_found")
    with acting(system_of(cast.alice)):
        assert not Grant.objects.filter(agent=strange).exists()


# --- a lower grant -----------------------------------------------------------------------------------


def test_an_agent_is_told_nothing_whatever_it_asks_about(api: Api, cast: Cast) -> None:
    secret = propose(Api(cast.keys["alice"]), "我有糖尿病，每天划皮划艇 kayak。")["id"]
    answers = {
        low("POST", "recall/explain", {"user_id": "alice", "query": ASKED} | more).content
        for low in (Api(cast.keys["low"]), api)
        for more in ({}, {"memory_id": secret}, {"memory_id": str(uuid.uuid4())})
    }
    assert len({json.loads(one)["detail"] for one in answers}) == 1
    assert {json.loads(one)["status"] for one in answers} == {403}


def test_above_its_level_an_agent_s_recall_is_the_same_as_if_nothing_were_there(
    api: Api, cast: Cast
) -> None:
    """No count, total, hint or status differs, nor does the work that is done for it."""
    low = Api(cast.keys["low"])
    propose(api, "Owns a kayak 皮划艇")
    propose(api, "Plays the oboe 双簧管")

    def seen() -> Any:
        asked = {"user_id": "alice", "query": ASKED}
        answer = body_of(low("POST", "recall", asked))
        filtered = body_of(low("POST", "recall", asked | {"filters": {"NOT": {"tags": "x"}}}))
        history = body_of(low("POST", "recall", asked | {"include_history": True}))
        listed = body_of(low("GET", "memories?user_id=alice"))
        for one in (answer, filtered, history):
            one.pop("recall_id")
        return answer, filtered, history, listed

    before = seen()
    for number in range(5):
        remembered = propose(api, f"Kayak 皮划艇 route {number}", sensitivity=20)
        assert remembered["outcome"] == "accepted"
    propose(Api(cast.keys["alice"]), "我有糖尿病，每天划皮划艇 kayak。")
    assert seen() == before


# --- the operator ---------------------------------------------------------------------------------------


def test_an_operator_reads_ids_and_numbers_but_no_words(api: Api, cast: Cast) -> None:
    memory = propose(api, "Owns a kayak 皮划艇")["id"]
    operator = Principal(
        kind=ActorKind.OPERATOR,
        tenant_id=cast.acme.id,
        actor_id=None,
        subject_id=cast.alice.id,
        actions=ALL_ACTIONS,
    )
    found = explain(operator, RecallQuery(text=ASKED), agent_id=cast.agents["assistant"].id)
    (line,) = found.lines
    assert (str(line.memory_id), line.fate, line.opened) == (memory, "taken", None)
    assert line.score is not None and "kayak" not in repr(found.lines)
