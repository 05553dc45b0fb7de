"""/health: is the process alive, can it serve."""

import base64

import pytest
from django.db import DatabaseError, Error, InterfaceError
from pytest_django import Settings

from memory.api import health
from tests.cast import Api


@pytest.fixture
def anybody(db: None) -> Api:
    """A caller without a key, as a load balancer is."""
    return Api(None)


def test_a_living_process_says_so_without_the_database() -> None:
    response = Api(None)("GET", "/health/live")  # no database fixture: a query would fail the test
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert response["X-Request-ID"]


def test_ready_when_the_database_answers_and_the_vault_opens(anybody: Api) -> None:
    for _ in range(2):  # the first look notes the master key, the second compares it
        response = anybody("GET", "/health/ready")
        assert response.status_code == 200
        assert response.json() == {"status": "ok", "failing": []}


@pytest.mark.parametrize("key", [b"another master key, 32 bytes too", b"short"])
def test_another_master_key_is_503_and_named(anybody: Api, settings: Settings, key: bytes) -> None:
    anybody("GET", "/health/ready")
    settings.MASTER_KEY = base64.b64encode(key).decode()
    response = anybody("GET", "/health/ready")
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable", "failing": ["master_key"]}
    assert anybody("GET", "/health/live").status_code == 200


@pytest.mark.parametrize("fault", [DatabaseError, InterfaceError])
def test_a_silent_database_is_503_and_named(
    anybody: Api, monkeypatch: pytest.MonkeyPatch, fault: type[Error]
) -> None:
    class Silent:
        def cursor(self) -> None:
            raise fault("the server closed the connection")

    monkeypatch.setattr(health, "connection", Silent())
    response = anybody("GET", "/health/ready")
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable", "failing": ["database"]}
