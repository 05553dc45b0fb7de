"""Subjects: which ids may name a person, who is found, and what an agent may do for them."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts import keys
from accounts.acting import acting
from accounts.choices import Action, ActorKind, AuditCode, Learning, MemoryMode
from accounts.models import AuditEvent, Grant, Subject, Tenant
from accounts.principal import ALL_ACTIONS, ALL_KINDS, FULL_CLEARANCE, Principal
from accounts.subjects import (
    caller,
    find_subject,
    get_or_create_subject,
    is_valid_id,
    rights_for,
    system,
)
from tests.cast import Cast, make_agent, make_grant, operator, principal_of, system_of

GOOD = [
    "alice",
    "爱丽丝",
    "爱丽丝 Alice",
    "team/42/user:7",
    "a@example.org",
    "../../etc/passwd",
    "%2e%2e",
    "'; DROP TABLE subjects; --",
    "👩‍💻",
    "null",
    "0",
    "ｆｕｌｌ　ｗｉｄｔｈ",
    "x" * 200,
    "字" * 200,
]
BAD = [
    "",
    " ",
    " alice",
    "alice ",
    "\u3000爱丽丝",
    "ali\x00ce",
    "ali\nce",
    "ali\tce",
    "爱\x7f丽丝",
    "爱\u2028丽丝",
    "a\u2029b",
    "\ud83d",
    "\ue000",
    "x" * 201,
    "字" * 201,
    None,
    7,
    b"alice",
    ["alice"],
]


class TestIds:
    @pytest.mark.parametrize("value", GOOD)
    def test_printable_text_names_a_person(self, cast: Cast, value: str) -> None:
        assert is_valid_id(value)
        agent = principal_of(cast.keys["stranger"], "alice")
        made, new = get_or_create_subject(agent, value)
        assert new is (value != "alice")
        assert find_subject(cast.globex.id, external_id=value) == made
        assert find_subject(cast.acme.id, external_id=value) != made

    @pytest.mark.parametrize("value", BAD)
    def test_anything_else_does_not(self, value: object) -> None:
        assert not is_valid_id(value)

    @given(st.text(max_size=210))
    def test_what_is_accepted_can_be_stored_and_told_apart(self, value: str) -> None:
        if is_valid_id(value):
            assert 1 <= len(value) <= 200
            assert value == value.strip()
            assert value.encode() and "\x00" not in value
            assert len(value.splitlines()) == 1

    def test_names_are_compared_exactly(self, cast: Cast) -> None:
        agent = principal_of(cast.keys["stranger"], "alice")
        made = {get_or_create_subject(agent, name)[0].id for name in ("Alice", "alice", "ALICE")}
        assert len(made) == 3


class TestFind:
    def test_the_same_name_in_two_tenants_is_two_people(self, cast: Cast) -> None:
        assert find_subject(cast.acme.id, external_id="alice") == cast.alice
        assert find_subject(cast.globex.id, external_id="alice") == cast.charlie

    def test_our_id_is_found_in_its_own_tenant_alone(self, cast: Cast) -> None:
        assert find_subject(cast.acme.id, subject_id=cast.alice.id) == cast.alice
        assert find_subject(cast.globex.id, subject_id=cast.alice.id) is None

    def test_the_erased_are_not_found(self, cast: Cast) -> None:
        Subject.objects.filter(id=cast.bob.id).update(erased_at=timezone.now())
        assert find_subject(cast.acme.id, external_id="bob") is None
        assert find_subject(cast.acme.id, subject_id=cast.bob.id) is None

    def test_making_one_is_audited_once(self, cast: Cast) -> None:
        agent = principal_of(cast.keys["assistant"], "alice")
        made, new = get_or_create_subject(agent, "新人 newcomer")
        again, not_new = get_or_create_subject(agent, "新人 newcomer")
        assert (made, new, not_new) == (again, True, False)
        lines = AuditEvent.objects.filter(code=AuditCode.SUBJECT_CREATED, subject_id=made.id)
        assert [line.actor_id for line in lines] == [agent.actor_id]
        assert "newcomer" not in str(lines.values())


class TestRights:
    def test_an_agent_has_what_its_grant_says(self, cast: Cast) -> None:
        reader = principal_of(cast.keys["reader"], "alice")
        assert reader.actions == {Action.READ}
        assert reader.may(Action.READ) and not reader.may(Action.WRITE)
        low = principal_of(cast.keys["low"], "alice")
        assert (low.clearance, low.kinds, low.actions) == (10, ALL_KINDS, ALL_ACTIONS)
        assert principal_of(cast.keys["no_episodes"], "alice").kinds == {"semantic", "procedural"}

    @pytest.mark.parametrize("name", ["colleague", "paused", "lapsed", "pipeline"])
    def test_without_a_live_grant_it_has_nothing(self, cast: Cast, name: str) -> None:
        principal = principal_of(cast.keys[name], "alice")
        assert not principal.actions and not principal.kinds and principal.clearance == 0
        assert not principal.may_use and not principal.may_learn

    def test_a_grant_is_for_one_person(self, cast: Cast) -> None:
        assert not principal_of(cast.keys["assistant"], "bob").actions

    def test_a_person_has_every_right_for_themselves_alone(self, cast: Cast) -> None:
        owner = keys.find(cast.keys["alice"])
        assert owner
        own = rights_for(caller(owner), cast.alice)
        assert (own.actions, own.clearance) == (ALL_ACTIONS, FULL_CLEARANCE)
        for other in (cast.bob, cast.charlie):
            rights = rights_for(caller(owner), other)
            assert not rights.actions and rights.clearance == 0 and not rights.may_use

    @pytest.mark.parametrize("kind", [ActorKind.OPERATOR, ActorKind.NOBODY, ActorKind.PIPELINE])
    def test_nobody_else_has_any(self, cast: Cast, kind: ActorKind) -> None:
        somebody = Principal(kind=kind, tenant_id=cast.acme.id, actor_id=None)
        assert not rights_for(somebody, cast.alice).actions

    def test_the_service_has_them_all(self, cast: Cast) -> None:
        assert system(cast.acme.id, cast.alice.id, label="x").actions == ALL_ACTIONS


class TestFirstUse:
    def test_a_tenant_may_grant_it(self, cast: Cast) -> None:
        Tenant.objects.filter(id=cast.globex.id).update(default_clearance=10)
        agent = principal_of(cast.keys["stranger"], "alice")
        new, _ = get_or_create_subject(agent, "新人")
        rights = principal_of(cast.keys["stranger"], "新人")
        assert (rights.actions, rights.clearance) == (ALL_ACTIONS, 10)
        principal_of(cast.keys["stranger"], "新人")
        lines = AuditEvent.objects.filter(code=AuditCode.GRANT_CREATED, subject_id=new.id)
        assert lines.count() == 1

    def test_or_not(self, cast: Cast) -> None:
        principal_of(cast.keys["colleague"], "alice")
        with acting(system_of(cast.alice)):
            assert not Grant.objects.filter(agent=cast.agents["colleague"]).exists()

    def test_a_grant_that_was_paused_is_not_made_anew(self, cast: Cast) -> None:
        Tenant.objects.update(grants_on_first_use=True)
        assert not principal_of(cast.keys["paused"], "alice").actions
        assert not principal_of(cast.keys["lapsed"], "alice").actions


OFF, USE_ONLY, NORMAL = MemoryMode.OFF, MemoryMode.USE_ONLY, MemoryMode.NORMAL


class TestMemoryMode:
    """The stricter of the person's mode and the grant's holds, each until its time is over."""

    @pytest.mark.parametrize(
        ("person", "grant", "may_use", "may_learn"),
        [
            (NORMAL, NORMAL, True, True),
            (USE_ONLY, NORMAL, True, False),
            (NORMAL, USE_ONLY, True, False),
            (OFF, NORMAL, False, False),
            (NORMAL, OFF, False, False),
            (OFF, USE_ONLY, False, False),
        ],
    )
    def test_modes(
        self, cast: Cast, person: MemoryMode, grant: MemoryMode, may_use: bool, may_learn: bool
    ) -> None:
        rights = self.rights(cast, {"memory_mode": person}, {"memory_mode": grant})
        assert (rights.may_use, rights.may_learn) == (may_use, may_learn)
        assert principal_of(cast.keys["alice"], "alice").may_learn

    @pytest.mark.parametrize(("minutes", "off"), [(-1, False), (1, True)])
    def test_a_pause_ends_by_itself(self, cast: Cast, minutes: int, off: bool) -> None:
        until = timezone.now() + timedelta(minutes=minutes)
        paused = {"memory_mode": OFF, "memory_mode_until": until}
        assert self.rights(cast, paused, {}).may_use is not off
        assert self.rights(cast, {"memory_mode": NORMAL}, paused).may_use is not off

    def test_learning_comes_along(self, cast: Cast) -> None:
        rights = self.rights(cast, {"learning": Learning.ASK_FIRST, "time_zone": "Asia/Tokyo"}, {})
        assert (rights.learning, rights.time_zone) == (Learning.ASK_FIRST, "Asia/Tokyo")

    def rights(self, cast: Cast, person: dict[str, Any], grant: dict[str, Any]) -> Principal:
        Subject.objects.filter(id=cast.alice.id).update(**person)
        with acting(system_of(cast.alice)):
            if grant:
                Grant.objects.filter(agent=cast.agents["assistant"]).update(**grant)
        return principal_of(cast.keys["assistant"], "alice")


@pytest.mark.django_db(transaction=True)
class TestRaces:
    """Two requests meet a person for the first time at once."""

    def test_both_get_the_same_person(self) -> None:
        tenant = Tenant.objects.create(name="Acme")
        made = at_once(lambda: get_or_create_subject(operator(tenant), "新人 newcomer"))
        assert len({subject.id for subject, _ in made}) == 1
        assert sorted(new for _, new in made) == [False, False, False, True]
        assert AuditEvent.objects.filter(code=AuditCode.SUBJECT_CREATED).count() == 1

    def test_both_get_the_same_grant(self) -> None:
        tenant = Tenant.objects.create(name="Acme")
        subject = Subject.objects.create(tenant=tenant, external_id="新人")
        agent = make_agent(tenant, "助手")
        who = Principal(kind=ActorKind.AGENT, tenant_id=tenant.id, actor_id=agent.id)
        rights = at_once(lambda: rights_for(who, subject))
        assert all(found.actions == ALL_ACTIONS for found in rights)
        assert AuditEvent.objects.filter(code=AuditCode.GRANT_CREATED).count() == 1


def at_once(work: Callable[[], Any], times: int = 4) -> list[Any]:
    """Return what ``times`` threads got that began together."""
    results: list[Any] = []
    ready = threading.Barrier(times)

    def run() -> None:
        ready.wait(10)
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            results.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(results) == times and not [one for one in results if isinstance(one, BaseException)]
    return results


def test_a_grant_names_one_agent_once(cast: Cast) -> None:
    from django.db import IntegrityError

    with pytest.raises(IntegrityError, match="grant_one_per_agent"):
        make_grant(cast.agents["assistant"], cast.alice)
    with pytest.raises(IntegrityError, match="grant_clearance"):
        make_grant(cast.agents["colleague"], cast.alice, clearance=50)
