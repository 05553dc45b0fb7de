"""A grant may name what sensitive memories are for: without one of those purposes nothing is shown."""

from __future__ import annotations

import pytest

from accounts.acting import acting
from accounts.models import Agent
from memory.recall.readers import readers
from memory.recall.sight import sight
from tests.cast import Api, Cast, agent_key, make_agent, make_grant, principal_of
from tests.memory.wire import body_of, listed, open_session, propose, recall, texts

SAID = {
    "My phone number is 13812345678": "What is the phone number?",
    "我有糖尿病，一直在打胰岛素": "我的糖尿病该怎么控制？",
}


@pytest.fixture
def courier(cast: Cast, person: Api) -> Api:
    """An agent that may see everything, but for deliveries and bookings alone."""
    agent = make_agent(cast.acme, "courier 快递")
    make_grant(agent, cast.alice, clearance=40, purposes=["booking", "delivery"])
    for text in SAID:
        assert propose(person, text)["outcome"] == "accepted"
    return Api(agent_key(agent))


@pytest.mark.parametrize(("text", "question"), SAID.items())
def test_sensitive_memories_come_for_a_named_purpose_only(
    courier: Api, text: str, question: str
) -> None:
    assert texts(recall(courier, question, purpose="delivery")["memories"]) == [text]
    for other in ({}, {"purpose": "marketing"}):
        found = recall(courier, question, **other)
        assert not found["memories"] and not found["profile"]


def test_ordinary_memories_need_no_purpose(courier: Api, person: Api) -> None:
    propose(person, "I drink tea in the morning.")
    assert recall(courier, "What does the person drink?")["memories"]


def test_lists_state_no_purpose(courier: Api) -> None:
    assert listed(courier) == []


def test_a_context_obeys_its_purpose(courier: Api, person: Api) -> None:
    session = open_session(courier)
    asked = {"query": "What is the phone number?", "format": "text"}

    def laid(**stated: str) -> str:
        return str(body_of(courier("POST", f"sessions/{session}/context", asked | stated))["text"])

    assert "13812345678" in laid(purpose="booking")
    assert "13812345678" not in laid()


def test_the_person_sees_the_most_it_can_see(courier: Api, cast: Cast) -> None:
    alice = principal_of(cast.keys["alice"], "alice")
    with acting(alice):
        agent = Agent.objects.get(name="courier 快递")
    seen = sight(alice, agent.id)
    assert {one.text for one in seen.items} == set(SAID)
    for one in seen.items:
        assert "courier 快递" in {who.name for who in readers(alice, one.memory.id) if who.sees}
