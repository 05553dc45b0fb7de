"""A tenant's own recall recipes: set and removed in the console, named in recalls and contexts."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.admin import recipes
from memory.errors import Forbidden, InvalidInput
from memory.models import RecallRecipe
from memory.policy.adjusting import ADJUSTABLE, RECIPES
from tests.cast import Api, Cast, principal_of
from tests.cast import operator as operator_of
from tests.memory.wire import body_of, open_session, problem, propose, recall

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])
TEXTS = ("Alice lives in Lyon 里昂", "爱丽丝在里昂 Lyon 教钢琴", "Alice knows Lyon 里昂 by bike")
ASKED = "Lyon 里昂"


def ask(client: Client, cast: Cast, **given: Any) -> Any:
    body = {"because": "asked_by_tenant", "ticket": "OPS-9", "name": "careful", "base": "default"}
    chosen = {"action": "set_recipe", "_selected_action": [str(cast.acme.id)]}
    return client.post("/admin/console/tenant/", chosen | body | given)


def own(cast: Cast) -> list[tuple[str, str, dict[str, float]]]:
    with acting(operator_of(cast.acme)):
        rows = RecallRecipe.objects.filter(tenant=cast.acme).order_by("name")
        return [(row.name, row.base, row.numbers) for row in rows]


def lines() -> list[tuple[str, str, str]]:
    found = AuditEvent.objects.filter(code="console.acted").order_by("id")
    return [(line.decision, line.object_kind, line.reason) for line in found]


@pytest.fixture
def api(cast: Cast) -> Api:
    api = Api(cast.keys["assistant"])
    for text in TEXTS:
        propose(api, text)
    return api


def test_a_recipe_is_set_used_and_removed(operator: Client, cast: Cast, api: Api) -> None:
    assert len(recall(api, ASKED)["memories"]) == 3
    assert ask(operator, cast, top_k="1").status_code == 302
    assert own(cast) == [("careful", "default", {"top_k": 1})]
    answer = recall(api, ASKED, policy="careful")
    assert (len(answer["memories"]), answer["policy"]) == (1, "careful")
    assert len(recall(api, ASKED, policy="careful", top_k=2)["memories"]) == 2
    assert ask(operator, cast, base="inject", gate="0.9", top_k="").status_code == 302
    assert own(cast) == [("careful", "inject", {"gate": 0.9})]
    person = Api(cast.keys["alice"])
    body = {"user_id": "alice", "query": "钢琴 piano", "policy": "careful"}
    assert body_of(person("POST", "recall/explain", body))["policy"] == "careful"
    assert "careful" in operator.get("/admin/console/recipe/").content.decode()
    with acting(operator_of(cast.acme)):
        row = RecallRecipe.objects.get()
    removing = {
        "action": "remove_recipe",
        "_selected_action": [str(row.id)],
        "because": "mistake",
        "ticket": "OPS-9",
    }
    assert operator.post("/admin/console/recipe/", removing).status_code == 302
    problem(
        api("POST", "recall", {"user_id": "alice", "query": ASKED, "policy": "careful"}),
        400,
        "invalid_input",
    )
    done = [(what, kind) for what, kind, _ in lines()]
    assert done == [("set_recipe", "recipe")] * 2 + [("remove_recipe", "recipe")]
    assert lines()[0][2] == "asked_by_tenant OPS-9"


def test_a_context_names_it_too(operator: Client, cast: Cast, api: Api) -> None:
    ask(operator, cast, top_k="1", base="inject")
    path = f"sessions/{open_session(api)}/context"
    whole = body_of(api("POST", path, {"query": ASKED, "budget": 2000}))
    narrow = body_of(api("POST", path, {"query": ASKED, "budget": 2000, "policy": "careful"}))

    def told(context: dict[str, Any]) -> int:
        text = " ".join(one["content"] for one in context["messages"])
        return sum(one in text for one in TEXTS)

    assert told(narrow) < told(whole)
    detail = problem(api("POST", path, {"query": ASKED, "policy": "nobody"}), 400, "invalid_input")
    assert detail["detail"] == "policy must be one of default, inject, profile_only, careful."


def test_a_recipe_is_its_tenant_s_alone(operator: Client, cast: Cast) -> None:
    ask(operator, cast, top_k="1")
    stranger = Api(cast.keys["stranger"])
    body = {"user_id": "alice", "query": ASKED, "policy": "careful"}
    detail = problem(stranger("POST", "recall", body), 400, "invalid_input")["detail"]
    assert detail == "policy must be one of default, inject, profile_only."


@pytest.mark.parametrize(
    "given",
    [
        {"name": "Careful"}, {"name": "inject"}, {"name": "大"}, {"name": "a" * 31},
        {"base": "profile_only"}, {"gate": "0.1"}, {"gate": "x"}, {"top_k": "51"},
        {"top_k": "1.5"}, {"profile_items": "0"}, {"relevance": "0.9"}, {"ticket": "a sentence"},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_out_of_range_is_said_on_the_form(
    operator: Client, cast: Cast, given: dict[str, str]
) -> None:
    answer = ask(operator, cast, **given)
    assert answer.status_code == 200 and "errorlist" in answer.content.decode()
    assert own(cast) == [] and lines() == []


def test_weights_may_differ_as_long_as_they_add_up(operator: Client, cast: Cast) -> None:
    assert ask(operator, cast, relevance="0.45", recency="0.25").status_code == 302
    assert ask(operator, cast, relevance="0.45", recency="0.25").status_code == 302
    assert len(lines()) == 1, "nothing changed the second time"


def test_only_an_operator_and_only_so_many(cast: Cast) -> None:
    recipe: dict[str, Any] = {"base": "default", "numbers": {"top_k": 3}, "reason": "drill OPS-1"}
    agent = principal_of(cast.keys["assistant"], "alice")
    with pytest.raises(Forbidden):
        recipes.set_recipe(agent, cast.acme.id, name="mine", **recipe)
    with pytest.raises(Forbidden):
        recipes.remove_recipe(agent, uuid.UUID(int=7), reason="drill OPS-1")
    acme = operator_of(cast.acme)
    for number in range(RECIPES):
        assert recipes.set_recipe(acme, cast.acme.id, name=f"r{number}", **recipe)
    with pytest.raises(InvalidInput, match="at most"):
        recipes.set_recipe(acme, cast.acme.id, name="more", **recipe)
    with pytest.raises(InvalidInput, match="is none of"):
        recipes.set_recipe(acme, cast.acme.id, name="r1", **recipe | {"numbers": {"patience": 1}})
    assert not recipes.remove_recipe(acme, uuid.UUID(int=7), reason="drill OPS-1")
    assert set(ADJUSTABLE) >= {"gate", "top_k", "max_tokens"}
