"""The score: each part 0 to 1, nearer and newer never counts less."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.choices import Subtype
from memory.policy import HALF_LIFE, RECALL, RecallPolicy, recency
from memory.recall.score import fused, relevance, score

NOW = datetime(2026, 3, 1, tzinfo=UTC)
policies = st.sampled_from(sorted(RECALL.values(), key=lambda policy: policy.name))
units = st.floats(0, 1)
subtypes = st.sampled_from(Subtype)
times = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)).map(
    lambda when: when.replace(tzinfo=UTC)
)
FADING = sorted(subtype for subtype, days in HALF_LIFE.items() if days is not None)


def fresh(subtype: Subtype, days: float, *, pinned: bool = False) -> float:
    since = NOW - timedelta(days=days)
    return recency(subtype=subtype, pinned=pinned, since=since, now=NOW)


@given(cosine=st.none() | st.floats(-1, 1), words=units, policy=policies)
def test_relevance_is_between_0_and_1(
    cosine: float | None, words: float, policy: RecallPolicy
) -> None:
    assert 0 <= relevance(cosine=cosine, words=words, policy=policy) <= 1


@given(cosine=st.floats(-1, 0.9), words=st.floats(0, 0.9), policy=policies)
def test_nearer_is_never_less_relevant(cosine: float, words: float, policy: RecallPolicy) -> None:
    here = relevance(cosine=cosine, words=words, policy=policy)
    assert relevance(cosine=cosine + 0.1, words=words, policy=policy) >= here
    assert relevance(cosine=cosine, words=words + 0.1, policy=policy) >= here


def test_words_that_match_nothing_harm_nothing() -> None:
    policy = RECALL["default"]
    assert fused(cosine=0.5, words=0.0, policy=policy) == 0.5
    assert fused(cosine=None, words=0.0, policy=policy) == 0.0
    assert fused(cosine=-0.5, words=0.0, policy=policy) == 0.0


@given(subtype=subtypes, since=times, now=times, pinned=st.booleans())
def test_recency_is_between_0_and_1_at_any_time(
    subtype: Subtype, since: datetime, now: datetime, pinned: bool
) -> None:
    assert 0 <= recency(subtype=subtype, pinned=pinned, since=since, now=now) <= 1


@given(subtype=subtypes, younger=st.floats(0, 5000), more=st.floats(0.01, 5000))
def test_older_is_never_fresher(subtype: Subtype, younger: float, more: float) -> None:
    assert fresh(subtype, younger + more) <= fresh(subtype, younger)


@pytest.mark.parametrize("subtype", FADING)
def test_recency_halves_with_each_half_life(subtype: Subtype) -> None:
    half_life = HALF_LIFE[subtype]
    assert half_life is not None
    assert fresh(subtype, 0) == 1
    assert fresh(subtype, half_life) == pytest.approx(0.5)
    assert fresh(subtype, 3 * half_life) == pytest.approx(0.125)


@pytest.mark.parametrize("subtype", [Subtype.INSTRUCTION, Subtype.PROCEDURE])
def test_what_was_asked_to_last_never_fades(subtype: Subtype) -> None:
    assert fresh(subtype, 5000) == 1


@pytest.mark.parametrize("subtype", FADING)
def test_what_is_pinned_never_fades(subtype: Subtype) -> None:
    assert fresh(subtype, 5000, pinned=True) == 1


def test_what_is_to_come_is_as_fresh_as_now() -> None:
    assert fresh(Subtype.EVENT, -30) == 1


@given(parts=st.tuples(units, units, units, units), policy=policies)
def test_the_total_is_between_0_and_1(parts: tuple[float, ...], policy: RecallPolicy) -> None:
    one, two, three, four = parts
    found = score(relevance=one, recency=two, importance=three, confidence=four, policy=policy)
    assert 0 <= found.total <= 1 + 1e-9
    assert (found.relevance, found.recency, found.importance, found.confidence) == parts


@pytest.mark.parametrize("policy", sorted(RECALL))
def test_the_weights_of_every_policy_add_up_to_1(policy: str) -> None:
    one = RECALL[policy]
    assert one.relevance + one.recency + one.importance + one.confidence == pytest.approx(1)


def test_a_three_month_old_wish_beats_newer_chatter() -> None:
    """ "别用 emoji" of long ago, against an episode of yesterday that is as relevant."""
    policy = RECALL["default"]
    wish = score(
        relevance=0.4, recency=fresh(Subtype.INSTRUCTION, 90), importance=0.9, confidence=0.9,
        policy=policy,
    )  # fmt: skip
    chatter = score(
        relevance=0.4, recency=fresh(Subtype.EVENT, 1), importance=0.55, confidence=0.8,
        policy=policy,
    )  # fmt: skip
    assert wish.total > chatter.total
