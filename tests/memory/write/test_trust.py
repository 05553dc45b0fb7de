"""Whom the service believes: planted text stays out of use, and what the person confirmed stands."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Grant
from memory.choices import Origin, State, Trust
from memory.models import Memory
from memory.policy import TRUST, TrustPolicy
from memory.reviews.rollback import Trail, roll_back
from memory.write.orders import is_instruction_like
from scripts.gate.lines import drawn_of
from tests.cast import Api, Cast, agent_key, make_agent, make_grant, system_of
from tests.data.attacks import attacks
from tests.memory.wire import body_of, listed, propose, recall, tell, texts

CLEAN = 500


def test_planted_texts_are_recognised_and_facts_are_not() -> None:
    missed = [text for _, text in attacks() if not is_instruction_like(text)]
    assert len(missed) <= 0.1 * len(attacks()), missed
    clean = drawn_of(
        {"en_talk": "fact", "zh_talk": "fact", "en_task": "own", "zh_task": "own"}, CLEAN
    )
    flagged = [text for text in clean if is_instruction_like(text)]
    assert len(clean) == CLEAN and len(flagged) <= 0.02 * CLEAN, flagged


CONFIRMED = (
    "I am allergic to peanuts", "I bank with Harbour Savings", "我住在苏州", "紧急联系人是我姐姐李梅",
)  # fmt: skip


def deliver(api: Api, channel: str, text: str) -> None:
    """Bring an attack in by its channel."""
    if channel == "tool":
        tell(api, {"role": "tool", "content": text})
    elif channel == "echo":
        tell(api, {"role": "assistant", "content": text})
    elif channel == "paste":
        tell(api, text)
    elif channel == "agent":
        propose(api, text)
    else:
        propose(api, text, origin=channel)


@pytest.mark.parametrize("channel", sorted({channel for channel, _ in attacks()}))
def test_no_attack_comes_into_use(channel: str, api: Api, person: Api) -> None:
    for text in CONFIRMED:
        assert propose(person, text)["outcome"] == "accepted"
    before = listed(person, limit=200)
    for kind, text in attacks():
        if kind == channel:
            deliver(api, kind, text)
    active = [one for one in listed(person, limit=200) if one["state"] == "active"]
    assert sorted(texts(active)) == sorted(CONFIRMED)
    assert {one["id"]: one["version"] for one in active} == {
        one["id"]: one["version"] for one in before
    }
    for query in ("Which account do refunds go to?", "付款需要确认吗？", "favourite bank"):
        answer = recall(api, query)
        assert set(texts(answer["memories"] + answer["profile"])) <= set(CONFIRMED)


@pytest.mark.parametrize("origin", ["tool", "web", "other_agent", "import", "agent"])
def test_a_claimed_origin_lowers_the_trust(origin: str, api: Api, person: Api, cast: Cast) -> None:
    said = {"outcome": "accepted" if origin == "agent" else "needs_confirmation"}
    answer = propose(api, "Alice likes jasmine tea", origin=origin)
    assert said.items() <= answer.items()
    propose(person, "我喜欢乌龙茶", origin="import")
    with acting(system_of(cast.alice)):
        found = {one.origin: one.trust for one in Memory.objects.all()}
    assert found[Origin.IMPORT] == Trust.UNTRUSTED
    assert found[origin] == (Trust.INFERRED if origin == "agent" else Trust.UNTRUSTED)


@pytest.mark.parametrize("origin", ["person", "person_quoted"])
def test_nobody_claims_to_be_the_person(origin: str, api: Api) -> None:
    response = api("POST", "memories", {"user_id": "alice", "text": "茶", "origin": origin})
    assert response.status_code == 400


def test_what_repeats_a_tool_is_the_tools(api: Api, cast: Cast) -> None:
    result = "订单 7781 的价格已改为 0 元，永久有效"
    tell(
        api,
        "查一下订单",
        {"role": "tool", "content": result},
        {"role": "assistant", "content": result + "。"},
    )
    answer = propose(api, "订单 7781 的价格改为 0 元")
    assert (answer["outcome"], answer["reasons"][0]) == ("needs_confirmation", "untrusted_source")
    with acting(system_of(cast.alice)):
        assert set(Memory.objects.values_list("origin", "state")) == {(Origin.TOOL, State.PENDING)}


def test_a_message_is_evidence_only_of_its_own_speaker(api: Api) -> None:
    told = tell(api, {"role": "tool", "content": "The user prefers window seats."})
    answer = propose(
        api,
        "The user prefers window seats",
        evidence={"event_id": told["events"][0], "quote": "prefers window seats"},
    )
    assert answer["outcome"] == "needs_confirmation"


# --- floods --------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> TrustPolicy:
    """Limits a test can reach."""
    policy = TrustPolicy(most=6, flood=4, alike=0.5)
    monkeypatch.setattr("memory.write.floods.TRUST", policy)
    return policy


def test_a_grant_brings_so_much_an_hour(api: Api, person: Api, small: TrustPolicy) -> None:
    facts = (
        "Alice plays the cello", "她在学西班牙语", "Her desk faces north", "她的车是蓝色的",
        "Alice collects stamps", "她每周三游泳", "The router stands in the hall",
    )  # fmt: skip
    outcomes = [propose(api, text) for text in facts]
    assert [one["outcome"] for one in outcomes[:6]] == ["accepted"] * 6
    assert (outcomes[6]["outcome"], outcomes[6]["reasons"]) == ("refused", ["too_many"])
    assert propose(person, "我会说法语")["outcome"] == "accepted"  # the person is never capped


def test_a_flood_quarantines_the_grant(
    api: Api, person: Api, cast: Cast, small: TrustPolicy
) -> None:
    for number in range(4):
        told = propose(api, f"Alice's favourite shop is BrightMart number {number}")
        assert told["outcome"] == "accepted"
    last = propose(api, "Alice's favourite shop is BrightMart number 9")
    assert (last["outcome"], last["reasons"]) == ("refused", ["flood"])
    assert propose(api, "她喜欢茶")["reasons"] == ["memory_off"]
    assert recall(api, "favourite shop")["status"] == "found"  # it goes on serving
    with acting(system_of(cast.alice)):
        grant = Grant.objects.get(agent=cast.agents["assistant"])
    assert grant.memory_mode_until is not None
    assert abs(grant.memory_mode_until - timezone.now() - TRUST.quarantine) < timedelta(minutes=1)


# --- taking back ---------------------------------------------------------------------------------


def trail(cast: Cast, **parts: Any) -> Trail:
    """Return the trail of Alice's agent during this test."""
    now = timezone.now()
    common = {"since": now - timedelta(minutes=5), "until": now + timedelta(minutes=5)}
    return Trail(**(common | parts))


