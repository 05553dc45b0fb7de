"""No page asks the database more often because there is more to show: 10 rows or 1,000."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.acting import acting
from accounts.models import Subject
from memory.models import Session
from tests.cast import Cast, system_of
from tests.crowd import crowd
from tests.dashboard.test_pages import LISTS

FILTERED = (
    "/memories/?state=active",
    "/memories/?state=pending&kind=semantic&basis=said",
    "/memories/?when=unused&sort=used&view=table",
    "/review/?kind=new",
    "/activity/?who=person&what=looks",
)
MOST = 40  # of any page but one memory's


def longest(subject: Subject) -> str:
    """Return the id of the session with the most messages."""
    with acting(system_of(subject)):
        counted = Session.objects.annotate(length=Count("messages")).order_by("-length")
        return str(counted[0].id)


def asked(client: Client, alice: Subject, memory: str) -> dict[str, int]:
    """Return how many questions each page asks the database."""
    session = longest(alice)
    addresses = [*map(reverse, LISTS), *FILTERED]
    addresses += [reverse(name, args=[memory]) for name in ("memory", "memory-forget")]
    addresses += [reverse(name, args=[session]) for name in ("session", "session-erase")]
    counted = {}
    for address in addresses:
        client.get("/memories/?all")  # how the list was left is written down
        connection.queries_log.clear()
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address)
        assert answer.status_code == 200, address
        counted[address.replace(memory, "one").replace(session, "one")] = len(captured)
    return counted


@pytest.mark.parametrize("rows", [200, pytest.param(1000, marks=pytest.mark.deep)])
def test_a_page_costs_the_same_for_ten_and_for_many(alice: Client, cast: Cast, rows: int) -> None:
    alice.get(reverse("account-devices"))  # notes this browser, once
    few = asked(alice, cast.alice, crowd(cast.alice, 10))
    many = asked(alice, cast.alice, crowd(cast.alice, rows - 10))
    assert many == few
    one = many.pop("/memories/one/")  # asks for each set of rights, not for each agent
    assert one <= 100
    assert max(many.values()) <= MOST
    assert str(rows) in alice.get("/").content.decode().replace(",", "")
