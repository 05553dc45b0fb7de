"""The relevance gate: by meaning or by evidence from words, and by nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.index.terms import is_rare_shape, terms
from memory.policy import RECALL, UNCALIBRATED_GATE
from memory.recall.gate import has_ticket, passes

POLICY = RECALL["default"]
RARE, PLAIN = 7, 8
cosines = st.none() | st.floats(-1, 1)
shares = st.dictionaries(st.integers(0, 9), st.floats(0, 1, exclude_min=True), max_size=4)


def why(**given_: object) -> tuple[str, ...]:
    asked: dict[str, object] = {
        "cosine": None,
        "bm25": 0.0,
        "shares": {},
        "rare": frozenset({RARE}),
        "searched": 1000,
        "terms": 0,
        "policy": POLICY,
        "calibrated": True,
    }
    return passes(**(asked | given_))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cosine", "calibrated", "expected"),
    [
        (POLICY.gate, True, ("meaning",)),
        (POLICY.gate - 0.001, True, ()),
        (1.0, True, ("meaning",)),
        (-1.0, True, ()),
        (None, True, ()),
        (POLICY.gate, False, ()),
        (UNCALIBRATED_GATE, False, ("meaning",)),
    ],
)
def test_meaning_passes_from_the_calibrated_threshold_on(
    cosine: float | None, calibrated: bool, expected: tuple[str, ...]
) -> None:
    assert why(cosine=cosine, calibrated=calibrated) == expected


@pytest.mark.parametrize(
    ("bm25", "matched", "expected"),
    [
        (0.1, {RARE: POLICY.ticket_share}, ("words",)),
        (0.1, {RARE: POLICY.ticket_share + 0.01}, ()),
        (5.9, {PLAIN: 0.01}, ()),
        (POLICY.ticket_bm25, {PLAIN: 1.0}, ("words",)),
        (0.0, {}, ()),
    ],
)
def test_words_pass_with_a_rare_name_or_enough_evidence(
    bm25: float, matched: dict[int, float], expected: tuple[str, ...]
) -> None:
    assert why(bm25=bm25, shares=matched) == expected


@pytest.mark.parametrize(
    ("cosine", "calibrated", "terms", "expected"),
    [
        (None, True, 2, ("words",)),  # it waits for its vector, and holds half of what is asked
        (None, True, 3, ()),
        (0.1, False, 2, ("words",)),  # nobody knows what this cosine means
        (0.1, True, 2, ()),
    ],
)
def test_where_meaning_cannot_judge_enough_of_the_words_pass(
    cosine: float | None, calibrated: bool, terms: int, expected: tuple[str, ...]
) -> None:
    found = why(cosine=cosine, calibrated=calibrated, terms=terms, shares={PLAIN: 1.0})
    assert found == expected


def test_both_reasons_are_told() -> None:
    assert why(cosine=0.9, bm25=9.0) == ("meaning", "words")


@given(cosine=cosines, bm25=st.floats(0, 30), matched=shares)
def test_more_relevance_never_closes_the_gate(
    cosine: float | None, bm25: float, matched: dict[int, float]
) -> None:
    before = set(why(cosine=cosine, bm25=bm25, shares=matched))
    closer = 1.0 if cosine is None else min(cosine + 0.1, 1.0)
    assert before <= set(why(cosine=closer, bm25=bm25 + 1, shares=matched))


@given(cosine=cosines, bm25=st.floats(0, 30), matched=shares)
def test_a_stricter_policy_never_lets_more_through(
    cosine: float | None, bm25: float, matched: dict[int, float]
) -> None:
    strict = replace(POLICY, gate=POLICY.gate + 0.2)
    assert set(why(cosine=cosine, bm25=bm25, shares=matched, policy=strict)) <= set(
        why(cosine=cosine, bm25=bm25, shares=matched)
    )


@given(cosine=cosines, bm25=st.floats(0, 30), matched=shares)
def test_the_profile_alone_lets_nothing_through(
    cosine: float | None, bm25: float, matched: dict[int, float]
) -> None:
    only = RECALL["profile_only"]
    assert why(cosine=cosine, bm25=bm25, shares=matched, policy=only) == ()
    assert not has_ticket(
        bm25=bm25, shares=matched, rare=frozenset(matched), searched=1000, policy=only
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("INV-2024-0017 付了吗", {"inv-2024-0017", "2024", "0017"}),
        ("mail mei@example.com please", {"mei@example.com"}),
        ("端口8080还是8081", {"8080", "8081"}),
        ("推荐一份早餐", set()),
        ("what should I cook", set()),
        ("第 3 个", set()),
    ],
)
def test_what_looks_like_a_name_for_one_thing(question: str, expected: set[str]) -> None:
    assert {term for term in terms(question) if is_rare_shape(term)} == expected
