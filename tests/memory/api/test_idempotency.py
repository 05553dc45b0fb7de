"""``Idempotency-Key``: sent twice, done once, answered twice."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from memory.forget import drive
from memory.models import Decision, Event, IdempotencyRecord, Memory, Session
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, open_session, problem, propose

FACT = {"user_id": "alice", "text": "Alice collects 邮票 and old maps.", "kind": "semantic"}
SECRET = "密码是 Tr0ub4dor&3"


def memories(cast: Cast) -> int:
    with acting(system_of(cast.alice)):
        return Memory.objects.count()


def again(api: Api, method: str, path: str, body: Any = None, **headers: str) -> tuple[Any, Any]:
    """Send the same request twice under one key and return both answers."""
    headers["Idempotency_Key"] = "again"
    first = api(method, path, body, **headers)
    second = api(method, path, body, **headers)
    assert "Idempotency-Replayed" not in first.headers
    assert second.status_code == first.status_code, second.content
    assert second["Idempotency-Replayed"] == "true"
    return first, second


# --- the same answer, one effect -----------------------------------------------------------------


def test_a_proposal_sent_twice_is_one_memory(api: Api, cast: Cast) -> None:
    first, second = again(api, "POST", "memories", FACT)
    assert first.status_code == 201
    assert first.json() == second.json()
    assert memories(cast) == 1
    with acting(system_of(cast.alice)):
        assert Decision.objects.count() == 1


def test_a_refusal_is_an_answer_and_is_repeated(api: Api, cast: Cast) -> None:
    first, second = again(api, "POST", "memories", FACT | {"text": SECRET})
    assert first.status_code == 422 and first.json()["outcome"] == "refused"
    assert first.json() == second.json()
    with acting(system_of(cast.alice)):
        assert Decision.objects.count() == 1


def test_an_error_is_not_kept(api: Api, cast: Cast) -> None:
    for _ in range(2):
        problem(
            api("POST", "memories", FACT | {"kind": "茶"}, Idempotency_Key="a"),
            400,
            "invalid_input",
        )
    assert api("POST", "memories", FACT, Idempotency_Key="a").status_code == 201
    assert IdempotencyRecord.objects.count() == 1


def test_a_session_is_opened_once(api: Api, cast: Cast) -> None:
    first, second = again(api, "POST", "sessions", {"user_id": "alice"})
    assert first.status_code == 201
    assert first.json() == second.json()
    with acting(system_of(cast.alice)):
        assert Session.objects.count() == 1


def test_messages_are_stored_once(api: Api, cast: Cast) -> None:
    said = {"messages": [{"role": "user", "content": "我对花生过敏。"}]}
    first, second = again(api, "POST", f"sessions/{open_session(api)}/messages", said)
    assert first.status_code == 202
    assert first.json()["events"] == second.json()["events"]
    with acting(system_of(cast.alice)):
        assert Event.objects.count() == 1


def test_messages_that_are_waited_for_bring_the_same_decisions(api: Api, cast: Cast) -> None:
    said = {"messages": [{"role": "user", "content": "I live in Berlin. 我住在柏林。"}]}
    path = f"sessions/{open_session(api)}/messages?wait=true"
    first, second = again(api, "POST", path, said)
    assert first.status_code == 200 and first.json()["decisions"]
    assert first.json() == second.json()


def test_a_correction_is_made_once(api: Api, cast: Cast) -> None:
    memory = propose(api, "Alice likes window seats.")["id"]
    body = {"text": "Alice likes aisle seats 过道座位."}
    first, second = again(api, "PATCH", f"memories/{memory}", body, If_Match='"1"')
    assert first.json() == second.json()
    assert first["ETag"] == second["ETag"]


def test_an_erasure_is_answered_by_its_receipt(api: Api, cast: Cast) -> None:
    memory = propose(api, "Alice plays 二胡 on Sundays.")["id"]
    first, second = again(api, "DELETE", f"memories/{memory}")
    assert first.json() == second.json()
    problem(api("DELETE", f"memories/{memory}"), 410, "gone")


def test_a_move_is_made_once_and_shows_what_is_now(api: Api, cast: Cast) -> None:
    memory = propose(api, "Alice prefers chess 国际象棋.")["id"]
    first, second = again(api, "POST", f"memories/{memory}/forget")
    assert first.json() == second.json()
    assert first.json()["state"] == "forgotten"
    body_of(api("POST", f"memories/{memory}/undo"))
    third = api("POST", f"memories/{memory}/forget", Idempotency_Key="again")
    assert body_of(third)["state"] == "active", "the answer shows what is now; nothing is done"


def test_a_batch_is_decided_once(api: Api, cast: Cast) -> None:
    items = [
        {"text": "Alice swims on Mondays 周一游泳.", "kind": "semantic"},
        {"text": "x", "evidence": {"event_id": str(cast.bob.id), "quote": "x"}},
        {"text": SECRET},
    ]
    first, second = again(api, "POST", "memories/batch", {"user_id": "alice", "memories": items})
    assert first.json() == second.json()
    assert [one["status"] for one in first.json()["results"]] == [201, 404, 422]


def test_a_person_is_made_once(cast: Cast) -> None:
    first, second = again(Api(cast.keys["stranger"]), "POST", "users", {"user_id": "新人"})
    assert (first.status_code, first.json()) == (201, second.json())


def test_a_board_is_written_once(api: Api, cast: Cast) -> None:
    body = {"user_id": "alice", "state": {"goal": "订票 tickets"}}
    first, second = again(api, "PUT", "tasks/trip/state", body)
    assert (first.status_code, first.json()) == (201, second.json())
    problem(api("PUT", "tasks/trip/state", body), 428, "version_required")


# --- another request, another caller -------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "memories", FACT | {"text": "Alice collects coins 硬币."}),
        ("POST", "memories", FACT | {"confidence": 0.5}),
        ("POST", "users", {"user_id": "alice"}),
        ("POST", "memories?x=1", FACT),
    ],
)
def test_another_request_under_the_same_key_is_422(
    api: Api, cast: Cast, method: str, path: str, body: Any
) -> None:
    api("POST", "memories", FACT, Idempotency_Key="same")
    problem(api(method, path, body, Idempotency_Key="same"), 422, "idempotency_conflict")
    assert memories(cast) == 1


def test_the_order_of_fields_does_not_matter(api: Api, cast: Cast) -> None:
    api("POST", "memories", FACT, Idempotency_Key="same")
    turned = dict(reversed(FACT.items()))
    assert "Idempotency-Replayed" in api("POST", "memories", turned, Idempotency_Key="same").headers


def test_keys_of_different_callers_do_not_meet(cast: Cast) -> None:
    for name in ("assistant", "stranger"):
        response = Api(cast.keys[name])("POST", "memories", FACT, Idempotency_Key="same")
        assert response.status_code == 201
        assert "Idempotency-Replayed" not in response.headers


@pytest.mark.parametrize("name", ["", " ", "a" * 201, "钥匙", "tab\there", " padded", "\x7f"])
def test_a_name_that_is_not_printable_ascii_is_400(api: Api, cast: Cast, name: str) -> None:
    problem(api("POST", "memories", FACT, Idempotency_Key=name), 400, "invalid_input")
    assert memories(cast) == 0


def test_reading_ignores_the_header(api: Api) -> None:
    for query in ("茶", "tea"):
        body_of(api("POST", "recall", {"user_id": "alice", "query": query}, Idempotency_Key="r"))
    assert IdempotencyRecord.objects.count() == 0


# --- what stays ----------------------------------------------------------------------------------


def test_nothing_but_digests_and_ids_is_kept(api: Api, cast: Cast) -> None:
    api("POST", "memories", FACT, Idempotency_Key="my-own-name")
    (record,) = IdempotencyRecord.objects.values()
    assert len(record["key"]) == len(record["request"]) == 32
    assert record["subject_id"] == cast.alice.id
    assert "邮票" not in str(record) and "my-own-name" not in str(record)
    kept = record["expires_at"] - record["created_at"]
    assert abs(kept - timedelta(hours=72)) < timedelta(seconds=1)


def test_after_its_time_the_key_is_free(api: Api, cast: Cast) -> None:
    api("POST", "memories", FACT, Idempotency_Key="same")
    IdempotencyRecord.objects.update(expires_at=timezone.now())
    response = api("POST", "memories", FACT, Idempotency_Key="same")
    assert "Idempotency-Replayed" not in response.headers
    assert response.json()["outcome"] == "reinforced"


def test_what_was_erased_since_is_410(api: Api, cast: Cast) -> None:
    made = body_of(api("POST", "memories", FACT, Idempotency_Key="same"), 201)
    erased = body_of(api("DELETE", f"memories/{made['id']}"))
    problem(api("POST", "memories", FACT, Idempotency_Key="same"), 410, "gone")
    drive.run(erased["id"])
    problem(api("POST", "memories", FACT, Idempotency_Key="same"), 410, "gone")
    assert bytes(IdempotencyRecord.objects.get().request) == b""
    assert memories(cast) == 1, "its tombstone"


def test_messages_whose_memory_was_erased_are_410(api: Api, cast: Cast) -> None:
    said = {"messages": [{"role": "user", "content": "I live in Berlin."}]}
    path = f"sessions/{open_session(api)}/messages?wait=true"
    answer = body_of(api("POST", path, said, Idempotency_Key="same"))
    memory = next(one["id"] for one in answer["decisions"] if one["id"])
    drive.run(body_of(api("DELETE", f"memories/{memory}"))["id"])
    problem(api("POST", path, said, Idempotency_Key="same"), 410, "gone")
