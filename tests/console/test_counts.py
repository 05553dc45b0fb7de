"""No page of the console asks more often because there is more to show: 10 rows or 1,000."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Subject
from tests.cast import Api, Cast
from tests.console.test_crawl import TABLES
from tests.crowd import crowd
from tests.memory.wire import propose

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])


def asked(client: Client) -> dict[str, int]:
    """Return how many questions each page asks, of both roles' connections."""
    counted = {}
    for address in (
        "/admin/",
        *(f"/admin/console/{name}/" for name in TABLES),
        *(f"/admin/console/{name}/csv/" for name in TABLES),
    ):
        with ExitStack() as stack:
            captured = [
                stack.enter_context(CaptureQueriesContext(one)) for one in connections.all()
            ]
            assert client.get(address).status_code == 200, address
        counted[address] = sum(map(len, captured))
    return counted


def grow(cast: Cast, number: int) -> None:
    crowd(cast.alice, number)
    Subject.objects.bulk_create(
        Subject(tenant=cast.acme, external_id=f"person {number} {one}") for one in range(number)
    )


@pytest.mark.parametrize("rows", [200, pytest.param(1000, marks=pytest.mark.deep)])
def test_a_page_costs_the_same_for_ten_and_for_many(
    operator: Client, cast: Cast, rows: int
) -> None:
    grow(cast, 10)
    asked(operator)  # the first visit fills the session
    few = asked(operator)
    grow(cast, rows - 10)
    assert asked(operator) == few


def test_an_agent_shows_how_often_what_it_was_handed_served(operator: Client, cast: Cast) -> None:
    api = Api(cast.keys["assistant"])
    memory = propose(api, "Alice lives in Lyon 里昂")["id"]
    for verdict, task in (("helped", "possumtask"), ("wrong", "possumtask")):
        said = {"verdict": verdict, "memory_id": memory, "task_id": task, "success": True}
        assert api("POST", "feedback", said).status_code == 201
    page = operator.get("/admin/console/agent/", {"q": str(cast.agents["assistant"].id)})
    (row,) = page.context["cl"].queryset
    assert (row.n_helped, row.n_hurt, row.n_wrong) == (1, 0, 1)
    address = f"/admin/console/agent/{cast.agents['assistant'].id}/change/"
    text = page.content.decode() + operator.get(address).content.decode()
    assert "Helped" in text and "possumtask" not in text and "Lyon" not in text
