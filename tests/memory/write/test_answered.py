"""A message is found by the turn it answers, too, and no longer than that turn may be kept."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from accounts.acting import acting
from memory.choices import IndexState
from memory.forget import expire
from memory.index.context import mixed
from memory.models import Event, Memory, Vector
from memory.providers.embedding import get_embedder
from memory.write.indexing import embed_waiting
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, propose, recall, tell, texts

ASKED = {
    "zh": ("挪威峡湾之行你打算几月去？", "我喜欢九月，记住了。", "挪威峡湾"),
    "en": ("When do you want to see the fjords of Norway?", "I love September best, remember that.",
           "fjords of Norway"),
}  # fmt: skip


def answer(api: Api, asked: str, said: str) -> tuple[str, str]:
    """Let an assistant ask and the person answer; return the ids of the two events."""
    told = tell(api, {"role": "assistant", "content": asked}, {"role": "user", "content": said})
    first, second = told["events"]
    return first, second


def vectors(cast: Cast) -> list[Vector]:
    with acting(system_of(cast.alice)):
        return list(Vector.objects.order_by("created_at"))


def found(api: Api, question: str, said: str) -> bool:
    """Whether a memory of what was ``said`` answers the question."""
    return any(text in said for text in texts(recall(api, question)["memories"]))


@pytest.mark.parametrize("language", sorted(ASKED))
def test_an_answer_is_nearer_to_what_was_asked(api: Api, cast: Cast, language: str) -> None:
    asked, said, topic = ASKED[language]
    event, _ = answer(api, asked, said)
    (vector,) = vectors(cast)
    assert str(vector.leans_on) == event
    embedder = get_embedder()
    question, alone = embedder.query([topic])[0], embedder.passage([said])[0]
    assert np.dot(vector.embedding, question) > np.dot(alone, question) + 0.1
    assert found(api, said, said)


@pytest.mark.parametrize("language", sorted(ASKED))
def test_with_the_turn_goes_what_the_vector_had_of_it(api: Api, cast: Cast, language: str) -> None:
    asked, said, _ = ASKED[language]
    event, _ = answer(api, asked, said)
    (mine,) = vectors(cast)
    quoted = propose(api, f"Noted: {asked}", evidence={"event_id": event, "quote": asked})
    body_of(api("DELETE", f"memories/{quoted['id']}"))
    with acting(system_of(cast.alice)):
        memory = Memory.objects.get(id=mine.memory_id)
    assert memory.index_state == IndexState.PENDING
    assert [one for one in vectors(cast) if one.memory_id == mine.memory_id] == []
    embed_waiting(system_of(cast.alice))
    (again,) = [one for one in vectors(cast) if one.memory_id == mine.memory_id]
    assert again.leans_on is None
    assert found(api, said, said)


def test_the_turn_is_kept_as_long_as_a_vector_leans_on_it(api: Api, cast: Cast) -> None:
    event, _ = answer(api, *ASKED["zh"][:2])
    (vector,) = vectors(cast)
    with acting(system_of(cast.alice)):
        Event.objects.filter(id=event).update(expires_at=timezone.now() - timedelta(seconds=1))
    expire.expire_events(system_of(cast.alice))
    with acting(system_of(cast.alice)):
        assert Event.objects.filter(id=event).exists()
    body_of(api("DELETE", f"memories/{vector.memory_id}"))
    expire.expire_events(system_of(cast.alice))
    with acting(system_of(cast.alice)):
        assert not Event.objects.filter(id=event).exists()


@pytest.mark.parametrize(
    "before",
    [
        {"role": "assistant", "content": "Since your diabetes diagnosis, which tea do you take?"},
        {"role": "assistant", "content": "自从确诊糖尿病以后，你喝什么茶？"},
        {"role": "user", "content": "Let me think about tea for a while, then."},
        {"role": "tool", "content": "teas.json: oolong, sencha, rooibos"},
        {"role": "assistant", "content": "ok"},
    ],
)
def test_what_a_vector_does_not_lean_on(api: Api, cast: Cast, before: dict[str, str]) -> None:
    """What is held more closely than the memory, the same speaker's, a tool's, and "ok"."""
    tell(api, before, {"role": "user", "content": "我最喜欢乌龙茶，记住了。"})
    leaning = {vector.leans_on for vector in vectors(cast)}
    assert leaning == {None}


def test_the_same_said_in_answer_to_something_else_is_one_memory(api: Api, cast: Cast) -> None:
    answer(api, "Shall we talk about the fjords of Norway?", "I like oolong tea best.")
    answer(api, "Which spreadsheet holds the budget?", "I like oolong tea the best.")
    assert len(vectors(cast)) == 1


def test_a_wording_that_waited_leans_as_one_that_did_not(api: Api, cast: Cast) -> None:
    event, _ = answer(api, *ASKED["en"][:2])
    (made,) = vectors(cast)
    with acting(system_of(cast.alice)):
        Vector.objects.all().delete()
        Memory.objects.update(index_state=IndexState.PENDING)
    embed_waiting(system_of(cast.alice))
    (again,) = vectors(cast)
    assert str(again.leans_on) == event
    assert np.dot(again.embedding, made.embedding) > 0.999


units = arrays(np.float32, 8, elements=st.floats(-1, 1, width=16)).filter(
    lambda found: np.linalg.norm(found) > 0.1
)


@given(own=units, before=units)
def test_a_mixed_vector_is_a_unit_vector_nearest_to_its_own_words(
    own: np.ndarray, before: np.ndarray
) -> None:
    own, before = own / np.linalg.norm(own), before / np.linalg.norm(before)
    both = mixed(own, before)
    assert np.linalg.norm(both) == pytest.approx(1, abs=1e-4)
    assert both @ own >= both @ before - 1e-4
