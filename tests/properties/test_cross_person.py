"""Nobody ever learns a word or an id of somebody else, with both walls and with either alone.

The walls are the queries' own words (tenant, subject) and the database's row policies.
"""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from accounts.acting import acting
from memory import access
from memory.choices import Origin, RecallStatus
from memory.recall.pipeline import recall
from memory.recall.values import RecallQuery
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source
from tests.properties.people import People, canary, flat
from tests.properties.stories import Stories
from tests.properties.walls import without_filters, without_policies


def play(*, policies: bool, examples: int, deep: bool = False) -> None:
    """Run the machine; only the long version shortens a story that fails, and plays new ones."""
    machine = type("Stories", (Stories,), {"policies": policies})
    chosen = settings(
        max_examples=examples,
        stateful_step_count=30,
        derandomize=not deep,
        phases=tuple(Phase) if deep else (Phase.generate,),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=chosen)


WALLS: dict[str, list[Callable[[], AbstractContextManager[None]]]] = {
    "both walls": [],
    "policies alone": [without_filters],
    "filters alone": [without_policies],
    "no wall": [without_filters, without_policies],
}


@pytest.fixture(scope="module", params=list(WALLS))
def standing(request: Any, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """Take walls down before any test's transaction begins, and put them up after it ended."""
    with django_db_blocker.unblock(), contextlib.ExitStack() as down:
        for wall in WALLS[request.param]:
            down.enter_context(wall())
        yield request.param


def test_a_word_is_found_by_its_owner_alone(standing: str, db: None, hash_embedder: None) -> None:
    """And with no wall at all it is seen, so both are really what stands between people."""
    people = People()
    owners = {"alice": ("assistant", "alice"), "charlie": ("stranger", "charlie")}
    for person, pair in owners.items():
        english, chinese = people.canary(person)
        source = Source(origin=Origin.PERSON, said_at=timezone.now())
        text = f"I love {english} soup，我喜欢{chinese}汤"
        if standing != "no wall" or person == "alice":
            decide(people.principal(pair), Proposal(text=text, source=source))
    alices, query = canary(1), RecallQuery(text=" ".join(canary(1)))
    if standing == "no wall":
        seen = access.memories_visible_to(people.principal(("stranger", "charlie")))
        assert [row.subject_id for row in seen] == [people.subjects["alice"].id]
        return
    for person, pair in owners.items():
        with acting(people.principal(pair)) as reader:
            whose = {row.subject_id for row in access.memories_visible_to(reader)}
        assert whose == {people.subjects[person].id}
    own = recall(people.principal(("assistant", "alice")), query)
    assert [item.opened.text for item in own.items] == [
        f"I love {alices[0]} soup，我喜欢{alices[1]}汤"
    ]
    for pair in (("assistant", "bob"), ("stranger", "charlie")):
        answer = recall(people.principal(pair), query)
        assert alices[0] not in flat(answer) and alices[1] not in flat(answer)
        assert answer.status == RecallStatus.NOTHING_RELEVANT or pair[1] == "charlie"


def test_nobody_learns_anything_of_another(standing: str, db: None, hash_embedder: None) -> None:
    if standing != "no wall":
        play(policies=standing != "filters alone", examples=3)


@pytest.mark.deep
@pytest.mark.timeout(3000)
def test_nobody_learns_anything_in_long_stories(
    standing: str, db: None, hash_embedder: None
) -> None:
    if standing != "no wall":
        play(policies=standing != "filters alone", examples=150, deep=True)
