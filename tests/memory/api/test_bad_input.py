"""The same bad input at every address: a clear 4xx problem document, whatever it is.

The addresses come from the OpenAPI document's committed copy, so that a new one is asked too.
"""

import json
import uuid
from typing import Any

import pytest
import yaml

from memory import sessions
from tests.architecture.source import ROOT
from tests.cast import Api, Cast, principal_of, remember
from tests.memory.wire import open_session, problem

DOCUMENT: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text())
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
WITH_BODY = [name for name, (_, _, one) in OPERATIONS.items() if "requestBody" in one]
LISTS = [
    name
    for name, (_, _, one) in OPERATIONS.items()
    if any(each["name"] == "cursor" for each in one.get("parameters", ()))
]
WITH_QUERY = [
    name
    for name, (method, _, one) in OPERATIONS.items()
    if method == "GET" and any(each["in"] == "query" for each in one.get("parameters", ()))
]
LARGE = "长t" * 500_000


class Scene:
    """Alice's agent, and something of hers to name in every path."""

    def __init__(self, cast: Cast) -> None:
        self.api = Api(cast.keys["assistant"])
        self.api.client.raise_request_exception = False
        agent = principal_of(cast.keys["assistant"], "alice")
        self.ids = {
            "memory_id": remember(agent, "Alice prefers window seats 靠窗.").id,
            "session_id": sessions.open_session(agent, session_id="聊天")[0].id,
            "person_id": cast.alice.id,
            "task_id": "任务-1",
        }

    def address(self, path: str) -> str:
        for part in path.split("/"):
            if part.startswith("{"):
                path = path.replace(part, str(self.ids.get(part.strip("{}"), uuid.uuid4())))
        return path

    def send(self, name: str, body: bytes | None, query: str = "") -> Any:
        method, path, _ = OPERATIONS[name]
        address = self.address(path) + (f"?{query}" if query else "")
        given: dict[str, Any] = {"headers": {"If-Match": '"1"'}}
        if body is not None:
            given |= {"data": body, "content_type": "application/json"}
        return self.api.client.generic(method, address, **given)


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


def refused(response: Any) -> None:
    """Look at the answer: a problem document of the caller's making."""
    assert 400 <= response.status_code < 500, response.content[:300]
    if "outcome" not in response.json():  # what the gate refuses it answers in its own words
        problem(response, response.status_code, response.json()["code"])


BODIES: dict[str, bytes] = {
    "empty": b"",
    "no JSON": "记住我".encode(),
    "array": b"[]",
    "null": b"null",
    "NUL": b'{"user_id": "ali\\u0000ce"}',
    "control character": b'{"user_id": "ali\\u0007ce"}',
    "control character in a name": b'{"user_id": "alice", "\\u001btext": "x"}',
    "lone surrogate": b'{"user_id": "alice", "text": "\\ud83d"}',
    "surrogate as a name": b'{"\\udc00": 1}',
    "twice": b'{"user_id": "alice", "user_id": "bob"}',
    "not UTF-8": b'{"user_id": "\xff"}',
    "deep": b'{"user_id": "alice", "state": ' + b"[" * 60 + b"]" * 60 + b"}",
    "deeper": b'{"a":' * 50_000,
    "unknown field": '{"user_id": "alice", "用户": 1}'.encode(),
    "huge": json.dumps({"user_id": "alice", "text": "x" * 2_100_000}).encode(),
}


@pytest.mark.parametrize("name", WITH_BODY)
def test_a_body_nobody_means_is_refused(scene: Scene, name: str, subtests: Any) -> None:
    for what, body in BODIES.items():
        if what == "empty" and not OPERATIONS[name][2]["requestBody"].get("required"):
            continue
        with subtests.test(what):
            refused(scene.send(name, body))


