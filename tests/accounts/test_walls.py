"""The database's walls: whose rows are shown, what may be written, what may be pointed at."""

import contextlib
import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.db import IntegrityError, ProgrammingError, connection, transaction

from accounts.acting import acting
from accounts.models import Agent, ApiKey, Grant, Subject
from accounts.principal import Principal
from accounts.walls import AppendOnly, ClearanceWall, CompositeForeignKey, RowWall
from memory.choices import Kind, Origin, Sensitivity, Trust, Visibility
from memory.models import Evidence, Memory, Session, Summary, Version
from tests.cast import Cast, make_memory, operator, principal_of, remember, system_of
from tests.conftest import owner_connection


def rules(kind: type) -> Iterator[tuple[str, Any]]:
    for model in apps.get_models():
        for rule in model._meta.constraints:
            if isinstance(rule, kind):
                yield model._meta.db_table, rule


# Documents are nobody's: what hangs on them names the tenant alone.
OF_A_TENANT = {"memory_document", "memory_passage"}


class TestRowWall:
    def test_without_settings_no_personal_row_is_shown(self, cast: Cast) -> None:
        remember(principal_of(cast.keys["assistant"], "alice"), "I like tea 我喜欢茶", quote="tea")
        for table, _ in rules(RowWall):
            with connection.cursor() as cursor:
                cursor.execute(f'SELECT count(*) FROM "{table}"')
                assert cursor.fetchone() == (0,), table

    def test_each_sees_their_own_rows_alone(self, cast: Cast) -> None:
        for key, user in (("assistant", "alice"), ("colleague", "bob"), ("stranger", "alice")):
            remember(principal_of(cast.keys[key], user), f"I like {key} tea 我喜欢茶")
        for person in (cast.alice, cast.bob, cast.charlie):
            with acting(system_of(person)):
                for table, rule in rules(RowWall):
                    if "subject_id" in rule.columns:
                        with connection.cursor() as cursor:
                            cursor.execute(f'SELECT DISTINCT subject_id FROM "{table}"')
                            assert cursor.fetchall() in ([], [(person.id,)]), table
                assert Memory.objects.count() == Version.objects.count() == 1

    def test_half_a_name_shows_nothing(self, cast: Cast) -> None:
        make_memory(cast.alice)
        crossed = system_of(cast.alice).using(tenant_id=cast.globex.id)
        with acting(crossed):
            assert not Memory.objects.exists()
        with acting(operator(cast.acme)):
            assert not Memory.objects.exists()
            assert Agent.objects.exists()

    def test_a_tenant_sees_its_own_agents_and_keys_alone(self, cast: Cast) -> None:
        for tenant in (cast.acme, cast.globex):
            with acting(operator(tenant)):
                for model in (Agent, ApiKey):
                    assert {row.tenant_id for row in model.objects.all()} == {tenant.id}

    @pytest.mark.parametrize("victim", ["bob", "charlie"])
    def test_no_row_is_put_in_for_another(self, cast: Cast, victim: str) -> None:
        other = getattr(cast, victim)
        names = {"tenant_id": other.tenant_id, "subject_id": other.id}
        with (
            pytest.raises(ProgrammingError, match="row-level security"),
            acting(system_of(cast.alice)),
        ):
            Session.objects.create(agent_id=uuid.uuid4(), external_id="聊天", **names)

    def test_no_row_is_handed_over_to_another(self, cast: Cast) -> None:
        memory = make_memory(cast.alice)
        with (
            pytest.raises(ProgrammingError, match="row-level security"),
            acting(system_of(cast.alice)),
        ):
            Memory.objects.filter(id=memory.id).update(subject_id=cast.bob.id)

    def test_no_row_of_another_is_changed_or_deleted(self, cast: Cast) -> None:
        memory = make_memory(cast.bob)
        with acting(system_of(cast.alice)):
            rows = Memory.objects.filter(id=memory.id)
            assert rows.update(importance=0.1) == 0
            assert rows.delete()[0] == 0
        with acting(system_of(cast.bob)):
            assert Memory.objects.get(id=memory.id).importance == 0.5

    def test_the_database_has_every_rule_the_models_declare(self, db: None) -> None:
        with owner_connection() as owner:
            policies = set(owner.execute("SELECT tablename, policyname FROM pg_policies"))
            walled = dict(owner.execute("SELECT relname, relrowsecurity FROM pg_class"))
            keys = set(owner.execute("SELECT conname FROM pg_constraint WHERE contype = 'f'"))
            triggers = set(owner.execute("SELECT tgname FROM pg_trigger WHERE tgenabled = 'O'"))
        for kind in (RowWall, ClearanceWall):
            for table, rule in rules(kind):
                assert (table, rule.name) in policies and walled[table], table
        assert {(rule.name,) for _, rule in rules(CompositeForeignKey)} <= keys
        assert {(rule.name,) for _, rule in rules(AppendOnly)} <= triggers


