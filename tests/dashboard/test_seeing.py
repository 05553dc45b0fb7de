"""What an agent can see, page by page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Memory
from tests.cast import Cast
from tests.dashboard.test_agents import PERSONAL, TEXT, flat, text_of


@pytest.mark.parametrize(
    ("lang", "first", "second"),
    [
        ("en", ("1 to 2 of 3, the newest first.", "Show 1 more"), "3 to 3 of 3, the newest first."),
        ("zh-hans", ("这里是第1到2条", "再显示1条"), "这里是第3到3条"),
    ],
)
def test_what_an_agent_can_see_is_listed_to_its_end(
    alice: Client,
    cast: Cast,
    put: Callable[..., Memory],
    monkeypatch: pytest.MonkeyPatch,
    lang: str,
    first: tuple[str, str],
    second: str,
) -> None:
    """The list ended at its newest, and the older could not be looked at."""
    for module in ("memory.recall.sight", "dashboard.views.agents"):
        monkeypatch.setattr(f"{module}.SHOWN", 2)
    texts = (TEXT, PERSONAL, "我每天早上喝乌龙茶")
    for text in texts:
        put(text)
    alice.cookies["django_language"] = lang
    address = reverse("agent", args=[cast.agents["assistant"].id])
    page = text_of(alice, cast, "assistant")
    assert all(said in page for said in first)
    assert [one in page for one in texts] == [False, True, True]
    onward = re.search(r'href="(\?past=2)#sees"', page)
    assert onward is not None
    page = flat(alice.get(address + onward[1]).content)
    assert second in page and [one in page for one in texts] == [True, False, False]
    assert "past=" not in page.partition('id="sees"')[2]
    for other in ("3", "x", "-1", "9" * 30):
        assert texts[2] in flat(alice.get(f"{address}?past={other}").content)
