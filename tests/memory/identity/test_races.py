"""Merging while others are at work: each write is moved or goes to the person, and nothing is half."""

import uuid
from functools import partial
from typing import Any

import pytest

from accounts.acting import acting
from accounts.models import Subject
from memory.identity.move import Moved, agree
from memory.models import Memory, SubjectKey
from tests.cast import Api, Cast, principal_of, system_of
from tests.memory.identity.test_merging import DEVICE, ask, device, met
from tests.memory.wire import listed
from tests.memory.write.test_outages import at_once

__all__ = ["device"]
pytestmark = pytest.mark.django_db(transaction=True)


def test_writes_meanwhile_are_moved_or_go_to_the_person_and_of_two_merges_one_works(
    api: Api, cast: Cast, device: Subject
) -> None:
    met(api, "我住在苏州。", "I like bouldering.")
    merge = ask(api, device)
    person = principal_of(cast.keys["alice"], "alice")
    wordings = [f"Owns boat number {n} 号船 {uuid.uuid4().hex[:6]}" for n in range(6)]

    def write(text: str) -> Any:
        writer = Api(cast.keys["assistant"])
        return writer("POST", "memories", {"user_id": DEVICE, "text": text}).status_code

    writes = [partial(write, text) for text in wordings]
    merges = [partial(agree, person, merge)] * 2
    results = at_once(*writes[:3], *merges, *writes[3:])
    assert [one for one in results if isinstance(one, int)] == [201] * 6, results
    assert sum(isinstance(one, Moved) for one in results) == 1, results
    found = {one["text"] for one in listed(api)}
    assert found >= set(wordings) and len(found) == 8
    with acting(system_of(device)):
        assert not Memory.objects.exists() and not SubjectKey.objects.exists()
