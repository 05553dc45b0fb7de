"""What is written into the log of what went wrong: types and places, no words."""

import logging
from urllib.parse import quote

import pytest
from django.db import OperationalError, connection
from django.test import Client

from config.celery import app
from tests.cast import Api, Cast

CANARY = "quokkaberry 金丝雀"


def out_of_order(*_: object) -> None:
    """Answer as a database that is not there."""
    raise OperationalError("gone")


@pytest.mark.parametrize(
    ("address", "route"),
    [
        (f"/api/v1/tasks/{CANARY}/state", "api-board"),
        (f"/link/{CANARY}/", "link"),
    ],
)
def test_a_request_that_failed_is_named_by_its_route(
    cast: Cast, caplog: pytest.LogCaptureFixture, address: str, route: str
) -> None:
    """Django named it by its address: what an agent calls a task, and secrets of links."""
    client = Api(cast.keys["assistant"]).client
    client.raise_request_exception = False
    with connection.execute_wrapper(out_of_order):
        answer = client.get(quote(address), {"user_id": "alice"})
    assert answer.status_code in {500, 503}
    lines = [one.getMessage() for one in caplog.records if one.name == "django.request"]
    assert lines and all(one.endswith(f": {route}") for one in lines)
    assert "quokkaberry" not in caplog.text


def test_a_form_of_another_site_leaves_no_address_in_the_log(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(
        enforce_csrf_checks=True, headers={"Referer": f"https://x.test/{quote(CANARY)}"}
    )
    with caplog.at_level(logging.INFO):
        answer = client.post(f"/link/{quote(CANARY)}/", secure=True)
    assert answer.status_code == 403
    assert "quokkaberry" not in caplog.text


def test_a_failed_task_is_logged_without_what_its_exception_says(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @app.task(name="tests.fails", shared=False)
    def fails() -> None:
        raise ValueError(CANARY)

    try:
        assert fails.apply().failed()
    finally:
        app.tasks.unregister("tests.fails")
    (line,) = [one for one in caplog.records if one.name == "celery.app.trace"]
    assert "tests.fails" in line.getMessage() and "ValueError" in line.getMessage()
    assert "quokkaberry" not in line.getMessage() and "金丝雀" not in line.getMessage()
