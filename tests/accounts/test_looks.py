"""An operator's look: nothing without one, only what it covers, nothing written, over by itself."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone

from accounts import looks
from accounts.acting import acting
from accounts.choices import Action, ActorKind
from accounts.looks import LookRefused, NoLook, Scope
from accounts.models import AuditEvent, Look, Tenant
from accounts.principal import ALL_KINDS, FULL_CLEARANCE, Principal
from memory.errors import NotFound
from memory.forget.moves import Move, move
from memory.models import Memory, ObjectKey
from memory.recall.looking import let_look, look_at
from tests.cast import ALICE, Cast, principal_of, remember

TEA, LAKE, ILL, RUN = (
    "I drink tea 我喝茶",
    "I live by the lake 西湖边",
    "我有糖尿病",
    "Ran 10 km 跑步",
)


def operator(cast: Cast, *, login: uuid.UUID | None = None) -> Principal:
    return Principal(
        kind=ActorKind.OPERATOR,
        tenant_id=cast.acme.id,
        actor_id=login or uuid.UUID(int=7),
        subject_id=cast.alice.id,
        label="console",
    )


def person(cast: Cast) -> Principal:
    return principal_of(cast.keys["alice"], ALICE)


def let(cast: Cast, clearance: int = 20, **scope: Any) -> Look:
    until = timezone.now() + timedelta(hours=1)
    kinds = frozenset(scope.pop("kinds", ALL_KINDS))
    return let_look(person(cast), clearance=clearance, kinds=kinds, until=until, **scope)


@pytest.fixture
def memories(cast: Cast) -> dict[str, Memory]:
    return {
        "tea": remember(person(cast), TEA, sensitivity=10),
        "lake": remember(person(cast), LAKE, sensitivity=20),
        "ill": remember(person(cast), ILL, sensitivity=40),
        "run": remember(person(cast), RUN, sensitivity=10, kind="episodic"),
    }


def texts(cast: Cast, look: Look) -> set[str]:
    return {one.text for one in look_at(operator(cast), look.id).items}


@pytest.mark.parametrize(
    ("scope", "seen"),
    [
        ({"clearance": 10}, {TEA, RUN}),
        ({"clearance": 20}, {TEA, LAKE, RUN}),
        ({"clearance": 40}, {TEA, LAKE, ILL, RUN}),
        ({"clearance": 40, "kinds": {"episodic"}}, {RUN}),
    ],
)
def test_it_shows_exactly_what_the_person_lets(
    cast: Cast, memories: dict[str, Memory], scope: dict[str, Any], seen: set[str]
) -> None:
    assert texts(cast, let(cast, **scope)) == seen


def test_one_memory_alone(cast: Cast, memories: dict[str, Memory]) -> None:
    assert texts(cast, let(cast, memory_id=memories["ill"].id)) == {ILL}
    with pytest.raises(NotFound):
        let(cast, memory_id=uuid.uuid4())


def test_what_is_forgotten_is_not_shown(cast: Cast, memories: dict[str, Memory]) -> None:
    look = let(cast, clearance=10)
    move(person(cast), memories["tea"].id, Move.FORGET)
    assert texts(cast, look) == {RUN}


def test_every_page_leaves_a_line_and_is_counted(cast: Cast, memories: dict[str, Memory]) -> None:
    look = let(cast)
    texts(cast, look)
    texts(cast, look)
    line = AuditEvent.objects.filter(code="operator.looked").latest("id")
    assert (line.object_id, line.subject_id, line.result_count) == (look.id, cast.alice.id, 3)
    (told,) = looks.told(person(cast))
    assert told.views == 2 and told.looked_at is not None


def test_it_ends_by_itself_and_at_a_word(cast: Cast, memories: dict[str, Memory]) -> None:
    look = let(cast)
    with acting(operator(cast)):
        Look.objects.filter(id=look.id).update(ends_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotFound):
        texts(cast, look)
    look = let(cast)
    looks.end(person(cast), look.id)
    with pytest.raises(NotFound):
        texts(cast, look)
    with pytest.raises(NoLook):
        looks.end(person(cast), look.id)


def rows(rights: Principal, table: str) -> int:
    with acting(rights), connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        return int(cursor.fetchone()[0])


def test_the_database_says_the_same(cast: Cast, memories: dict[str, Memory]) -> None:
    """No filter of ours here: neither rows nor keys show without an open look that covers them."""
    everything = {"kinds": ALL_KINDS, "clearance": FULL_CLEARANCE}
    bare = operator(cast).using(**everything).unlimited()
    tables = ("memory_memory", "memory_objectkey", "memory_subjectkey")
    assert [rows(bare, table) for table in tables] == [0, 0, 0]
    look = let(cast, clearance=10)
    wide = bare.using(look_id=look.id)  # asks for more than the look gives
    assert [rows(wide, table) for table in tables] == [2, 2, 1]
    alone = bare.using(look_id=let(cast, memory_id=memories["lake"].id).id)
    assert [rows(alone, table) for table in tables] == [1, 1, 1]
    assert rows(wide, "memory_memory") == 0, "the later leave took the place of the one before"
    looks.end(person(cast), alone.look_id or uuid.UUID(int=0))
    assert [rows(alone, table) for table in tables] == [0, 0, 0]
    assert rows(person(cast), "memory_memory") == 4


def test_a_look_opens_nobody_else(cast: Cast, memories: dict[str, Memory]) -> None:
    remember(principal_of(cast.keys["bob"], "bob"), "Bob's own tea 茶")
    look = let(cast, clearance=40)
    other = operator(cast).using(
        subject_id=cast.bob.id, look_id=look.id, clearance=40, kinds=ALL_KINDS
    )
    assert rows(other, "memory_memory") == rows(other, "memory_subjectkey") == 0


def test_it_can_only_read(cast: Cast, memories: dict[str, Memory]) -> None:
    rights, _ = looks.looking(operator(cast), let(cast, clearance=40).id)
    assert rights.actions == {Action.READ}
    mine = {"tenant_id": cast.acme.id, "subject_id": cast.alice.id}
    with acting(rights):
        for write in (
            lambda: Memory.objects.update(state="paused"),
            lambda: ObjectKey.objects.update(wrapped=b"x"),
            lambda: ObjectKey.objects.create(**mine, object_id=uuid.uuid4(), wrapped=b"x"),
        ):
            with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
                write()
        with connection.cursor() as cursor:
            for table in ("memory_memory", "memory_objectkey", "memory_subjectkey"):
                cursor.execute(f"DELETE FROM {table}")
                assert cursor.rowcount == 0, table


class TestBreakGlass:
    def breaks(self, cast: Cast, *, login: uuid.UUID | None = None, **more: Any) -> Look:
        given: dict[str, Any] = {"reason": "security OPS-1", "minutes": 15} | more
        who = operator(cast, login=login)
        return looks.break_glass(who, Scope(clearance=20), subject_id=cast.alice.id, **given)

    @pytest.fixture
    def allowed(self, cast: Cast) -> None:
        Tenant.objects.filter(id=cast.acme.id).update(break_glass=True)

    def test_not_where_the_tenant_does_not_allow_it(self, cast: Cast) -> None:
        with pytest.raises(LookRefused, match="without the person's leave"):
            self.breaks(cast)

    def test_it_shows_its_level_to_who_broke_it_alone(
        self, cast: Cast, memories: dict[str, Memory], allowed: None
    ) -> None:
        look = self.breaks(cast)
        assert texts(cast, look) == {TEA, LAKE, RUN}
        with pytest.raises(NotFound):
            look_at(operator(cast, login=uuid.uuid4()), look.id)
        assert timedelta(minutes=14) < look.ends_at - timezone.now() <= timedelta(minutes=15)
        line = AuditEvent.objects.get(code="look.opened")
        assert (line.reason, line.subject_id) == ("security OPS-1", cast.alice.id)

    def test_no_page_more_once_the_tenant_refuses(
        self, cast: Cast, memories: dict[str, Memory], allowed: None
    ) -> None:
        look = self.breaks(cast)
        assert texts(cast, look)
        Tenant.objects.filter(id=cast.acme.id).update(break_glass=False)
        with pytest.raises(NotFound):
            texts(cast, look)

    def test_the_persons_leave_comes_first(
        self, cast: Cast, memories: dict[str, Memory], allowed: None
    ) -> None:
        broken = self.breaks(cast)
        granted = let(cast, clearance=10)
        with pytest.raises(NotFound):
            texts(cast, broken)
        with pytest.raises(LookRefused, match="lets you look"):
            self.breaks(cast)
        assert texts(cast, granted) == {TEA, RUN}

    @pytest.mark.parametrize("wrong", [{"minutes": 61}, {"reason": ""}])
    def test_only_with_a_time_and_a_reason(
        self, cast: Cast, allowed: None, wrong: dict[str, Any]
    ) -> None:
        with pytest.raises(LookRefused):
            self.breaks(cast, **wrong)

    def test_only_an_operator(self, cast: Cast, allowed: None) -> None:
        for who in (person(cast), principal_of(cast.keys["assistant"], ALICE)):
            with pytest.raises(PermissionDenied):
                looks.break_glass(
                    who, Scope(clearance=10), reason="x", minutes=15, subject_id=cast.alice.id
                )


def test_only_the_person_lets_and_for_three_days_at_most(cast: Cast) -> None:
    soon = timezone.now() + timedelta(hours=1)
    with pytest.raises(PermissionDenied):
        looks.let_look(principal_of(cast.keys["assistant"], ALICE), Scope(clearance=10), until=soon)
    for until in (timezone.now(), timezone.now() + timedelta(days=4)):
        with pytest.raises(LookRefused):
            looks.let_look(person(cast), Scope(clearance=10), until=until)
    for wrong in ({"clearance": 50}, {"clearance": 10, "kinds": frozenset({"x"})}):
        with pytest.raises(LookRefused):
            Scope(**wrong)
