"""No page of the console asks more often because there is more to show: 10 rows or 1,000."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Subject
from tests.cast import Cast
from tests.console.test_crawl import TABLES
from tests.crowd import crowd

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "console"])


def asked(client: Client) -> dict[str, int]:
    """Return how many questions each page asks, of both roles' connections."""
    counted = {}
    for address in ("/admin/", *(f"/admin/console/{name}/" for name in TABLES)):
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


def test_a_page_costs_the_same_for_ten_and_for_a_thousand(operator: Client, cast: Cast) -> None:
    grow(cast, 10)
    asked(operator)  # the first visit fills the session
    few = asked(operator)
    grow(cast, 990)
    assert asked(operator) == few
