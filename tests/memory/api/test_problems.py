"""Whatever is sent, the answer is a clear problem document and never a crash."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cast import Api, Cast
from tests.memory.wire import open_session, problem

WRITES = ("memories", "recall", "sessions", "users")


@pytest.fixture
def api(cast: Cast) -> Api:
    """Alice's agent; a crash is an answer here, not an exception."""
    agent = Api(cast.keys["assistant"])
    agent.client.raise_request_exception = False
    return agent


def send(api: Api, path: str, raw: bytes | str, *, kind: str = "application/json") -> Any:
    return api.client.post(f"/api/v1/{path}", data=raw, content_type=kind)


# --- who calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic YTpi"},
        {"Authorization": "Bearer ks_live_AAAAAAAA_" + "x" * 43},
        {"Authorization": "Bearer 钥匙"},
        {"X-API-Key": "ks_live_AAAAAAAA_" + "x" * 43},
        {"X-API-Key": "x" * 10_000},
    ],
)
def test_without_a_valid_key_it_is_401_and_says_which_scheme(
    db: None, headers: dict[str, str]
) -> None:
    for path in WRITES:
        response = Client(headers=headers).post(f"/api/v1/{path}", {}, "application/json")
        problem(response, 401, "not_authenticated")
        assert response["WWW-Authenticate"] == "Bearer"


def test_either_header_carries_the_key(cast: Cast) -> None:
    for headers in (
        {"Authorization": f"Bearer {cast.keys['assistant']}"},
        {"Authorization": f"bearer  {cast.keys['assistant']} "},
        {"X-API-Key": cast.keys["assistant"]},
    ):
        assert Client(headers=headers).get("/api/v1/users?user_id=alice").status_code == 200


def test_a_pipeline_s_key_is_403(cast: Cast) -> None:
    api = Api(cast.keys["pipeline"])
    problem(api("POST", "recall", {"user_id": "alice", "query": "茶"}), 403, "forbidden")


# --- where ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/v2/memories", "/api/", "/api/v1/memories/", "/api/v1/记忆"]
)
def test_an_address_nobody_has_is_404(db: None, path: str, method: str) -> None:
    strict = Client(enforce_csrf_checks=True)  # as a program outside a browser meets it
    problem(strict.generic(method, path, b"{}", "application/json"), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", "memories"), ("DELETE", "memories"), ("PATCH", "recall"), ("GET", "erasures"),
     ("PUT", "users"), ("TRACE", "recall")],
)  # fmt: skip
def test_a_method_an_address_does_not_know_is_405(api: Api, method: str, path: str) -> None:
    response = api.client.generic(method, f"/api/v1/{path}", b"{}", "application/json")
    problem(response, 405, "method_not_allowed")
    assert method not in response["Allow"].split(", ")


def test_an_answer_nobody_can_give_is_406(api: Api) -> None:
    response = api("GET", "users?user_id=alice", Accept="application/xml")
    problem(response, 406, "not_acceptable")


# --- bodies --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
     "application/xml", "application/json-seq", "json"],
)  # fmt: skip
def test_a_body_of_another_type_is_415(api: Api, kind: str) -> None:
    body = '{"user_id": "alice", "query": "茶"}'
    problem(send(api, "recall", body, kind=kind), 415, "unsupported_media_type")


NOT_JSON = {
    "nothing in braces": b"{",
    "single quotes": b"{'user_id': 'alice'}",
    "trailing comma": b'{"user_id": "alice",}',
    "NaN": b'{"user_id": "alice", "query": "x", "top_k": NaN}',
    "Infinity": b'{"user_id": "alice", "query": "x", "top_k": -Infinity}',
    "huge number": b'{"user_id": "alice", "query": "x", "top_k": ' + b"9" * 5000 + b"}",
    "huge exponent": b'{"user_id": "alice", "text": "x", "confidence": 1e999}',
    "not UTF-8": b'{"user_id": "alice", "query": "\xff\xfe"}',
    "UTF-16": '{"user_id": "alice", "query": "茶"}'.encode("utf-16"),
    "half a surrogate": b'{"user_id": "alice", "query": "\\ud83d"}',
    "half a surrogate as a name": b'{"user_id": "alice", "query": "x", "\\udc00": 1}',
    "NUL": '{"user_id": "alice", "query": "茶\\u0000"}'.encode(),
    "NUL deep inside": b'{"user_id": "alice", "text": "x", "metadata": {"a\\u0000": "b"}}',
    "array": b"[]",
    "array of bodies": b'[{"user_id": "alice", "query": "x"}]',
    "null": b"null",
    "text": '"记住我"'.encode(),
    "number": b"7",
    "nested without end": b'{"a":' * 100_000,
    "nested 21 deep": b'{"user_id": "alice", "query": ' + b"[" * 21 + b"]" * 21 + b"}",
    "empty": b"",
    "only spaces": b"   ",
}


