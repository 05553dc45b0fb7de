"""Cutting to size: never over either limit, best first, every item accounted for."""

from hypothesis import given
from hypothesis import strategies as st

from memory.providers.tokens import count_tokens
from memory.recall.budget import cut

sizes = st.lists(st.integers(0, 60), max_size=40)
TEXTS = ["她喜欢喝乌龙茶。", "Her kayak is red.", "花生过敏 allergic to peanuts 🥜", "字" * 80, ""]


@given(items=sizes, top_k=st.integers(0, 50), max_tokens=st.integers(0, 200))
def test_neither_limit_is_ever_exceeded(items: list[int], top_k: int, max_tokens: int) -> None:
    taken, held = cut(items, top_k=top_k, max_tokens=max_tokens, tokens=int)
    assert len(taken) <= top_k
    assert sum(taken) <= max_tokens
    assert sorted(taken + [item for item, _ in held]) == sorted(items)


@given(items=sizes, top_k=st.integers(1, 50), max_tokens=st.integers(1, 200))
def test_what_is_taken_keeps_its_order(items: list[int], top_k: int, max_tokens: int) -> None:
    numbered = list(enumerate(items))
    taken, _ = cut(numbered, top_k=top_k, max_tokens=max_tokens, tokens=lambda item: item[1])
    assert taken == sorted(taken)


@given(items=sizes, top_k=st.integers(1, 50), max_tokens=st.integers(1, 200))
def test_nothing_that_would_have_fitted_before_the_last_taken_is_left_out(
    items: list[int], top_k: int, max_tokens: int
) -> None:
    numbered = list(enumerate(items))
    taken, _ = cut(numbered, top_k=top_k, max_tokens=max_tokens, tokens=lambda item: item[1])
    if len(taken) == top_k:
        numbered = numbered[: taken[-1][0] + 1]
    left = max_tokens
    for item in numbered:
        if item in taken:
            left -= item[1]
        else:
            assert item[1] > left


def test_a_long_item_is_passed_over_for_a_shorter_one_after_it() -> None:
    taken, held = cut([90, 5, 5], top_k=5, max_tokens=20, tokens=int)
    assert taken == [5, 5] and held == [(90, "over_budget")]


@given(texts=st.lists(st.sampled_from(TEXTS), max_size=12), max_tokens=st.integers(1, 120))
def test_texts_of_both_languages_stay_within_the_tokens(texts: list[str], max_tokens: int) -> None:
    taken, _ = cut(texts, top_k=50, max_tokens=max_tokens, tokens=count_tokens)
    assert sum(count_tokens(text) for text in taken) <= max_tokens


def test_what_says_the_same_is_taken_once_and_looked_at_only_while_there_is_room() -> None:
    asked: list[tuple[int, int]] = []

    def same(one: int, other: int) -> bool:
        asked.append((one, other))
        return one % 10 == other % 10

    taken, held = cut([1, 11, 2, 21, 3], top_k=2, max_tokens=99, tokens=int, same=same)
    assert taken == [1, 2]
    assert held == [(11, "duplicate"), (21, "over_top_k"), (3, "over_top_k")]
    assert asked == [(11, 1), (2, 1)]
