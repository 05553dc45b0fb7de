"""What keeps its wording's digest to itself passes the door of today like all the rest."""

import uuid

import pytest

from accounts.acting import acting
from memory.index import store
from memory.models import Memory
from tests.cast import Api, Cast, principal_of, remember
from tests.memory.rescan.test_rescan import REACHED, kept, older_door, rescanned
from tests.memory.wire import body_of


@pytest.mark.parametrize("said", REACHED)
def test_a_correction_to_words_that_a_hidden_memory_has_is_read_and_indexed_as_well(
    api: Api, cast: Cast, said: str
) -> None:
    """It keeps the wording's digest to itself, and was passed over by rescans and rebuilds for that."""
    me = principal_of(cast.keys["alice"], "alice")
    with older_door():
        hidden = remember(me, said)
        with acting(me.unlimited()):
            Memory.objects.filter(id=hidden.id).update(sensitivity=40)
        one = kept(api, "我周末去爬山。I hike at weekends.")
        body_of(api("PATCH", f"memories/{one['id']}", {"text": said}, If_Match='"1"'))
    with acting(me.unlimited()):
        assert Memory.objects.get(id=one["id"]).wording is None
        assert set(store.wordings(me).values_list("memory_id", flat=True)) == {
            hidden.id,
            uuid.UUID(one["id"]),
        }
    assert rescanned(cast) == {"raised": 1}
    with acting(me.unlimited()):
        assert Memory.objects.get(id=one["id"]).sensitivity == 30
