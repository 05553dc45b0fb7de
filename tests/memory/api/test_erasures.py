"""GET /erasures/{id}: how far an erasure is, and its receipt."""

import uuid
from typing import Any

import pytest

from memory.choices import ErasureState
from memory.forget import drive
from memory.forget.erasers import ERASERS
from memory.forget.receipt import sign
from tests.cast import Api, Cast
from tests.memory.wire import body_of, problem, tell


@pytest.fixture
def fenced(api: Api) -> dict[str, Any]:
    """The receipt of a memory that was erased a moment ago."""
    told = tell(api, "我住在苏州，门口有棵银杏。")
    return body_of(api("DELETE", f"memories/{told['decisions'][0]['id']}"))


def test_right_after_the_fence_every_step_is_still_to_do(api: Api, fenced: dict[str, Any]) -> None:
    found = body_of(api("GET", f"erasures/{fenced['id']}"))
    assert found == fenced
    assert found["state"] == ErasureState.FENCED and found["erased_at"] is None
    assert [step["store"] for step in found["steps"]] == [eraser.store for eraser in ERASERS]
    assert {step["state"] for step in found["steps"]} == {"queued"}
    assert found["messages"] == 1 and len(found["ledger"]) == 2  # the memory and its message


def test_after_the_drive_the_receipt_shows_counts_and_the_end_of_backups(
    api: Api, fenced: dict[str, Any]
) -> None:
    drive.run(uuid.UUID(fenced["id"]))
    found = body_of(api("GET", f"erasures/{fenced['id']}"))
    assert found["state"] == ErasureState.AWAITING_BACKUP_EXPIRY
    assert found["erased_at"] and found["backups_until"] > found["erased_at"]
    assert {step["state"] for step in found["steps"]} == {"done"}
    assert {step["after"] for step in found["steps"]} == {0}
    before = {step["store"]: step["before"] for step in found["steps"]}
    assert (before["versions"], before["evidence"], before["messages"], before["events"]) == (
        (1,) * 4
    )
    assert (before["vectors"], before["terms"], before["keys"]) == (0, 0, 0)  # gone at the fence
    assert all(step["verified_at"] for step in found["steps"])


def test_the_signature_is_over_everything_else(api: Api, fenced: dict[str, Any]) -> None:
    found = body_of(api("GET", f"erasures/{fenced['id']}"))
    signature = found.pop("signature")
    assert sign(found) == signature
    for name, value in (("messages", 2), ("state", "completed"), ("memories", [])):
        assert sign(found | {name: value}) != signature


def test_a_receipt_holds_no_word_and_no_hash_of_a_word(api: Api, fenced: dict[str, Any]) -> None:
    assert set(fenced) == {
        "id", "state", "memories", "messages", "session", "requested_at", "fenced_at", "erased_at",
        "backups_until", "ledger", "steps", "signature",
    }  # fmt: skip
    assert "银杏" not in str(fenced)


@pytest.mark.parametrize("caller", ["stranger", "bob"])
def test_somebody_else_s_erasure_is_404(cast: Cast, fenced: dict[str, Any], caller: str) -> None:
    problem(Api(cast.keys[caller])("GET", f"erasures/{fenced['id']}"), 404, "not_found")


def test_the_person_sees_what_an_agent_erased(cast: Cast, fenced: dict[str, Any]) -> None:
    assert body_of(Api(cast.keys["alice"])("GET", f"erasures/{fenced['id']}")) == fenced


def test_an_erasure_nobody_asked_for_is_404(api: Api) -> None:
    problem(api("GET", f"erasures/{uuid.UUID(int=7)}"), 404, "not_found")
    problem(api("DELETE", f"erasures/{uuid.UUID(int=7)}"), 405, "method_not_allowed")
