"""/tasks/{task_id}: a board with version and step, resumed from anywhere, never overwritten blindly."""

from typing import Any

import pytest

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.models import TaskBoard
from tests.cast import Api, Cast, make_grant, system_of
from tests.memory.api.desk import read, send
from tests.memory.wire import body_of, open_session, problem

STATE = {"goal": "订一张去南京的票 book a train", "done": ["searched"], "query_id": "q-7"}


@pytest.fixture
def board(api: Api) -> dict[str, Any]:
    """A board at version 1."""
    return body_of(send(api, "PUT", STATE), 201)


# --- making and reading --------------------------------------------------------------------------


def test_a_board_comes_back_with_its_version_as_etag(api: Api, board: dict[str, Any]) -> None:
    response = read(api)
    assert body_of(response) == board and response["ETag"] == '"1"'
    assert (board["task_id"], board["state"]) == ("trip", STATE)
    assert (board["version"], board["step"], board["status"]) == (1, 0, "open")


def test_any_printable_name_but_a_slash(api: Api) -> None:
    for task in ("a b", "行程 🚄", "q?x=1&y#z", "100%", "..x", "x" * 200):
        assert body_of(send(api, "PUT", STATE, task=task), 201)["task_id"] == task
        assert body_of(read(api, task))["state"] == STATE


def test_a_name_that_is_none_is_400(api: Api) -> None:
    for task in ("a\x01b", " a", "x" * 201):
        problem(send(api, "PUT", STATE, task=task), 400, "invalid_input")
        problem(read(api, task), 400, "invalid_input")


def test_a_slash_in_a_name_leads_nowhere(api: Api) -> None:
    problem(send(api, "PUT", STATE, task="a/b"), 404, "not_found")


def test_what_nobody_made_is_404(api: Api) -> None:
    problem(read(api, "other"), 404, "not_found")
    problem(send(api, "PATCH", {"goal": "x"}, version=1, task="other"), 404, "not_found")
    problem(send(api, "PUT", STATE, version=1, task="other"), 404, "not_found")
    for what in ("complete", "cancel"):
        problem(api("POST", f"tasks/other/{what}", {"user_id": "alice"}), 404, "not_found")


def test_user_id_may_stand_in_the_query_but_not_twice(api: Api) -> None:
    made = api("PUT", "tasks/trip/state?user_id=alice", {"state": STATE})
    assert body_of(made, 201)["state"] == STATE
    twice = api("PUT", "tasks/trip/state?user_id=alice", {"state": STATE, "user_id": "alice"})
    problem(twice, 400, "invalid_input")
    problem(api("PUT", "tasks/trip/state", {"state": STATE}), 400, "invalid_input")
    problem(api("GET", "tasks/trip/state"), 400, "invalid_input")


# --- writing -------------------------------------------------------------------------------------


def test_put_replaces_and_patch_merges(api: Api, board: dict[str, Any]) -> None:
    put = body_of(send(api, "PUT", {"goal": "改去苏州", "notes": "靠窗"}, version=1, step=2))
    assert (put["state"], put["version"], put["step"]) == (
        {"goal": "改去苏州", "notes": "靠窗"},
        2,
        2,
    )
    patch = send(api, "PATCH", {"notes": None, "done": ["booked"]}, version=2)
    assert body_of(patch)["state"] == {"goal": "改去苏州", "done": ["booked"]}
    assert patch["ETag"] == '"3"' and body_of(read(api))["step"] == 2


def test_a_write_without_if_match_is_428_with_an_old_one_409(
    api: Api, board: dict[str, Any]
) -> None:
    for method in ("PUT", "PATCH"):
        problem(send(api, method, {"goal": "x"}), 428, "version_required")
        for version in (2, 7):
            problem(send(api, method, {"goal": "x"}, version=version), 409, "stale_state")
    assert body_of(read(api)) == board


def test_a_step_never_goes_back(api: Api, board: dict[str, Any]) -> None:
    body_of(send(api, "PATCH", {"doing": "x"}, version=1, step=5))
    problem(send(api, "PATCH", {"doing": "y"}, version=2, step=4), 409, "stale_state")
    assert body_of(send(api, "PATCH", {"doing": "z"}, version=2, step=5))["step"] == 5


