"""The one place that opens the wall: it sets, nests, and always puts back what was set before."""

import pytest
from django.db import ProgrammingError, connection

from accounts.acting import NAMES, acting
from accounts.models import Agent
from memory.choices import Sensitivity, Visibility
from memory.models import Memory
from tests.cast import Cast, build_cast, make_memory, principal_of, system_of


def now_set() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"current_setting('app.{n}', true)" for n in NAMES))
        return dict(zip(NAMES, (value or "" for value in cursor.fetchone()), strict=True))


def test_it_sets_what_the_policies_read_and_clears_it(cast: Cast) -> None:
    empty = dict.fromkeys(NAMES, "")
    assert now_set() == empty
    with acting(principal_of(cast.keys["low"], "alice")):
        assert now_set() == {
            "tenant_id": str(cast.acme.id),
            "subject_id": str(cast.alice.id),
            "clearance": "10",
            "kinds": "episodic,procedural,semantic",
            "agent_id": str(cast.agents["low"].id),
            "look_id": "",
        }
    assert now_set() == empty


def test_an_inner_one_rules_and_the_outer_comes_back(cast: Cast) -> None:
    make_memory(cast.alice)
    make_memory(cast.bob)
    with acting(system_of(cast.alice)):
        outer = now_set()
        with acting(system_of(cast.bob)):
            assert [row.subject_id for row in Memory.objects.all()] == [cast.bob.id]
        assert now_set() == outer
        assert [row.subject_id for row in Memory.objects.all()] == [cast.alice.id]


def test_an_error_inside_brings_the_outer_back_too(cast: Cast) -> None:
    with acting(system_of(cast.alice)):
        outer = now_set()
        with pytest.raises(RuntimeError), acting(system_of(cast.bob)):
            raise RuntimeError
        assert now_set() == outer
    assert not any(now_set().values())


def test_a_database_error_inside_brings_the_outer_back_too(cast: Cast) -> None:
    with acting(system_of(cast.alice)):
        outer = now_set()
        with pytest.raises(ProgrammingError), acting(system_of(cast.bob)):
            Agent.objects.create(tenant=cast.globex, name="spy 间谍")
        assert now_set() == outer


def test_unlimited_lifts_the_grant_but_not_the_person(cast: Cast) -> None:
    make_memory(cast.alice, sensitivity=Sensitivity.SPECIAL, visibility=Visibility.AGENT)
    make_memory(cast.bob)
    low = principal_of(cast.keys["low"], "alice")
    with acting(low):
        assert not Memory.objects.exists()
    with acting(low.unlimited()):
        assert [row.subject_id for row in Memory.objects.all()] == [cast.alice.id]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_on_the_connection_after_the_commit(hash_embedder: None) -> None:
    alice = build_cast().alice
    make_memory(alice)
    assert not any(now_set().values())
    assert not Memory.objects.exists()
