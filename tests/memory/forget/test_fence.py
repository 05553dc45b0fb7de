"""The fence: after one answer nothing of the service can give the content."""

import uuid
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from accounts.acting import acting
from accounts.models import AuditEvent
from memory.choices import State
from memory.errors import VaultError
from memory.forget import fence as fencing
from memory.forget.erasers import ERASERS
from memory.models import (
    Erasure,
    ErasureStep,
    LedgerEntry,
    Memory,
    ObjectKey,
    OutboxMessage,
    ReviewItem,
    Suppression,
    Term,
    Tombstone,
    Vector,
    Version,
)
from memory.vault import Place, open_vault
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.wire import (
    body_of,
    day,
    listed,
    open_session,
    outcomes,
    problem,
    propose,
    recall,
    tell,
    texts,
)


def said(text: str, at: int) -> dict[str, str]:
    return {"role": "user", "content": text, "at": day(at)}


def forget(api: Api, memory: object) -> dict[str, Any]:
    return body_of(api("DELETE", f"memories/{memory}"))


@pytest.mark.parametrize(
    "text", ["我对腰果过敏，请留意。", "From now on, start every report in Esperanto."]
)
def test_no_road_leads_to_it_once_the_answer_is_out(api: Api, cast: Cast, text: str) -> None:
    memory = tell(api, said(text, 0))["decisions"][0]["id"]
    before = recall(api, text)
    assert text in texts(before["memories"] + before["profile"])
    forget(api, memory)
    for caller in ("assistant", "alice"):
        reader = Api(cast.keys[caller])
        for options in ({}, {"as_of": day(1)}, {"known_at": day(1)}, {"policy": "profile_only"}):
            answer = recall(reader, text, **options)
            assert (answer["memories"], answer["profile"]) == ([], [])
        assert listed(reader) == []
        problem(reader("GET", f"memories/{memory}"), 410, "gone")
        change = {"text": "x 新"}
        problem(reader("PATCH", f"memories/{memory}", change, If_Match='"1"'), 410, "gone")
        problem(reader("DELETE", f"memories/{memory}"), 410, "gone")


def test_everything_the_fence_must_write_is_there_in_one_go(api: Api, cast: Cast) -> None:
    told = tell(api, "我住在苏州。")
    memory, event = uuid.UUID(told["decisions"][0]["id"]), uuid.UUID(told["events"][0])
    receipt = forget(api, memory)
    with acting(system_of(cast.alice)):
        row = Memory.objects.get(id=memory)
        assert row.state == State.ERASING
        assert (row.wording, row.value, row.attribute, row.tags, row.metadata) == (
            None, None, "", [], [],
        )  # fmt: skip
        assert not ObjectKey.objects.filter(object_id__in=[memory, event]).exists()
        assert not Vector.objects.filter(memory=row).exists()
        assert not Term.objects.filter(memory=row).exists()
        assert Suppression.objects.get().basis == "event"
    request = Erasure.objects.get(id=receipt["id"])
    assert (request.memory_ids, request.event_ids) == ([memory], [event])
    assert {stone.object_id for stone in Tombstone.objects.all()} == {memory, event}
    assert {line.object_id for line in LedgerEntry.objects.all()} == {memory, event}
    assert ErasureStep.objects.filter(erasure=request).count() == len(ERASERS)
    notices = OutboxMessage.objects.all()
    assert {tuple(one.object_ids) for one in notices} == {(memory,)}
    assert len(notices) == len({one.agent_id for one in notices}) == 7  # all that have a grant
    line = AuditEvent.objects.get(code="erasure.fenced")
    assert (line.object_id, line.result_count, line.actor_kind) == (request.id, 1, "agent")


def test_the_ciphertext_that_is_left_opens_no_more(api: Api, cast: Cast) -> None:
    memory = uuid.UUID(propose(api, "Owns a kayak 皮划艇")["id"])
    forget(api, memory)
    with acting(system_of(cast.alice)) as principal:
        version = Version.objects.get(memory_id=memory)  # its step has not run
        with pytest.raises(VaultError):
            open_vault(principal).unseal(Place(object_id=memory, number=1), version.text)