class TestCompositeKeys:
    def test_a_version_cannot_point_at_a_hidden_memory(self, cast: Cast) -> None:
        """A plain foreign key would let it: the check sees what the writer does not."""
        target = make_memory(cast.alice)
        with refused("version_memory_fk", as_=cast.bob):
            Version.objects.create(
                tenant_id=cast.acme.id,
                subject_id=cast.bob.id,
                memory_id=target.id,
                number=1,
                text=b"",
                details=b"",
                reason="stated",
                author_kind="agent",
                origin=Origin.PERSON,
                trust=Trust.STATED,
            )

    def test_evidence_cannot_point_at_a_hidden_memory(self, cast: Cast) -> None:
        target = make_memory(cast.charlie)
        with refused("evidence_memory_fk", as_=cast.alice):
            Evidence.objects.create(
                tenant_id=cast.acme.id,
                subject_id=cast.alice.id,
                memory_id=target.id,
                version_number=1,
                quote=b"",
                said_at=target.created_at,
            )

    def test_a_summary_cannot_be_of_a_hidden_session(self, cast: Cast) -> None:
        with acting(system_of(cast.alice)):
            session = Session.objects.create(**session_for(cast.alice))
        with refused("summary_session_fk", as_=cast.bob):
            Summary.objects.create(
                tenant_id=cast.acme.id,
                subject_id=cast.bob.id,
                session_id=session.id,
                text=b"",
            )

    def test_a_grant_cannot_name_another_tenants_agent(self, cast: Cast) -> None:
        with refused("grant_agent_fk", as_=cast.bob):
            Grant.objects.create(
                tenant_id=cast.acme.id,
                subject=cast.bob,
                agent_id=cast.agents["stranger"].id,
                actions=["read"],
                kinds=["semantic"],
            )

    def test_a_row_cannot_pair_a_tenant_with_anothers_person(self, cast: Cast) -> None:
        with refused("session_subject_fk", as_=cast.charlie, tenant_id=cast.acme.id):
            Session.objects.create(**session_for(cast.charlie) | {"tenant_id": cast.acme.id})

    def test_every_parent_of_a_personal_row_is_named_with_its_person(self) -> None:
        for table, key in rules(CompositeForeignKey):
            assert key.columns[0] == "tenant_id", table
            assert key.to_columns[-1] == "id"
            if key.to.startswith("memory_") and key.to not in OF_A_TENANT:
                assert key.columns[:2] == ("tenant_id", "subject_id"), table


def session_for(subject: Subject) -> dict[str, Any]:
    return {
        "tenant_id": subject.tenant_id,
        "subject_id": subject.id,
        "agent_id": uuid.uuid4(),
        "external_id": "chat 聊天",
    }


@contextlib.contextmanager
def refused(constraint: str, *, as_: Subject, **changes: Any) -> Iterator[None]:
    """Act for a person; the deferred keys, checked as the commit would, must refuse the write."""
    with (  # noqa: PT012 - the write, and the check of its deferred keys
        pytest.raises(IntegrityError, match=constraint),
        acting(system_of(as_).using(**changes)),
    ):
        yield
        connection.check_constraints()