def test_a_body_that_is_no_json_object_is_400(api: Api, subtests: pytest.Subtests) -> None:
    for what, body in NOT_JSON.items():
        for path in WRITES:
            with subtests.test(f"{what} to {path}"):
                problem(send(api, path, body), 400, "invalid_input")


def test_a_body_over_the_limit_is_413(api: Api) -> None:
    body = json.dumps({"user_id": "alice", "text": "长" * 1_000_000}, ensure_ascii=False)
    for path in WRITES:
        problem(send(api, path, body), 413, "too_large")


def test_one_megabyte_of_text_is_a_clear_4xx(api: Api) -> None:
    text = "t" * 1_000_000
    problem(api("POST", "memories", {"user_id": "alice", "text": text}), 400, "invalid_input")
    problem(api("POST", "recall", {"user_id": "alice", "query": text}), 400, "invalid_input")
    said = {"messages": [{"role": "user", "content": text}]}
    problem(api("POST", f"sessions/{open_session(api)}/messages", said), 413, "too_large")


def test_every_unknown_field_is_named(api: Api) -> None:
    body = {"user_id": "alice", "text": "茶", "userId": "bob", "文本": "x", "": 1}
    errors = problem(api("POST", "memories", body), 400, "invalid_input")["errors"]
    assert {one["field"] for one in errors} == {"userId", "文本", ""}


def test_a_name_that_comes_twice_is_400(api: Api) -> None:
    body = '{"user_id": "alice", "text": "茶", "user_id": "bob"}'
    problem(send(api, "memories", body), 400, "invalid_input")


def test_a_control_character_is_400(api: Api) -> None:
    for path, field in (("memories", "text"), ("recall", "query")):
        problem(
            send(api, path, json.dumps({"user_id": "alice", field: "茶\x1b[31m"})),
            400,
            "invalid_input",
        )


def test_several_faults_are_all_listed(api: Api) -> None:
    body = {"text": 1.5, "kind": "x", "confidence": 9, "evidence": {"event_id": "x"}, "tags": [{}]}
    errors = problem(api("POST", "memories", body), 400, "invalid_input")["errors"]
    assert {one["field"].split("[")[0] for one in errors} >= {
        "user_id", "kind", "confidence", "evidence.event_id",
    }  # fmt: skip


# --- what every answer has -----------------------------------------------------------------------


def test_a_request_id_is_given_back_and_a_bad_one_replaced(api: Api) -> None:
    own = api("GET", "users?user_id=nobody", X_Request_ID="my-request-0001")
    assert own["X-Request-ID"] == "my-request-0001"
    for bad in ("short", "x" * 65, "a b c d e f", "请求编号请求编号"):
        assert api("GET", "users?user_id=nobody", X_Request_ID=bad)["X-Request-ID"] != bad


def test_a_crash_says_nothing_of_what_was_handled(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("quibblesnark 魑魅豆")

    monkeypatch.setattr("memory.api.recalls.recall_layers", crash)
    response = api("POST", "recall", {"user_id": "alice", "query": "quibblesnark 魑魅豆"})
    problem(response, 500, "internal")
    assert "quibblesnark" not in response.content.decode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(
    [
        "user_id",
        "text",
        "kind",
        "subtype",
        "attribute",
        "value",
        "about",
        "confidence",
        "importance",
        "sensitivity",
        "occurred",
        "valid_from",
        "tags",
        "metadata",
        "visibility",
        "evidence",
        "query",
        "top_k",
        "max_tokens",
        "filters",
        "as_of",
        "known_at",
        "policy",
        "purpose",
        "include_profile",
        "session_id",
        "messages",
    ]
)
TIMES = st.datetimes().map(lambda when: f"{when.isoformat()}+14:00")
SENSIBLE = st.sampled_from(["alice", "semantic", "fact", "茶 tea", 20, 0.5, "home.city", ["x"], {}])


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    path=st.sampled_from(WRITES),
    body=st.dictionaries(NAMES, JSON | SENSIBLE | TIMES, max_size=6),
    named=st.booleans(),
)
def test_no_body_whatever_makes_a_5xx(
    api: Api, path: str, body: dict[str, Any], *, named: bool
) -> None:
    whole = body | ({"user_id": "alice", "text": "茶 tea"} if named else {})
    response = send(api, path, json.dumps(whole))
    assert response.status_code < 500, (path, whole, response.content)
    if response.status_code >= 400 and response["Content-Type"] != "application/json":
        problem(response, response.status_code, response.json()["code"])
