"""Many memories changed by the person while one of them is being written."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connections

from accounts.acting import acting
from memory.choices import Sensitivity
from memory.index import store as index
from memory.models import Memory, Version
from memory.recall.selecting import Selection
from memory.reviews.many import Act, change
from tests.cast import Cast, principal_of, remember, system_of
from tests.memory.forget.test_whole_person import until_they_wait


@pytest.mark.django_db(transaction=True)
def test_what_is_marked_sensitive_while_it_is_written_stays_so(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer had read the level before, and wrote it back over the person's."""
    memory = remember(system_of(cast.alice), "我住在苏州。", attribute="home.city", value="苏州")
    real, done = index.retire, list[int]()

    def mark() -> None:
        try:
            me, these = principal_of(cast.keys["alice"], "alice"), Selection(ids={memory.id})
            done.append(change(me, these, Act.SENSITIVE, sensitive=True).changed)
        finally:
            connections.close_all()

    marking = threading.Thread(target=mark)

    def retire(*given: Any) -> None:
        marking.start()
        until_they_wait(marking)
        real(*given)

    monkeypatch.setattr(index, "retire", retire)
    remember(system_of(cast.alice), "我住在杭州。", attribute="home.city", value="杭州")
    marking.join(20)
    with acting(system_of(cast.alice)):
        found = Memory.objects.get(id=memory.id)
        assert Version.objects.filter(memory=memory).count() == 2
    assert (done, found.sensitivity) == ([1], Sensitivity.SPECIAL)
