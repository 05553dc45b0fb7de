"""From when what is told holds, in both languages."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.since import since

AT = datetime(2026, 3, 25, 9, tzinfo=ZoneInfo("Asia/Shanghai"))
TOLD = [line.split(" | ") for line in """
I've been vegan since March | 2026-03-01
since December I swim | 2025-12-01
since early May 2024 I teach | 2024-05-01
I've lived here since 2019 | 2019-01-01
starting in May I work nights | 2026-05-01
I start night shifts next month | 2026-04-01
since March 3 I swim | 2026-03-03
I joined last Friday | 2026-03-20
三月起我吃素 | 2026-03-01
十二月以来我每天游泳 | 2025-12-01
从去年五月起学琴 | 2025-05-01
从2021年3月起在青柠工作 | 2021-03-01
五月开始上夜班 | 2026-05-01
下个月初去北京 | 2026-04-01
下个月底搬家 | 2026-04-30
我下个月开始值夜班 | 2026-04-01
2019年起住在上海 | 2019-01-01
""".strip().splitlines()]  # fmt: skip


@pytest.mark.parametrize(("text", "day"), TOLD)
def test_what_holds_from_a_month_or_year_holds_from_its_first_day(text: str, day: str) -> None:
    found = since(text, AT)
    assert found is not None and found.isoformat() == f"{day}T00:00:00+08:00"


@pytest.mark.parametrize(
    "text", ["我一月起床很早", "三个月开始显怀", "I may start", "I work from home"]
)
def test_no_time_is_none(text: str) -> None:
    assert since(text, AT) is None


@given(
    st.sampled_from([text for text, _ in TOLD]),
    st.datetimes(datetime(1980, 1, 1), datetime(2090, 1, 1)),
)
def test_it_is_a_midnight_of_the_persons_zone(text: str, at: datetime) -> None:
    here = at.replace(tzinfo=AT.tzinfo)
    found = since(text, here)
    assert found is not None and found.tzinfo is here.tzinfo
    assert (found.hour, found.minute, found.second) == (0, 0, 0)
