"""A task's steps: observations, its end, and what its board rests on."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory.models import Event, TaskBoard
from tests.cast import Api, Cast, system_of
from tests.memory.api.desk import read, send
from tests.memory.wire import body_of, open_session, problem, tell

STATE = {"goal": "订一张去南京的票 book a train", "done": ["searched"], "query_id": "q-7"}


@pytest.fixture
def board(api: Api) -> dict[str, Any]:
    """A board at version 1."""
    return body_of(send(api, "PUT", STATE), 201)


# --- observations --------------------------------------------------------------------------------


def observe(api: Api, step: Any, text: Any = "G7 有票 seats left", **more: Any) -> Any:
    body = {"user_id": "alice", "step": step, "observation": text} | more
    return api("POST", "tasks/trip/observations", body)


def test_an_observation_of_the_step_is_kept_as_an_event(
    api: Api, cast: Cast, board: dict[str, Any]
) -> None:
    body = body_of(observe(api, 0), 201)
    assert (body["step"], body["version"]) == (0, 1)
    event = body_of(api("GET", f"events/{body['event']}"))
    assert (event["type"], event["content"]) == ("observation", "G7 有票 seats left")
    assert body_of(read(api))["event_ids"] == [body["event"]]
    body_of(send(api, "PATCH", {"doing": "x"}, version=1))  # it did not move the version


def test_an_observation_of_another_step_is_409(api: Api, cast: Cast, board: dict[str, Any]) -> None:
    body_of(send(api, "PATCH", {"doing": "x"}, version=1, step=3))
    for step in (1, 2, 4):
        problem(observe(api, step), 409, "stale_state")
    with acting(system_of(cast.alice)):
        assert not Event.objects.filter(type="observation").exists()


def test_an_observation_of_another_shape_is_400(api: Api, board: dict[str, Any]) -> None:
    for step, text in ((0, ""), (0, " \n"), (0, None), (-1, "x"), ("a", "x")):
        problem(observe(api, step, text), 400, "invalid_input")


def test_an_observation_too_long_is_413(api: Api, board: dict[str, Any]) -> None:
    problem(observe(api, 0, "长" * 32_001), 413, "too_large")


def test_secrets_in_an_observation_are_cut(api: Api, board: dict[str, Any]) -> None:
    event = body_of(observe(api, 0, "login password: Tr0ub4dor&3 worked"), 201)["event"]
    assert "Tr0ub4dor" not in body_of(api("GET", f"events/{event}"))["content"]


# --- ending --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "status", "other"),
    [("complete", "completed", "cancel"), ("cancel", "cancelled", "complete")],
)
def test_a_task_ends_once_and_takes_no_more(
    api: Api, board: dict[str, Any], what: str, status: str, other: str
) -> None:
    def end(name: str, **headers: str) -> Any:
        return api("POST", f"tasks/trip/{name}", {"user_id": "alice"}, **headers)

    problem(end(what, If_Match='"2"'), 409, "stale_state")
    ended = body_of(end(what))
    assert (ended["status"], ended["version"], ended["state"]) == (status, 2, STATE)
    assert body_of(end(what)) == ended
    problem(end(other), 409, "stale_state")
    problem(send(api, "PATCH", {"goal": "x"}, version=2), 409, "stale_state")
    problem(send(api, "PUT", {"goal": "x"}, version=2), 409, "stale_state")
    problem(observe(api, 0), 409, "stale_state")
    assert body_of(read(api)) == ended


def test_when_its_time_is_over_the_board_is_gone_and_its_name_free(
    api: Api, cast: Cast, board: dict[str, Any]
) -> None:
    with acting(system_of(cast.alice)):
        past = timezone.now() - timedelta(seconds=1)
        TaskBoard.objects.filter(id=board["id"]).update(expires_at=past)
    problem(read(api), 404, "not_found")
    problem(send(api, "PATCH", {"goal": "x"}, version=1), 404, "not_found")
    again = body_of(send(api, "PUT", {"goal": "new 新"}), 201)
    assert (again["version"], again["state"]) == (1, {"goal": "new 新"})
    assert again["id"] != board["id"]


# --- what it rests on ----------------------------------------------------------------------------


def test_the_erasure_of_a_message_reaches_the_board_that_cites_it(api: Api) -> None:
    told = tell(api, "我住在苏州。", session=open_session(api))
    body_of(send(api, "PUT", {"notes": "住苏州"}, event_ids=told["events"]), 201)
    body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))
    problem(read(api), 410, "gone")
    problem(send(api, "PATCH", {"goal": "x"}, version=1), 410, "gone")


def test_a_board_cites_only_events_of_its_own(api: Api, cast: Cast) -> None:
    other = Api(cast.keys["low"])
    told = tell(other, "x 住在", session=open_session(other))
    problem(send(api, "PUT", STATE, event_ids=told["events"]), 404, "not_found")
    problem(send(api, "PUT", STATE, event_ids=[str(uuid.uuid4())]), 404, "not_found")
