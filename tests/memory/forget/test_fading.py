"""When a memory has faded: never what is exempt, never sooner for being recalled, with a cap."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.choices import Subtype, Trust
from memory.forget.fading import EXPIRED, FADED, Trace, over, use, weight
from memory.policy import DECAY, HALF_LIFE

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FADING = sorted(subtype for subtype, days in HALF_LIFE.items() if days is not None)
LASTING = sorted(subtype for subtype, days in HALF_LIFE.items() if days is None)

ages = st.floats(0, 20_000)
traces = st.builds(
    lambda since, touched, **rest: Trace(
        since=NOW - timedelta(days=since), touched=NOW - timedelta(days=touched), **rest
    ),
    since=ages,
    touched=ages,
    subtype=st.sampled_from(Subtype),
    importance=st.floats(0, 1),
    trust=st.sampled_from(Trust),
    pinned=st.booleans(),
    in_profile=st.booleans(),
    recalls=st.integers(0, 10**6),
    expires_at=st.none() | ages.map(lambda days: NOW - timedelta(days=days - 10_000)),
)


def trace(subtype: Subtype, days: float, **fields: object) -> Trace:
    """Return a memory that was last heard of so many days ago."""
    then = NOW - timedelta(days=days)
    whole = {"trust": Trust.STATED, "pinned": False, "in_profile": False, "recalls": 0}
    return Trace(subtype=subtype, since=then, touched=then, **(whole | fields))  # type: ignore[arg-type]


@given(one=traces)
def test_what_is_pinned_confirmed_or_of_the_profile_is_never_put_away(one: Trace) -> None:
    assert over(replace(one, pinned=True), NOW) == ""
    assert over(replace(one, trust=Trust.CONFIRMED), NOW) == ""
    assert over(replace(one, in_profile=True), NOW) == ""


@given(one=traces, later=ages)
def test_what_has_faded_stays_faded(one: Trace, later: float) -> None:
    then = NOW + timedelta(days=later)
    assert weight(one, then) <= weight(one, NOW)
    assert not over(one, NOW) or over(one, then)


@given(one=traces, older=ages)
def test_the_older_of_two_is_never_the_one_that_is_kept(one: Trace, older: float) -> None:
    by = timedelta(days=older)
    other = replace(one, since=one.since - by, touched=one.touched - by)
    assert not over(one, NOW) or over(other, NOW)


@given(one=traces, more=st.integers(0, 10**6))
def test_being_recalled_never_harms_and_counts_for_at_most_the_cap(one: Trace, more: int) -> None:
    often = replace(one, recalls=one.recalls + more)
    never = replace(one, recalls=0)
    assert weight(one, NOW) <= weight(often, NOW) <= weight(never, NOW) * DECAY.use_cap
    assert 1.0 <= use(one.recalls) <= DECAY.use_cap
    assert over(one, NOW) or not over(often, NOW)


@given(one=traces, days=st.floats(0, 89))
def test_what_was_recalled_within_the_rest_does_not_fade(one: Trace, days: float) -> None:
    fresh = replace(one, touched=NOW - timedelta(days=days), expires_at=None)
    assert over(fresh, NOW) == ""


@given(subtype=st.sampled_from(LASTING), days=ages, importance=st.floats(0.05, 1))
def test_what_has_no_half_life_never_fades(
    subtype: Subtype, days: float, importance: float
) -> None:
    assert over(trace(subtype, days, importance=importance), NOW) == ""


@pytest.mark.parametrize("subtype", FADING)
def test_recall_alone_keeps_nothing_for_ever(subtype: Subtype) -> None:
    """However often it was recalled once: a hundred half-lives and a rest later it is put away."""
    half_life = HALF_LIFE[subtype]
    assert half_life is not None
    one = trace(subtype, 100 * half_life + 90, importance=1.0, recalls=10**6)
    assert over(one, NOW) == FADED


@pytest.mark.parametrize(
    ("subtype", "importance", "days", "recalls", "answer"),
    [
        (Subtype.EVENT, 0.55, 89, 0, ""),  # faded, but it has not rested long enough
        (Subtype.EVENT, 0.55, 90, 0, FADED),
        (Subtype.FACT, 0.75, 365, 0, ""),
        (Subtype.FACT, 0.75, 1425, 0, ""),
        (Subtype.FACT, 0.75, 1427, 0, FADED),
        (Subtype.FACT, 0.75, 1427, 1, ""),  # a recall is worth some of a half-life …
        (Subtype.FACT, 0.75, 1427 + 365, 15, FADED),  # … and never more than one
        (Subtype.INSTRUCTION, 0.9, 10_000, 0, ""),
    ],
)
def test_named_cases(
    subtype: Subtype, importance: float, days: float, recalls: int, answer: str
) -> None:
    assert over(trace(subtype, days, importance=importance, recalls=recalls), NOW) == answer


def test_what_has_outlived_its_lifetime_needs_no_rest() -> None:
    seen = trace(Subtype.BROWSING, 1, importance=0.9, expires_at=NOW)
    assert over(seen, NOW) == EXPIRED
    assert over(replace(seen, expires_at=NOW + timedelta(seconds=1)), NOW) == ""