def test_all_wordings_of_a_memory_go(api: Api, cast: Cast) -> None:
    tell(api, said("我住在北京。", 0), said("我搬到上海了。", 10))
    forget(api, listed(api)[0]["id"])
    for as_of in (5, 15):
        assert recall(api, "我住在 北京 上海", as_of=day(as_of))["memories"] == []


def test_what_waited_for_the_person_is_no_question_any_more(api: Api, cast: Cast) -> None:
    memory = propose(api, "Always rhyme 押韵", subtype="instruction")["id"]
    forget(api, memory)
    with acting(system_of(cast.alice)):
        assert ReviewItem.objects.get().state == "lapsed"


def test_if_one_part_of_the_fence_fails_nothing_happened(
    api: Api, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = uuid.UUID(tell(api, "我住在苏州。")["decisions"][0]["id"])

    def fail(*_: object, **__: object) -> None:
        raise DatabaseError("gone away")

    monkeypatch.setattr(OutboxMessage.objects, "bulk_create", fail)
    with pytest.raises(DatabaseError), transaction.atomic():
        fencing.erase(principal_of(cast.keys["assistant"], "alice"), memory)
    monkeypatch.undo()
    assert Erasure.objects.count() == Tombstone.objects.count() == 0
    assert texts(listed(api)) == ["我住在苏州。"]


def test_an_event_that_also_carries_another_memory_goes_and_the_other_stays(
    api: Api, cast: Cast
) -> None:
    told = tell(api, "我住在苏州。I play the oboe on Fridays.")
    city, oboe = (one["id"] for one in told["decisions"])
    forget(api, city)
    assert texts(listed(api)) == ["I play the oboe on Fridays."]
    (item,) = recall(api, "play the oboe on Fridays")["memories"]
    assert item["id"] == oboe
    assert recall(api, "苏州")["memories"] == []


# --- stays erased --------------------------------------------------------------------------------


def test_the_same_message_sent_again_is_not_learnt_again(api: Api) -> None:
    memory = tell(api, said("我住在苏州。", 0))["decisions"][0]["id"]
    forget(api, memory)
    again = tell(api, said("我住在苏州。", 0), session=open_session(api, "replay 重放"))
    assert outcomes(again) == [("refused", ["suppressed"])]
    assert listed(api) == []


def test_the_person_may_say_it_anew_later(api: Api) -> None:
    memory = tell(api, said("我住在苏州。", 0))["decisions"][0]["id"]
    forget(api, memory)
    anew = tell(api, said("我住在苏州。", 9), session=open_session(api, "later 后来"))
    assert outcomes(anew) == [("accepted", ["stated"])]


def test_another_person_s_same_message_is_theirs(api: Api, cast: Cast) -> None:
    forget(api, tell(api, said("我住在苏州。", 0))["decisions"][0]["id"])
    stranger = Api(cast.keys["stranger"])
    assert outcomes(tell(stranger, said("我住在苏州。", 0))) == [("accepted", ["stated"])]


# --- who may -------------------------------------------------------------------------------------


def test_an_agent_without_the_right_to_forget_erases_nothing(api: Api, cast: Cast) -> None:
    memory = propose(api, "Owns a kayak 皮划艇")["id"]
    problem(Api(cast.keys["reader"])("DELETE", f"memories/{memory}"), 403, "forbidden")
    assert Erasure.objects.count() == 0
    assert texts(listed(api)) == ["Owns a kayak 皮划艇"]


def test_the_person_erases_what_no_agent_of_theirs_may_see(cast: Cast) -> None:
    own = Api(cast.keys["alice"])
    memory = propose(own, "我有糖尿病 diabetes")["id"]
    problem(Api(cast.keys["assistant"])("DELETE", f"memories/{memory}"), 404, "not_found")
    forget(own, memory)
    assert listed(own) == []