def fields(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of a described body."""
    name = schema["$ref"].rsplit("/", 1)[1]
    found: dict[str, Any] = DOCUMENT["components"]["schemas"][name].get("properties", {})
    return found


def wrong_for(described: dict[str, Any]) -> list[Any]:
    """Return values of every JSON type but the one a field means."""
    values: dict[str, list[Any]] = {
        "string": ["茶"],
        "number": [1.5],
        "integer": [7],
        "boolean": [True],
        "array": [[[["x"]]]],
        "object": [{"茶": {"茶": 1}}],
    }
    mine = described.get("type", "object" if "$ref" in str(described) else None)
    if mine is None:  # any JSON is meant
        return []
    near = {"number": {"integer"}, "string": set()}
    own = {*(mine if isinstance(mine, list) else [mine])}
    own |= {close for one in own for close in near.get(one, set())}
    return [value for kind, found in values.items() if kind not in own for value in found]


@pytest.mark.parametrize("name", WITH_BODY)
def test_a_field_of_another_type_is_named(scene: Scene, name: str) -> None:
    content = OPERATIONS[name][2]["requestBody"]["content"]["application/json"]
    for field, described in fields(content["schema"]).items():
        for value in wrong_for(described):
            response = scene.send(name, json.dumps({"user_id": "alice", field: value}).encode())
            body = problem(response, 400, "invalid_input")
            if field != "user_id":
                named = {one["field"].split(".")[0].split("[")[0] for one in body["errors"]}
                assert field in named, (field, value)


# --- values at the edges -------------------------------------------------------------------------

EDGES = [
    10**18, -(10**18), 2**63, -(2**63), 2**64, 10**400, -1, 0, 1e308, -1e308, 1e-320,
    "0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00",
    "9999-12-31T23:59:59.999999Z", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00",
    "2026-01-01", "2026-01-01T25:00:00Z", "10000-01-01T00:00:00Z", "-2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00+99:99", "nan", "NaN", "Infinity", "-inf", "1e999", "١٢", "１２",
    "", " ", "\u200b", "\u202e茶", "😀" * 300, "a" * 201, "%00", "null", [], {}, None, True,
    [None], [[]], {"": ""}, {"a" * 1000: "b"},
]  # fmt: skip


def try_edges(scene: Scene, name: str, *, of: int) -> None:
    """Try each value in each field; ``of``: only so many of them in one field, in turn."""
    content = OPERATIONS[name][2]["requestBody"]["content"]["application/json"]
    known = {"user_id": "alice", "text": "Alice prefers tea 茶.", "query": "茶"}
    properties = fields(content["schema"])
    base = {field: value for field, value in known.items() if field in properties}
    for number, field in enumerate(properties):
        for value in (EDGES[number::7] + EDGES)[:of]:
            response = scene.send(name, json.dumps(base | {field: value}).encode())
            assert response.status_code < 500, (field, value, response.content[:300])


@pytest.mark.parametrize("name", WITH_BODY)
def test_no_value_at_the_edge_breaks_anything(scene: Scene, name: str) -> None:
    try_edges(scene, name, of=7)


@pytest.mark.deep
@pytest.mark.parametrize("name", WITH_BODY)
def test_no_value_at_any_edge_breaks_anything(scene: Scene, name: str) -> None:
    try_edges(scene, name, of=2 * len(EDGES))


@pytest.mark.parametrize("name", WITH_BODY)
def test_a_megabyte_of_text_breaks_nothing(scene: Scene, name: str) -> None:
    content = OPERATIONS[name][2]["requestBody"]["content"]["application/json"]
    for field, described in fields(content["schema"]).items():
        if described.get("type") == "string":
            body = {"user_id": "alice"} | {field: LARGE[:600_000]}
            refused(scene.send(name, json.dumps(body, ensure_ascii=False).encode()))


TIMES = ("occurred", "valid_from", "valid_to")


@pytest.mark.parametrize("field", TIMES)
@pytest.mark.parametrize(
    "time",
    ["0001-01-01T00:00:00+14:00", "0999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00",
     "9001-01-01T00:00:00+08:00", "2026-01-01T00:00:00", "2026-02-30", "0999-12-31", "2026-1-1"],
)  # fmt: skip
def test_a_time_beyond_the_calendar_or_without_offset_is_400(
    scene: Scene, field: str, time: str
) -> None:
    body = {"user_id": "alice", "text": "Alice ate 面条.", field: time}
    errors = problem(scene.api("POST", "memories", body), 400, "invalid_input")["errors"]
    assert [one["field"] for one in errors] == [field]


@pytest.mark.parametrize("value", ["0.5", True, 10**400, "nan", [0.5]])
def test_a_number_is_a_number(scene: Scene, value: Any) -> None:
    body = {"user_id": "alice", "text": "Alice ate 面条.", "confidence": value}
    problem(scene.api("POST", "memories", body), 400, "invalid_input")


# --- queries -------------------------------------------------------------------------------------

QUERIES = [
    "user_id=alice&nothing=1", "user_id=alice&user_id=bob", "user_id=%00", "user_id=%0a",
    "user_id=" + "a" * 201, "user_id=&limit=1", "用户=alice",
    "user_id=alice&limit=0", "user_id=alice&limit=-1", "user_id=alice&limit=1001",
    "user_id=alice&limit=9" + "9" * 400, "user_id=alice&limit=x", "user_id=alice&limit=1.5",
    "user_id=alice&limit=", "user_id=alice&cursor=", "user_id=alice&cursor=%00",
    "user_id=alice&cursor=" + "a" * 3000, "user_id=alice&after=-1", "user_id=alice&after=9e9",
]  # fmt: skip

# What is no UTF-8 arrives as replacement characters, which name nobody.
NOBODY = ["user_id=%ff%fe", "user_id=%ed%a0%80"]


@pytest.mark.parametrize("name", WITH_QUERY)
def test_a_query_nobody_means_is_400(scene: Scene, name: str) -> None:
    for query in QUERIES:
        problem(scene.send(name, None, query), 400, "invalid_input")
    named = any(one["name"] == "user_id" for one in OPERATIONS[name][2]["parameters"])
    for query in NOBODY if named else ():
        problem(scene.send(name, None, query), 404, "not_found")


@pytest.mark.parametrize("name", LISTS)
def test_a_cursor_that_was_not_given_out_is_400(scene: Scene, name: str) -> None:
    asked = "user_id=alice&" if "{" not in OPERATIONS[name][1] else ""
    for cursor in ("x", "MjAyNnxhYmM=", "WyIyMDI2Il0:abc", "..", "é", "%F0%9F%98%80", "1", "null"):
        problem(scene.send(name, None, f"{asked}cursor={cursor}"), 400, "invalid_input")


def test_a_cursor_that_was_touched_is_400(scene: Scene) -> None:
    for number in range(3):
        body = {"user_id": "alice", "text": f"Alice prefers tea number {number} 茶."}
        scene.api("POST", "memories", body)
    cursor = scene.api("GET", "memories?user_id=alice&limit=1").json()["next"]
    assert scene.api("GET", f"memories?user_id=alice&limit=1&cursor={cursor}").status_code == 200
    for position in (0, 5, len(cursor) // 2, len(cursor) - 2):
        other = "A" if cursor[position] != "A" else "B"
        touched = cursor[:position] + other + cursor[position + 1 :]
        response = scene.api("GET", f"memories?user_id=alice&limit=1&cursor={touched}")
        problem(response, 400, "invalid_input")


@pytest.mark.parametrize("wait", ["no", "2", "truetrue", "%00", "是"])
def test_wait_is_true_or_false(scene: Scene, wait: str) -> None:
    said = {"messages": [{"role": "user", "content": "早上好 good morning"}]}
    path = f"sessions/{open_session(scene.api)}/messages"
    problem(scene.api("POST", f"{path}?wait={wait}", said), 400, "invalid_input")
    listed = scene.api("GET", path).json()
    assert listed["messages"] == [], "nothing was stored"
