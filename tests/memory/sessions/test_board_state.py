"""A board's state: known parts, merge patches, no secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidInput, TooLarge
from memory.policy import BOARD
from memory.sessions.board_state import checked, merged

FULL = {
    "goal": "订一张去南京的高铁票 book a train",
    "constraints": ["下午出发", "≤ 300 元"],
    "doing": "comparing",
    "open_questions": [],
    "done": ["searched"],
    "candidates": [{"train": "G7", "price": 139.5, "ok": True, "note": None}],
    "query_id": "q-7",
    "rollback": {"step": 2},
    "notes": "靠窗",
}


def test_every_part_comes_back_as_it_was() -> None:
    assert checked(FULL) == FULL
    assert checked({}) == {}


@pytest.mark.parametrize(
    ("state", "named"),
    [
        ({"gaol": "x"}, "gaol"),
        ({"目标": "x"}, "目标"),
        ({"goal": ["x"]}, "goal"),
        ({"goal": None}, "goal"),
        ({"done": "x"}, "done"),
        ({"query_id": 7}, "query_id"),
        ({"candidates": {}}, "candidates"),
    ],
)
def test_an_unknown_or_wrong_part_is_named(state: object, named: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked(state)
    assert named in refused.value.detail


@pytest.mark.parametrize("state", [None, [], "x", 7])
def test_a_state_is_an_object(state: object) -> None:
    with pytest.raises(InvalidInput):
        checked(state)


def test_the_limit_is_in_bytes() -> None:
    room = BOARD.max_bytes - len('{"goal":""}')
    assert checked({"goal": "x" * room})
    with pytest.raises(TooLarge):
        checked({"goal": "x" * (room + 1)})
    with pytest.raises(TooLarge):
        checked({"goal": "好" * (room // 3 + 1)})


@pytest.mark.parametrize(
    "state",
    [
        {"notes": "我的密码是 Tr0ub4dor&3，先放这"},
        {"rollback": {"password": "Tr0ub4dor&3"}},
        {"candidates": [{"账号": "li", "密码": "Tr0ub4dor&3"}]},
        {"done": ["paid with 4111 1111 1111 1111"]},
        {"rollback": {"card number": 4111111111111111}},
    ],
)
def test_secrets_become_placeholders(state: dict[str, object]) -> None:
    shown = str(checked(state))
    assert "Tr0ub4dor" not in shown and "4111" not in shown
    assert "[" in shown


def test_what_holds_no_secret_keeps_its_very_characters() -> None:
    state = {"notes": "  def f():\n\t return １  \n\n\n\nend", "goal": "a\u00a0b"}
    assert checked(state) == state


# The examples of RFC 7396, appendix A.
EXAMPLES: list[tuple[object, object, object]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("target", "patch", "result"), EXAMPLES)
def test_merge_patch_is_that_of_the_rfc(target: object, patch: object, result: object) -> None:
    assert merged(target, patch) == result


values = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), values), st.dictionaries(st.text(max_size=3), values))
def test_merging_twice_is_merging_once(target: object, patch: object) -> None:
    once = merged(target, patch)
    assert merged(once, patch) == once
