"""Agents: what each may do, seen and changed by the person alone; the effect holds at once."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import grants, keys
from accounts.choices import MemoryMode
from accounts.models import AuditEvent, Grant, Subject
from accounts.principal import Principal
from memory.errors import Forbidden
from memory.models import Memory
from tests.cast import ALICE, Cast, principal_of
from tests.dashboard.conftest import PASSWORD, recalled

TEXT, PERSONAL = "I prefer tea over coffee in the morning", "I live in Hangzhou near the lake"
ALL: dict[str, Any] = {
    "action": ["read", "write", "correct", "forget"],
    "kind": ["semantic", "episodic", "procedural"],
    "level": "20",
    "mode": "normal",
    "until": "",
}


def flat(content: bytes) -> str:
    return html.unescape(re.sub(r"\s+", " ", content.decode()))


def text_of(client: Client, cast: Cast, name: str) -> str:
    answer = client.get(reverse("agent", args=[cast.agents[name].id]))
    assert answer.status_code == 200
    return flat(answer.content)


def post(client: Client, cast: Cast, view: str, **data: Any) -> str:
    address = reverse(view, args=[cast.agents["assistant"].id])
    answer = client.post(address, data, follow=True)
    return flat(answer.content)


def now(cast: Cast) -> Principal:
    """Alice's assistant with the rights it has at this moment."""
    return principal_of(cast.keys["assistant"], ALICE)


def test_the_list_says_what_each_may_do(alice: Client, cast: Cast) -> None:
    text = flat(alice.get(reverse("agents")).content)
    for name in ("assistant", "reader", "low", "paused", "lapsed", "off"):
        assert f"{name}</a>" in text
    assert "colleague" not in text
    for word in ("Allowed", "Paused", "Expired", "Memory is off for it", "up to: Ordinary"):
        assert word in text


