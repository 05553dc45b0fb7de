"""Turns that say nothing are marked; answers are not."""

import pytest

from memory.choices import Role
from memory.sessions.chatter import is_low


@pytest.mark.parametrize(
    "text",
    ["ok", "OK!", "好的", "嗯嗯，好的", "谢谢", "thanks", "Thank you so much!", "👍", "收到～"],
)
@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT])
def test_nodding_is_low(text: str, role: Role) -> None:
    assert is_low(role=role, text=text, before="已经改好了。")
    assert is_low(role=role, text=text, before="")


@pytest.mark.parametrize(
    "text",
    [
        "我住在苏州。",
        "ok, the budget is 300",
        "好的，改成周五",
        "?",
        "在吗？",
        "how are you?",
        "42",
        "no pork",
    ],
)
def test_what_says_or_asks_something_is_not(text: str) -> None:
    assert not is_low(role=Role.USER, text=text, before="已经改好了。")


@pytest.mark.parametrize(
    "before", ["要不要现在下单", "Shall I book it? I can also wait.", "这样可以吗"]
)
@pytest.mark.parametrize("text", ["ok", "好的", "yes please"])
def test_an_answer_is_not(text: str, before: str) -> None:
    assert not is_low(role=Role.USER, text=text, before=before)


@pytest.mark.parametrize("role", [Role.TOOL, Role.SYSTEM])
def test_only_speech_is_judged(role: Role) -> None:
    assert not is_low(role=role, text="ok", before="")