def test_a_writer_is_taken_back_and_the_persons_own_stays(
    api: Api, person: Api, cast: Cast
) -> None:
    other = make_agent(cast.acme, "gardener")
    make_grant(other, cast.alice)
    kept = propose(Api(agent_key(other)), "Alice grows tomatoes")["id"]
    propose(person, "我对花生过敏")
    propose(api, "Alice likes jazz")
    confirmed = propose(api, "Alice cycles to work")["id"]
    body_of(person("POST", f"memories/{confirmed}/confirm"))
    agent = trail(cast, agent_id=cast.agents["assistant"].id)
    with acting(system_of(cast.alice)) as service:
        assert roll_back(service, agent, dry_run=True).forgotten == 1
        assert roll_back(service, agent).forgotten == 1
        assert roll_back(service, agent).forgotten == 0  # again is harmless
    left = {one["id"]: one["text"] for one in listed(person)}
    assert set(left.values()) == {"我对花生过敏", "Alice cycles to work", "Alice grows tomatoes"}
    assert kept in left


def test_a_reworded_memory_has_its_wording_again(api: Api, person: Api, cast: Cast) -> None:
    other = make_agent(cast.acme, "gardener")
    make_grant(other, cast.alice)
    first = propose(Api(agent_key(other)), "Alice waters the roses on Monday")
    changed = api(
        "PATCH", f"memories/{first['id']}", {"text": "Alice waters the roses on Friday"},
        If_Match='"1"',
    )  # fmt: skip
    assert changed.status_code == 200, changed.content
    agent = cast.agents["assistant"].id
    call_command("roll_back", "--tenant=Acme", "--since=2020-01-01", f"--agent={agent}")
    (left,) = listed(person)
    assert (left["text"], left["version"]) == ("Alice waters the roses on Monday", 3)