def test_it_shows_exactly_what_an_agent_can_see(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    put(TEXT, sensitivity=10)
    put(PERSONAL, sensitivity=20)
    seen = text_of(alice, cast, "assistant")
    assert TEXT in seen and PERSONAL in seen and "It can read 2 memories." in seen
    low = text_of(alice, cast, "low")
    assert TEXT in low and PERSONAL not in low and "It can read 1 memory." in low
    for blind in ("paused", "lapsed", "off"):
        assert "Nothing. It can't read any of your memories now." in text_of(alice, cast, blind)


def test_a_change_holds_at_once(alice: Client, cast: Cast, put: Callable[..., Memory]) -> None:
    put(PERSONAL, sensitivity=20)
    assert PERSONAL in recalled(now(cast), "Where near the lake do I live?")
    say = post(alice, cast, "agent-rights", **(ALL | {"level": "10"}))
    assert "Saved. assistant can't read any of your memories now." in say
    assert PERSONAL not in recalled(now(cast), "Where near the lake do I live?")
    say = post(alice, cast, "agent-rights", **(ALL | {"level": "30", "action": ["read"]}))
    assert "Saved. assistant can read 1 memory now." in say
    assert now(cast).actions == {"read"} and now(cast).clearance == 30
    line = AuditEvent.objects.filter(code="grant.changed").latest("id")
    assert sorted(line.fields) == ["actions", "clearance"]


def test_it_ends_with_its_last_day(alice: Client, cast: Cast) -> None:
    today = timezone.localdate()
    post(alice, cast, "agent-rights", **(ALL | {"until": today.isoformat()}))
    found = next(one for one in grants.list_agents(person(cast)) if one.agent.name == "assistant")
    assert found.grant.expires_at is not None
    assert timedelta(0) < found.grant.expires_at - timezone.now() <= timedelta(days=1)
    assert f'value="{today.isoformat()}"' in text_of(alice, cast, "assistant")


def person(cast: Cast) -> Principal:
    return principal_of(cast.keys["alice"], ALICE)


@pytest.mark.parametrize(
    "wrong",
    [{"until": "2020-01-01"}, {"until": "soon"}, {"level": "50"}, {"mode": "x"}, {"action": ["x"]}],
    ids=str,
)
def test_what_no_form_sends_changes_nothing(
    alice: Client, cast: Cast, wrong: dict[str, Any]
) -> None:
    address = reverse("agent-rights", args=[cast.agents["assistant"].id])
    answer = alice.post(address, ALL | {"level": "10"} | wrong)
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert now(cast).clearance == 20


def test_pausing_stops_it_and_lets_it_go_on(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    put(TEXT)
    assert "can't read any of your memories now" in post(alice, cast, "agent-pause")
    with pytest.raises(Forbidden):
        recalled(now(cast), "Do I prefer tea?")
    assert "can read 1 memory now" in post(alice, cast, "agent-resume")
    assert TEXT in recalled(now(cast), "Do I prefer tea in the morning?")


def test_all_are_paused_at_once(alice: Client, cast: Cast) -> None:
    answer = alice.post(reverse("agents-pause"), follow=True)
    assert "No agent can read or write anything about you now." in answer.content.decode()
    assert not now(cast).may_use
    assert "Pause all" not in answer.content.decode()
    assert AuditEvent.objects.filter(code="grant.changed", decision="pause").count() == 6


def test_a_key_that_serves_others_is_not_revoked(alice: Client, cast: Cast) -> None:
    key = keys.find(cast.keys["assistant"])
    assert key is not None
    address = reverse("key-revoke", args=[cast.agents["assistant"].id, key.key_id])
    assert "These keys serve other people too" in text_of(alice, cast, "assistant")
    assert alice.post(address).status_code == 403
    assert keys.find(cast.keys["assistant"])


def test_a_key_that_serves_nobody_else_is_revoked(alice: Client, cast: Cast) -> None:
    alone(cast)
    key = keys.find(cast.keys["assistant"])
    assert key is not None
    agent_id = cast.agents["assistant"].id
    answer = alice.post(reverse("key-revoke", args=[agent_id, key.key_id]), follow=True)
    assert "Whoever presents this key is refused from now on." in answer.content.decode()
    assert keys.find(cast.keys["assistant"]) is None
    other = keys.find(cast.keys["low"])
    assert other is not None
    for id_ in (other.key_id, uuid.uuid4()):
        assert alice.post(reverse("key-revoke", args=[agent_id, id_])).status_code == 404


def test_another_persons_agent_is_not_there(bob: Client, cast: Cast) -> None:
    for id_ in (cast.agents["assistant"].id, cast.agents["stranger"].id, uuid.uuid4()):
        assert bob.get(reverse("agent", args=[id_])).status_code == 404
        for view in ("agent-rights", "agent-pause", "agent-resume"):
            assert bob.post(reverse(view, args=[id_]), ALL).status_code == 404
    assert now(cast).may_use


def test_only_the_person_decides(cast: Cast) -> None:
    agent = now(cast)
    with pytest.raises(PermissionDenied):
        grants.pause_all(agent)
    with pytest.raises(PermissionDenied):
        grants.pause(agent, cast.agents["assistant"].id, paused=False)


def test_purposes_are_named_with_commas_of_either_language(alice: Client, cast: Cast) -> None:
    text = post(alice, cast, "agent-rights", **ALL, purposes="Delivery，booking")
    assert 'value="booking, delivery"' in text
    assert now(cast).purposes == {"booking", "delivery"}
    assert 'value="booking, delivery"' not in post(alice, cast, "agent-rights", **ALL, purposes="")
    assert now(cast).purposes == set()


@pytest.mark.parametrize(
    "typed", ["送货", "my phone's", "a" * 51, ",".join(f"p{n}" for n in range(21))]
)
def test_a_purpose_that_is_no_code_is_said_beside_its_field(
    alice: Client, cast: Cast, typed: str
) -> None:
    text = post(alice, cast, "agent-rights", **ALL, purposes=typed)
    assert "Write each purpose as one word" in text and 'id="purposes-err"' in text
    assert now(cast).purposes == set()


def test_its_memory_mode_has_an_end(alice: Client, cast: Cast) -> None:
    text = post(alice, cast, "agent-rights", **ALL | {"mode": "use_only", "mode_until": "hour"})
    assert "Use but don't learn · until" in text and "as it is</option>" in text
    assert now(cast).may_use and not now(cast).may_learn
    kept = person_grant(cast).memory_mode_until
    post(alice, cast, "agent-rights", **ALL | {"mode": "use_only", "mode_until": "same"})
    assert person_grant(cast).memory_mode_until == kept
    grants.set_mode(person(cast), cast.agents["assistant"].id, mode=MemoryMode.NORMAL)
    text = post(alice, cast, "agent-rights", **ALL | {"mode": "off", "mode_until": "tomorrow"})
    assert not now(cast).may_use and "Off · until" in text
    ends = person_grant(cast).memory_mode_until
    assert ends is not None and timedelta(hours=5) < ends - timezone.now() < timedelta(hours=31)
    answer = alice.post(
        reverse("agent-rights", args=[cast.agents["assistant"].id]), ALL | {"mode_until": "x"}
    )
    assert answer.status_code == 422 and 'id="mode-err"' in answer.content.decode()


def person_grant(cast: Cast) -> Grant:
    return grants.find_agent(person(cast), cast.agents["assistant"].id).grant


def test_its_week_is_counted(alice: Client, cast: Cast, put: Callable[..., Memory]) -> None:
    put(TEXT)
    recalled(now(cast), "Do I prefer tea?")
    recalled(now(cast), "Do I prefer coffee?")
    assert "in 7 days: read 2×, suggested 1" in text_of(alice, cast, "assistant")
    assert "in 7 days: read 0×, suggested 0" in text_of(alice, cast, "low")


def test_a_key_whose_time_is_over_says_that_it_was_refused(alice: Client, cast: Cast) -> None:
    assert "last refused" not in text_of(alice, cast, "assistant")
    assert keys.find(cast.keys["expired"]) is None
    text = text_of(alice, cast, "assistant")
    assert "last refused" in text and "key expired" in text and "Expired</span>" in text
    assert "key expired" in flat(alice.get(reverse("agents")).content)
    wrong = cast.keys["expired"][:-3] + "xyz"
    assert keys.find(wrong) is None
    owner = keys.find(cast.keys["assistant"])
    assert owner is not None
    keys.touch(owner)
    assert "key expired" not in text_of(alice, cast, "assistant"), "it came in by another key since"


def alone(cast: Cast) -> None:
    """Let the tenant's agents serve Alice alone."""
    Subject.objects.filter(id=cast.bob.id).update(erased_at=timezone.now())


def test_a_key_is_replaced_by_one_that_is_shown_once(alice: Client, cast: Cast) -> None:
    key = keys.find(cast.keys["assistant"])
    assert key is not None
    address = reverse("key-rotate", args=[cast.agents["assistant"].id, key.key_id])
    assert "reauthenticate" in alice.post(address)["Location"]
    alice.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert alice.get(address).status_code == 403, "it serves Bob, too"
    assert alice.post(address).status_code == 403
    alone(cast)
    assert "The agent is refused until it has it." in flat(alice.get(address).content)
    found = re.search(r"<code>(ks_live_[\w-]+)</code>", flat(alice.post(address).content))
    assert found is not None
    assert keys.find(cast.keys["assistant"]) is None
    new = keys.find(found[1])
    assert new is not None and new.agent_id == cast.agents["assistant"].id
    assert alice.post(address).status_code == 404
    other = keys.find(cast.keys["low"])
    assert other is not None
    strange = reverse("key-rotate", args=[cast.agents["assistant"].id, other.key_id])
    assert alice.post(strange).status_code == 404


def test_one_is_disconnected_and_connected_again(
    alice: Client, cast: Cast, put: Callable[..., Memory]
) -> None:
    put(TEXT)
    address = reverse("agent-disconnect", args=[cast.agents["assistant"].id])
    assert "they serve other people too" in flat(alice.get(address).content)
    answer = alice.post(address, follow=True)
    assert "Disconnected. assistant can neither read nor write" in flat(answer.content)
    assert now(cast).actions == frozenset()
    assert keys.find(cast.keys["assistant"]), "it serves Bob, too"
    assert AuditEvent.objects.filter(code="grant.changed", decision="disconnect").count() == 1
    assert "can read 1 memory now" in post(alice, cast, "agent-rights", **ALL)


def test_all_are_disconnected_with_their_keys(alice: Client, cast: Cast) -> None:
    alone(cast)
    assert "can't be brought back" in flat(alice.get(reverse("agents-disconnect")).content)
    answer = alice.post(reverse("agents-disconnect"), follow=True)
    assert "No agent can do anything with your memory." in flat(answer.content)
    for name in ("assistant", "low", "reader"):
        assert keys.find(cast.keys[name]) is None, name
    assert all(not one.grant.actions for one in grants.list_agents(person(cast)))
    assert "Disconnect all" not in flat(alice.get(reverse("agents")).content)
    assert keys.find(cast.keys["stranger"])
