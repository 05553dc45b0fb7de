"""Rate limits: counted in one step for all processes, never a reason to be down."""

import os
import threading
import time
import uuid
from typing import Any

import pytest
import structlog
from django.core.exceptions import ImproperlyConfigured

from memory.api.limits import Counters, Limit, client_url, counters, rate
from tests.cast import Api, Cast
from tests.memory.wire import body_of, problem


@pytest.fixture
def api(cast: Cast, settings: Any) -> Api:
    settings.RATE_LIMIT_PER_KEY = "3/min"
    return Api(cast.keys["assistant"])


def ask(api: Api) -> Any:
    return api("GET", "users?user_id=alice")


def test_each_answer_says_what_is_left(api: Api) -> None:
    for left in ("2", "1", "0"):
        response = ask(api)
        assert response.status_code == 200
        assert response["RateLimit-Limit"] == "3"
        assert response["RateLimit-Remaining"] == left
        assert 0 < int(response["RateLimit-Reset"]) <= 60


def test_over_the_limit_is_429_with_the_time_to_wait(api: Api) -> None:
    for _ in range(3):
        ask(api)
    response = ask(api)
    problem(response, 429, "rate_limited")
    assert 0 < int(response["Retry-After"]) <= 61
    assert response["RateLimit-Remaining"] == "0"


def test_a_wrong_request_counts_too(api: Api) -> None:
    for _ in range(3):
        problem(api("POST", "recall", {"查询": 1}), 400, "invalid_input")
    problem(ask(api), 429, "rate_limited")


def test_each_key_has_its_own_limit(api: Api, cast: Cast) -> None:
    for _ in range(4):
        ask(api)
    assert ask(Api(cast.keys["reader"])).status_code == 200


def test_a_tenant_s_keys_share_its_limit(cast: Cast, settings: Any) -> None:
    settings.RATE_LIMIT_PER_TENANT = "2/min"
    assert ask(Api(cast.keys["assistant"])).status_code == 200
    assert ask(Api(cast.keys["reader"]))["RateLimit-Remaining"] == "0"
    problem(ask(Api(cast.keys["low"])), 429, "rate_limited")
    assert ask(Api(cast.keys["stranger"])).status_code == 200


def test_what_the_key_s_limit_refuses_leaves_the_tenant_s_alone(api: Api, settings: Any) -> None:
    settings.RATE_LIMIT_PER_TENANT = "10/min"
    for _ in range(20):
        ask(api)
    settings.RATE_LIMIT_PER_KEY = "0"
    assert ask(api)["RateLimit-Remaining"] == "6"


def test_zero_is_no_limit(cast: Cast) -> None:
    response = ask(Api(cast.keys["assistant"]))
    assert "RateLimit-Limit" not in response.headers


def test_without_a_key_nothing_is_counted(api: Api) -> None:
    response = Api(None)("GET", "users?user_id=alice")
    problem(response, 401, "not_authenticated")
    assert "RateLimit-Limit" not in response.headers


def test_the_window_ends(settings: Any) -> None:
    limits = [Limit(key=f"test:{uuid.uuid4()}", most=1, seconds=1)]
    client = Counters(settings.REDIS_URL)
    assert [getattr(client.count(limits), "allowed", None) for _ in range(3)] == [
        True,
        False,
        False,
    ]
    time.sleep(1.1)
    again = client.count(limits)
    assert again is not None and again.allowed


def test_many_at_once_get_exactly_the_limit(settings: Any) -> None:
    limits = [Limit(key=f"test:{uuid.uuid4()}", most=25, seconds=60)]
    client = Counters(settings.REDIS_URL)
    passed: list[bool] = []

    def ask_ten() -> None:
        passed.extend(bool((one := client.count(limits)) and one.allowed) for _ in range(10))

    threads = [threading.Thread(target=ask_ten) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(passed), sum(passed)) == (80, 25)


# --- without Valkey ------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["redis+socket:///nowhere/valkey.sock", "redis://127.0.0.1:1/0"])
def test_when_nobody_counts_requests_pass_at_once(api: Api, settings: Any, url: str) -> None:
    settings.REDIS_URL = url
    counters.cache_clear()
    began = time.monotonic()
    with structlog.testing.capture_logs() as logs:
        for _ in range(10):
            body_of(ask(api))
    assert time.monotonic() - began < 2
    warned = [one for one in logs if one["event"] == "rate_limits_off"]
    assert len(warned) == 1
    assert set(warned[0]) == {"event", "log_level", "error"}
    counters.cache_clear()


def test_a_server_that_is_silent_costs_a_blink(api: Api, settings: Any, tmp_path: Any) -> None:
    import socket

    path = f"/tmp/ks-{os.getpid()}.sock"  # noqa: S108 - a socket's path must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(8)
        settings.REDIS_URL = f"redis+socket://{path}"
        counters.cache_clear()
        began = time.monotonic()
        for _ in range(5):
            body_of(ask(api))
        assert time.monotonic() - began < 2
    os.unlink(path)  # noqa: PTH108
    counters.cache_clear()


# --- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [("600/min", (600, 60)), ("1/s", (1, 1)), ("5/hour", (5, 3600)), ("9/day", (9, 86400)),
     ("0", None), ("", None), (" 600/min ", (600, 60))],
)  # fmt: skip
def test_a_rate_is_read(text: str, meant: tuple[int, int] | None) -> None:
    assert rate(text) == meant


@pytest.mark.parametrize("text", ["600", "0/min", "-1/min", "600/minute!", "六百/min", "1e3/min"])
def test_a_rate_that_is_none_stops_the_service(text: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        rate(text)


def test_the_broker_s_address_is_spelled_as_the_client_wants_it() -> None:
    assert client_url("redis+socket:///a%20b/v.sock") == "unix:///a%20b/v.sock"
    assert client_url("redis+socket:///v.sock?virtual_host=2") == "unix:///v.sock?db=2"
    assert client_url("rediss://:pw@host:6380/1") == "rediss://:pw@host:6380/1"
