"""A dump older than a merge: what was erased of the person since is erased where it stands there."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.ledger import path as ledger_file
from accounts.models import Subject
from memory import ledger
from memory.backup.traces import left_behind
from memory.choices import GONE
from memory.forget.requests import erase_person
from memory.identity.move import agree
from memory.models import Event, Memory, Session
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.backup.drill import back_up, restore
from tests.memory.backup.test_restore import house
from tests.memory.wire import body_of, listed, open_session, tell, texts

__all__ = ["house"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


def device(house: Cast, agent: str, name: str) -> Subject:
    """Somebody whom an agent met without a name."""
    api = Api(house.keys[agent])
    house.acme.grants_on_first_use = True
    house.acme.save()
    body_of(api("POST", "users", {"user_id": name, "anonymous": True}), 201)
    listed(api, user_id=name)  # its grant is made
    house.acme.grants_on_first_use = False
    house.acme.save()
    return Subject.objects.get(external_id=name)


def met(house: Cast, agent: str, user: str, name: str, *said: str) -> tuple[str, list[str]]:
    """Say something in a session; return it, and the ids of the messages."""
    api = Api(house.keys[agent])
    session = open_session(api, name, user_id=user)
    return session, tell(api, *said, session=session)["events"]


def merge(house: Cast, agent: str, person: str, source: Subject) -> None:
    asked = Api(house.keys[agent])("POST", f"users/{source.id}/merge", {"user_id": person})
    agree(principal_of(house.keys[person], person), uuid.UUID(asked.json()["id"]))


def named(house: Cast, word: str) -> dict[str, Any]:
    """The person's memory with this word."""
    (found,) = [one for one in listed(Api(house.keys["alice"])) if word in one["text"]]
    return found


def left(subject: Subject) -> set[str]:
    """What is remembered of somebody, by what it rests on; and how many messages."""
    with acting(system_of(subject)):
        memories = Memory.objects.exclude(state__in=GONE)
        return {str(one) for one in memories.values_list("id", flat=True)}


def test_a_later_erasure_reaches_what_was_not_the_persons_yet(house: Cast) -> None:
    api, person = Api(house.keys["assistant"]), Api(house.keys["alice"])
    phone = device(house, "assistant", "phone 手机")
    met(house, "assistant", "alice", "own", "I love zorbani tea.")
    met(house, "assistant", phone.external_id, "joined", "I love zorbani tea.")
    session, _ = met(house, "assistant", phone.external_id, "whole", "我喜欢喝兰茶。")
    _, events = met(house, "assistant", phone.external_id, "some", "I love velmora soup.")
    met(house, "assistant", phone.external_id, "worded", "我喜欢梅汤。")
    met(house, "assistant", phone.external_id, "kept", "I play the oboe on Fridays.")
    back_up()
    merge(house, "assistant", "alice", phone)
    worded = named(house, "梅汤")
    body_of(person("PATCH", f"memories/{worded['id']}", {"text": "我喜欢汤"}, If_Match='"1"'))
    for what in (
        {"memory_ids": [named(house, "zorbani")["id"]]},
        {"session": session},
        {"events": events},
        {"memory_ids": [worded["id"]], "version": 1},
    ):
        body_of(person("POST", "erasures", {"user_id": "alice"} | what), 201)
    printed = restore()
    assert "erased again 4  " in printed
    assert texts(listed(api, user_id=phone.external_id)) == ["I play the oboe on Fridays."]
    assert listed(person) == []
    assert left(house.alice) == set() and len(left(phone)) == 1
    with acting(system_of(phone)):
        assert Event.objects.count() == 1
        assert not Session.objects.filter(id=session).exists()
    assert left_behind() == []
    restore()  # the ledger knows the erasures of both by now
    assert texts(listed(api, user_id=phone.external_id)) == ["I play the oboe on Fridays."]


def test_an_erased_persons_other_devices_are_erased_with_them(house: Cast) -> None:
    phone = device(house, "colleague", "bob's phone 手机")
    other = device(house, "colleague", "somebody's phone")
    for one in (phone, other):
        met(house, "colleague", one.external_id, "met", "我喜欢喝兰茶。")
    back_up()
    merge(house, "colleague", "bob", phone)
    erase_person(principal_of(house.keys["bob"], "bob"), confirm="bob")
    restore()
    gone = Subject.objects.get(id=phone.id)
    assert gone.erased_at is not None and gone.external_id == f"erased:{phone.id}"
    assert left(phone) == set() and len(left(other)) == 1
    assert left_behind() == []


def test_a_merge_that_was_rolled_back_is_taken_out_of_the_ledger(house: Cast) -> None:
    phone = device(house, "assistant", "phone 手机")
    merge(house, "assistant", "alice", phone)
    never = uuid.uuid4()
    kept = ledger.merges()
    old = timezone.now() - timedelta(hours=1)
    line = json.loads(ledger_file().read_text().splitlines()[-1])
    line |= {"merge": str(never), "at": old.isoformat()}
    with ledger_file().open("a") as file:
        file.write(json.dumps(line) + "\n")
    assert never in {one.merge_id for one in ledger.merges()}
    assert ledger.settle() == (0, 1)
    assert ledger.merges() == kept and len(kept) == 1
