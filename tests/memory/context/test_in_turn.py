"""Anthropic's form of a context: system text apart, messages that take turns, the person's first."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.choices import Role
from memory.context.fit import lay_out
from memory.context.render import in_turn
from memory.context.values import Desk, Part, Style
from memory.context.words import words
from memory.providers.tokens import count_tokens
from tests.memory.context.desks import FULL, turn


def test_what_is_known_is_system_text_and_the_reminder_stands_before_the_new_message() -> None:
    laid = lay_out(FULL, budget=8000, style=Style.ANTHROPIC)
    system, messages = in_turn(laid.pieces, words("zh"))
    assert (
        system.startswith("你是一个助手。")
        and "对花生过敏" in system
        and "目标：安排周末" in system
    )
    roles = [role for role, _ in messages]
    assert roles == [Role.USER, Role.ASSISTANT] * 3 + [Role.USER]
    assert messages[-1][1] == f"{words('zh').reminder}\n\n周末去哪儿玩？"


def test_turns_of_one_speaker_are_one_message_and_a_loose_answer_is_marked() -> None:
    told = [
        [turn(Role.ASSISTANT, "你好，我是助手 hello")],
        [turn(Role.USER, "查一下"), turn(Role.TOOL, "G7 13:05", name="trains")],
    ]
    laid = lay_out(Desk(language="zh", query="哪趟？", exchanges=told), budget=800)
    system, messages = in_turn(laid.pieces, words("zh"))
    assert system == "助手：你好，我是助手 hello"
    ((role, text),) = messages
    assert role == Role.USER and text.startswith("查一下\n\n") and text.endswith("\n\n哪趟？")
    assert text.count("<tool>") == 1


texts = st.sampled_from(["好的，去杭州。", "ok then", "19/49/199 EUR", "word " * 30, "汉字" * 40])
turns = st.builds(turn, st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL]), texts)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(turns, min_size=1, max_size=4), max_size=5),
    st.sampled_from(["", "现在呢 now?"]),
    st.integers(min_value=10, max_value=400),
)
def test_turns_alternate_and_the_budget_holds(
    exchanges: list[list[object]], query: str, budget: int
) -> None:
    desk = Desk(query=query, exchanges=exchanges, profile=FULL.profile)  # type: ignore[arg-type]
    laid = lay_out(desk, budget=budget, style=Style.ANTHROPIC)
    system, messages = in_turn(laid.pieces, words("en"))
    roles = [role for role, _ in messages]
    assert roles[:1] in ([], [Role.USER])
    assert all(one != other for one, other in itertools.pairwise(roles))
    whole = count_tokens(system) + sum(count_tokens(text) for _, text in messages)
    assert whole <= sum(laid.tokens.values()) <= budget
    shown = [piece for piece in laid.pieces if piece.part == Part.RECENT]
    assert all(piece.text in system + "".join(text for _, text in messages) for piece in shown)