def test_a_state_of_another_shape_is_400(api: Api, board: dict[str, Any]) -> None:
    states: tuple[object, ...] = (
        {"gaol": "x"}, {"goal": 7}, {"done": "x"}, [], "x", None, {"goal": "x", "memory": {}},
    )  # fmt: skip
    for state in states:
        problem(send(api, "PUT", state, version=1), 400, "invalid_input")
        problem(send(api, "PUT", state, task="new"), 400, "invalid_input")
        problem(send(api, "PATCH", state, version=1), 400, "invalid_input")
    assert body_of(read(api)) == board


def test_a_body_of_another_shape_is_400(api: Api) -> None:
    faults: tuple[dict[str, Any], ...] = (
        {"step": -1}, {"step": "2"}, {"step": 1.5}, {"by": 1}, {"event_ids": ["x"]},
    )  # fmt: skip
    for more in faults:
        problem(send(api, "PUT", STATE, **more), 400, "invalid_input")


def test_a_state_too_large_is_413(api: Api, board: dict[str, Any]) -> None:
    problem(send(api, "PATCH", {"notes": "长" * 22_000}, version=1), 413, "too_large")
    assert body_of(read(api)) == board


def test_secrets_are_cut_before_the_first_row(api: Api) -> None:
    body = body_of(send(api, "PUT", {"rollback": {"password": "Tr0ub4dor&3"}}), 201)
    assert "Tr0ub4dor" not in str(body) and "[PASSWORD]" in str(body)


# --- over sessions and devices -------------------------------------------------------------------


def test_a_board_survives_its_session_and_is_resumed_from_another(
    api: Api, board: dict[str, Any]
) -> None:
    first = open_session(api, "phone 手机")
    body_of(api("POST", f"sessions/{first}/close", {}))
    second = open_session(api, "laptop 电脑")
    asked = {"query": "继续", "task_id": "trip"}
    body = body_of(api("POST", f"sessions/{second}/context", asked))
    assert any("订一张去南京的票" in one["content"] for one in body["messages"])


def test_two_people_have_two_boards_of_one_name(
    api: Api, cast: Cast, board: dict[str, Any]
) -> None:
    make_grant(cast.agents["assistant"], cast.bob)
    problem(read(api, user_id="bob"), 404, "not_found")
    body_of(api("PUT", "tasks/trip/state", {"user_id": "bob", "state": {"goal": "Bob's"}}), 201)
    assert body_of(read(api))["state"] == STATE


def test_two_agents_have_two_boards_of_one_name(
    api: Api, cast: Cast, board: dict[str, Any]
) -> None:
    low = Api(cast.keys["low"])
    problem(read(low), 404, "not_found")
    body_of(send(low, "PUT", {"goal": "low's"}), 201)
    assert body_of(read(api))["state"] == STATE
    assert body_of(read(low))["state"] == {"goal": "low's"}


def test_who_may_not_see_it_gets_nothing(api: Api, cast: Cast, board: dict[str, Any]) -> None:
    problem(read(Api(cast.keys["stranger"])), 404, "not_found")
    problem(read(Api(cast.keys["colleague"])), 403, "forbidden")
    problem(read(Api(cast.keys["bob"])), 404, "not_found")
    problem(read(Api(cast.keys["off"])), 403, "forbidden")
    problem(send(Api(cast.keys["off"]), "PUT", STATE), 403, "forbidden")
    problem(send(Api(cast.keys["reader"]), "PUT", STATE), 403, "forbidden")


def test_the_person_reads_it_and_does_not_write_it(
    api: Api, cast: Cast, board: dict[str, Any]
) -> None:
    own = Api(cast.keys["alice"])
    assert body_of(read(own)) == board
    problem(send(own, "PATCH", {"goal": "x"}, version=1), 403, "forbidden")


def test_a_board_is_sealed_and_its_log_holds_no_word(
    api: Api, cast: Cast, board: dict[str, Any]
) -> None:
    read(api)
    with acting(system_of(cast.alice)):
        row = TaskBoard.objects.get(id=board["id"])
        assert "南京".encode() not in bytes(row.state) and b"train" not in bytes(row.state)
    lines = [vars(line) for line in AuditEvent.objects.filter(code__startswith="board.")]
    assert [line["code"] for line in lines] == ["board.changed", "board.read"]
    assert "南京" not in str(lines) and "trip" not in str(lines)
