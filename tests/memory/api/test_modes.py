"""Memory mode: for everybody or one agent, it holds on every path and ends by itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.acting import acting
from accounts.models import AuditEvent, Grant, Subject
from memory.models import Memory
from tests.cast import Api, Cast, system_of
from tests.memory.wire import body_of, open_session, propose, tell

SAID = "I play the cello 大提琴 every Friday."


def switch(cast: Cast, mode: str, *, agent: str = "", until: Any = None) -> dict[str, Any]:
    path = f"users/{cast.alice.id}"
    if agent:
        path += f"/agents/{cast.agents[agent].id}"
    answer = Api(cast.keys["alice"])("PUT", f"{path}/mode", {"mode": mode, "until": until})
    found: dict[str, Any] = body_of(answer)
    return found


def count(cast: Cast) -> int:
    with acting(system_of(cast.alice)):
        return Memory.objects.count()


def can(cast: Cast, name: str = "assistant") -> tuple[bool, bool]:
    """Whether the agent is handed what is known, and whether anything is learnt from it."""
    api, before = Api(cast.keys[name]), count(cast)
    asked = {"user_id": "alice", "query": "kayak 皮划艇"}
    recalled, listed = api("POST", "recall", asked), api("GET", "memories?user_id=alice")
    assert (recalled.status_code == 200) == (listed.status_code == 200)
    session = open_session(api, f"chat {timezone.now()}")
    tell(api, SAID, session=session)
    laid_out = api("POST", f"sessions/{session}/context", {"query": "kayak 皮划艇"})
    assert laid_out.status_code == 200
    uses = recalled.status_code == 200 and b"kayak" in recalled.content
    assert (b"Paddles" in laid_out.content) == uses
    extracted = count(cast) > before
    proposed = api("POST", "memories", {"user_id": "alice", "text": f"Likes maps 地图 {before}"})
    assert (proposed.status_code == 201) == extracted
    if not extracted:
        assert "memory_off" in proposed.content.decode() and count(cast) == before
    return uses, extracted


@pytest.fixture
def known(cast: Cast) -> None:
    propose(Api(cast.keys["assistant"]), "Paddles a kayak 皮划艇", sensitivity=10)


@pytest.mark.parametrize("agent", ["", "assistant"], ids=["for all", "for one"])
@pytest.mark.parametrize(
    ("mode", "able"),
    [("normal", (True, True)), ("use_only", (True, False)), ("off", (False, False))],
)
def test_it_holds_on_every_path(
    cast: Cast, known: None, agent: str, mode: str, able: tuple[bool, bool]
) -> None:
    found = switch(cast, mode, agent=agent)
    assert (found["memory_mode"], found["memory_mode_until"]) == (mode, None)
    assert can(cast) == able


def test_one_agents_mode_is_no_other_agents(cast: Cast, known: None) -> None:
    switch(cast, "off", agent="assistant")
    assert can(cast) == (False, False)
    assert can(cast, "low") == (True, True)


def test_the_stricter_of_both_holds(cast: Cast, known: None) -> None:
    switch(cast, "use_only")
    switch(cast, "off", agent="low")
    assert can(cast) == (True, False)
    assert can(cast, "low") == (False, False)


@pytest.mark.parametrize("agent", ["", "assistant"], ids=["for all", "for one"])
def test_it_ends_by_itself(cast: Cast, known: None, agent: str) -> None:
    soon = timezone.now() + timedelta(hours=1)
    found = switch(cast, "off", agent=agent, until=soon.isoformat())
    assert found["memory_mode_until"] is not None
    assert can(cast) == (False, False)
    past = timezone.now() - timedelta(seconds=1)
    with acting(system_of(cast.alice)):
        Subject.objects.filter(id=cast.alice.id).update(memory_mode_until=past)
        Grant.objects.filter(agent=cast.agents["assistant"]).update(memory_mode_until=past)
    assert can(cast) == (True, True)
    person = body_of(Api(cast.keys["alice"])("GET", f"users/{cast.alice.id}"))
    assert (person["memory_mode"], person["memory_mode_until"]) == ("normal", None)


def test_what_was_said_meanwhile_is_never_learnt(cast: Cast) -> None:
    switch(cast, "use_only")
    api = Api(cast.keys["assistant"])
    session = open_session(api, "chat 聊天")
    tell(api, SAID, session=session)
    switch(cast, "normal")
    api("POST", f"sessions/{session}/close")
    tell(api, "Please remember that I row 划船 on Sundays.")
    with acting(system_of(cast.alice)):
        assert Memory.objects.count() == 1


@pytest.mark.parametrize("mode", ["use_only", "off"])
def test_no_episode_tells_of_what_was_said_meanwhile(cast: Cast, mode: str) -> None:
    """The session ends when learning is on again; its episode is made of what was said by then."""
    api = Api(cast.keys["assistant"])
    session = open_session(api, "chat 聊天")
    switch(cast, mode)
    for said in (SAID, "我下周三要去医院复查 checkup。", "我和小周分手了 we split up。"):
        tell(api, said, session=session)
    switch(cast, "normal")
    body_of(api("POST", f"sessions/{session}/close?wait=true", {}))
    assert count(cast) == 0


def test_a_change_is_written_down(cast: Cast) -> None:
    switch(cast, "off")
    switch(cast, "use_only", agent="low")
    lines = AuditEvent.objects.filter(code__in=("subject.mode_changed", "grant.changed"))
    assert [(one.reason or one.decision, one.actor_kind) for one in lines.order_by("id")] == [
        ("off", "person"),
        ("use_only", "person"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        {"mode": "incognito"},
        {"mode": "off", "until": "2020-01-01T00:00:00Z"},
        {"mode": "off", "until": "2099-01-01"},
        {"until": "2099-01-01T00:00:00Z"},
        {},
    ],
    ids=str,
)
def test_what_is_no_mode_changes_nothing(cast: Cast, body: dict[str, Any]) -> None:
    person = Api(cast.keys["alice"])
    for path in ("mode", f"agents/{cast.agents['low'].id}/mode"):
        assert person("PUT", f"users/{cast.alice.id}/{path}", body).status_code == 400
    strange = f"users/{cast.alice.id}/agents/{cast.agents['colleague'].id}/mode"
    assert person("PUT", strange, {"mode": "off"}).status_code == 404
    assert not AuditEvent.objects.filter(code__in=("subject.mode_changed", "grant.changed"))