class TestClearanceWall:
    """The grant holds inside the database too. No query here names a level, a kind or an agent."""

    def seen(self, principal: Principal, memory: Memory) -> bool:
        with acting(principal):
            return Memory.objects.filter(id=memory.id).exists()

    @pytest.mark.parametrize("level", [10, 20, 30, 40])
    @pytest.mark.parametrize("clearance", [0, 10, 20, 30, 40])
    def test_by_level(self, cast: Cast, level: int, clearance: int) -> None:
        agent = principal_of(cast.keys["assistant"], "alice").using(clearance=clearance)
        assert self.seen(agent, make_memory(cast.alice, sensitivity=level)) is (level <= clearance)

    @pytest.mark.parametrize(("clearance", "visible"), [(0, False), (10, False), (20, True)])
    def test_safety_facts_are_seen_from_level_20(
        self, cast: Cast, clearance: int, visible: bool
    ) -> None:
        agent = principal_of(cast.keys["assistant"], "alice").using(clearance=clearance)
        allergy = make_memory(cast.alice, sensitivity=Sensitivity.SPECIAL, pinned=True)
        assert self.seen(agent, allergy) is visible

    @pytest.mark.parametrize("kind", list(Kind))
    def test_by_kind(self, cast: Cast, kind: Kind) -> None:
        agent = principal_of(cast.keys["no_episodes"], "alice")
        assert self.seen(agent, make_memory(cast.alice, kind=kind)) is (kind != Kind.EPISODIC)
        assert not self.seen(
            agent.using(kinds=frozenset()), make_memory(cast.alice, kind=kind, slot=1)
        )

    def test_by_agent(self, cast: Cast) -> None:
        mine = cast.agents["assistant"].id
        private = make_memory(cast.alice, visibility=Visibility.AGENT, agent_id=mine)
        assert self.seen(principal_of(cast.keys["assistant"], "alice"), private)
        assert not self.seen(principal_of(cast.keys["reader"], "alice"), private)
        assert self.seen(principal_of(cast.keys["alice"], "alice"), private)
        assert self.seen(system_of(cast.alice), private)

    def test_the_queries_words_say_the_same(self, cast: Cast) -> None:
        mine = cast.agents["reader"].id
        for number, (level, kind, pinned, own) in enumerate(
            (level, kind, pinned, own)
            for level in (10, 20, 30, 40)
            for kind in Kind
            for pinned in (False, True)
            for own in (False, True)
        ):
            make_memory(
                cast.alice,
                slot=number,
                sensitivity=level,
                kind=kind,
                pinned=pinned,
                visibility=Visibility.AGENT if own else Visibility.USER,
                agent_id=mine if number % 3 else None,
            )
        for name in ("assistant", "reader", "low", "no_episodes", "alice"):
            principal = principal_of(cast.keys[name], "alice")
            with acting(principal):
                by_policy = set(Memory.objects.values_list("id", flat=True))
            with acting(system_of(cast.alice)):
                by_words = set(Memory.objects.visible_to(principal).values_list("id", flat=True))
            assert by_policy == by_words, name
            assert by_policy


CHANGES = ("UPDATE {} SET at = now()", "DELETE FROM {}", "TRUNCATE {}")


class TestAppendOnly:
    @pytest.mark.parametrize("table", [table for table, _ in rules(AppendOnly)])
    def test_even_the_owner_only_adds(self, db: None, table: str) -> None:
        for statement in CHANGES:
            with (
                owner_connection() as owner,
                pytest.raises(psycopg.errors.RaiseException, match=f"{table} is append-only"),
            ):
                owner.execute(statement.format(table))

    @pytest.mark.parametrize("table", [table for table, _ in rules(AppendOnly)])
    def test_the_app_has_no_right_to_change_it(self, db: None, table: str) -> None:
        for statement in CHANGES:
            with (
                pytest.raises(ProgrammingError, match="permission denied"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(statement.format(table))
