"""A memory's states: which moves there are, who wins a race, what the database refuses."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from accounts.acting import acting
from accounts.models import Subject, Tenant
from memory.choices import Kind, Origin, State
from memory.errors import StaleState
from memory.lifecycle import LIVING, MOVES, transition
from memory.models import Memory, ReviewItem, Version
from tests.cast import Cast, make_memory, principal_of, remember, system_of

NOW = timezone.now()
BACK = {"undo_until": NOW + timedelta(minutes=10), "previous_state": State.ACTIVE}
GONE = {"erased_at": NOW}


def made(subject: Subject, state: State) -> Memory:
    extra: dict[str, Any] = {}
    if state == State.FORGOTTEN:
        extra = BACK
    elif state == State.ERASED:
        extra = GONE
    return make_memory(subject, state=state, **extra)


def needed(to: State) -> dict[str, Any]:
    """Return the columns a move must bring along."""
    columns: dict[State, dict[str, Any]] = {State.FORGOTTEN: BACK, State.ERASED: GONE}
    return columns.get(to, {})


class TestMoves:
    @pytest.mark.parametrize("to", list(State))
    @pytest.mark.parametrize("old", list(State))
    def test_a_move_is_made_or_refused(self, cast: Cast, old: State, to: State) -> None:
        memory = made(cast.alice, old)
        with acting(system_of(cast.alice)):
            if to in MOVES[old]:
                transition(memory, to, **needed(to))
                assert memory.state == Memory.objects.get().state == to
            else:
                with pytest.raises(StaleState, match=f"that is {old} cannot become {to}"):
                    transition(memory, to, **needed(to))
                assert Memory.objects.get().state == old

    def test_the_moves_are_those_of_the_design(self) -> None:
        """Nothing leaves the fence but by its end; every living state may be forgotten or erased."""
        assert set(MOVES) == set(State)
        assert MOVES[State.ERASING] == {State.ERASED}
        assert MOVES[State.ERASED] == frozenset()
        for state in (*LIVING, State.FORGOTTEN):
            assert State.ERASING in MOVES[state]
        for state in LIVING:
            assert State.FORGOTTEN in MOVES[state]
            assert state in MOVES[State.FORGOTTEN]
        assert not [state for state, moves in MOVES.items() if State.PENDING in moves][1:]
        assert not [state for state, moves in MOVES.items() if state in moves]

    def test_other_columns_change_with_the_state(self, cast: Cast) -> None:
        memory = made(cast.alice, State.ACTIVE)
        before = memory.updated_at
        with acting(system_of(cast.alice)):
            transition(memory, State.FORGOTTEN, **BACK)
            row = Memory.objects.get()
        assert (row.previous_state, row.undo_until) == (State.ACTIVE, BACK["undo_until"])
        assert row.updated_at > before
        assert (memory.previous_state, memory.updated_at) == (State.ACTIVE, row.updated_at)


class TestCompareAndSet:
    def test_a_stale_copy_moves_nothing(self, cast: Cast) -> None:
        memory = made(cast.alice, State.ACTIVE)
        with acting(system_of(cast.alice)):
            copy = Memory.objects.get()
            transition(memory, State.PAUSED)
            with pytest.raises(StaleState, match="read it again"):
                transition(copy, State.ARCHIVED)
            assert copy.state == State.ACTIVE
            assert Memory.objects.get().state == State.PAUSED

    def test_a_hidden_row_cannot_be_moved(self, cast: Cast) -> None:
        memory = made(cast.alice, State.ACTIVE)
        with acting(system_of(cast.bob)), pytest.raises(StaleState):
            transition(memory, State.ERASING)
        with acting(system_of(cast.alice)):
            assert Memory.objects.get().state == State.ACTIVE

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("round_", range(3))
    def test_of_two_at_once_exactly_one_wins(self, round_: int) -> None:
        tenant = Tenant.objects.create(name="Acme")
        alice = Subject.objects.create(tenant=tenant, external_id="爱丽丝")
        memory_id = made(alice, State.ACTIVE).id
        ready = threading.Barrier(2)
        outcomes: list[State | None] = []

        def move(to: State) -> None:
            try:
                with acting(system_of(alice)):
                    memory = Memory.objects.get(id=memory_id)
                    ready.wait(10)
                    transition(memory, to)
                outcomes.append(to)
            except StaleState:
                outcomes.append(None)
            finally:
                connection.close()

        threads = [
            threading.Thread(target=move, args=[to]) for to in (State.PAUSED, State.ARCHIVED)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        winners = [outcome for outcome in outcomes if outcome]
        assert (len(outcomes), len(winners)) == (2, 1)
        with acting(system_of(alice)):
            assert Memory.objects.get().state == winners[0]


class TestDatabase:
    """What no code path may write, the database refuses."""

    @pytest.mark.parametrize(
        ("constraint", "columns"),
        [
            ("memory_erased_at", {"state": State.ERASED}),
            ("memory_erased_at", {"state": State.ACTIVE} | GONE),
            ("memory_undo", {"state": State.FORGOTTEN}),
            ("memory_undo", {"state": State.FORGOTTEN, "undo_until": timezone.now()}),
            ("memory_no_secret", {"sensitivity": 50}),
            ("memory_no_secret", {"sensitivity": 15}),
            ("memory_state", {"state": "superseded"}),
            ("memory_kind", {"kind": "secret"}),
            ("memory_kind", {"subtype": "unknown"}),
            ("memory_origin", {"origin": "moon"}),
            ("memory_unit_numbers", {"importance": 1.01}),
            ("memory_unit_numbers", {"confidence": -0.01}),
            ("memory_erased_keeps_nothing", {"state": State.ERASING, "wording": 7}),
            ("memory_erased_keeps_nothing", {"state": State.ERASING, "attribute": "diet.allergy"}),
            ("memory_erased_keeps_nothing", {"state": State.ERASED, "tags": [7]} | GONE),
        ],
    )
    def test_a_row_that_cannot_be(
        self, cast: Cast, constraint: str, columns: dict[str, Any]
    ) -> None:
        with pytest.raises(IntegrityError, match=constraint):
            make_memory(cast.alice, **columns)

    def test_one_current_value_of_a_single_valued_attribute(self, cast: Cast) -> None:
        home = {"attribute": "home.city", "single": True, "slot": 3}
        make_memory(cast.alice, **home)
        with pytest.raises(IntegrityError, match="memory_one_current_value"):
            make_memory(cast.alice, **home)
        make_memory(cast.bob, **home)
        make_memory(cast.alice, **home, state=State.ARCHIVED)
        make_memory(cast.alice, **home | {"slot": 4})
        make_memory(cast.alice, **home | {"single": False})

    def test_one_memory_of_one_wording(self, cast: Cast) -> None:
        make_memory(cast.alice, wording=7)
        with pytest.raises(IntegrityError, match="memory_one_per_wording"):
            make_memory(cast.alice, wording=7, state=State.PENDING)
        make_memory(cast.bob, wording=7)
        # An episode may repeat in the same words at another time.
        times = [timezone.now(), timezone.now() - timedelta(days=1)]
        for occurred in times:
            make_memory(cast.alice, wording=7, kind=Kind.EPISODIC, occurred=occurred)

    @pytest.mark.parametrize(
        ("constraint", "columns"),
        [
            ("version_current", {"number": 2}),
            ("version_number", {"number": 1, "superseded_at": NOW}),
            (
                "version_valid_time",
                {"number": 2, "valid_from": NOW, "valid_to": NOW - timedelta(days=1)},
            ),
        ],
    )
    def test_a_wording_that_cannot_be(
        self, cast: Cast, constraint: str, columns: dict[str, Any]
    ) -> None:
        remember(principal_of(cast.keys["assistant"], "alice"), "我住在上海 I live in Shanghai")
        with (  # noqa: PT012 - acting must see the error to go on
            pytest.raises(IntegrityError, match=constraint),
            acting(system_of(cast.alice)),
        ):
            first = Version.objects.get()
            names = [f.attname for f in Version._meta.concrete_fields if f.name != "id"]
            Version.objects.create(**{name: getattr(first, name) for name in names} | columns)

    def test_one_open_question_about_a_memory(self, cast: Cast) -> None:
        agent = principal_of(cast.keys["assistant"], "alice")
        memory = remember(agent, "偏好素食 vegetarian", origin=Origin.TOOL)
        assert memory.state == State.PENDING
        with (
            pytest.raises(IntegrityError, match="reviewitem_one_open"),
            acting(system_of(cast.alice)),
        ):
            ReviewItem.objects.create(
                tenant_id=memory.tenant_id, subject_id=memory.subject_id, memory=memory, kind="new"
            )
