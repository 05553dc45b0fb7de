"""Counting weekdays: the arithmetic, and what is worth stating."""

import uuid
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.aggregation.mining import Episode, Pattern, days_of, mine, recurs, topics_of
from memory.policy import PATTERN

TODAY = date(2026, 3, 16)  # a Monday
FRIDAY = 4


def episode(day: date, text: str = "游泳", language: str = "zh", outcome: str = "") -> Episode:
    return Episode(
        id=uuid.uuid4(),
        day=day,
        language=language,
        outcome=outcome,
        topics=topics_of(text, language=language),
    )


def fridays_ago(number: int) -> date:
    return date(2026, 3, 13) - timedelta(weeks=number)


def stated(episodes: list[Episode]) -> list[str]:
    found = mine(episodes, today=TODAY)
    return [one.stated() for one in found if recurs(one, found)]


def test_three_of_eleven_fridays() -> None:
    zh = [episode(fridays_ago(number), "下班去游泳了") for number in (0, 4, 10)]
    assert stated(zh) == ["周五：游泳，11 个周五中有 3 个。"]
    en = [episode(fridays_ago(number), "I went swimming", "en") for number in (0, 4, 10)]
    assert stated(en) == ["Fridays: swim, 3 of 11 Fridays."]


def test_how_it_ended_is_counted_and_never_why() -> None:
    ends = ("success", "failure", "success")
    told = [
        episode(fridays_ago(number), "Deployed to production", "en", end)
        for number, end in enumerate(ends)
    ]
    found = [one for one in mine(told, today=TODAY) if one.topic == "deploy"]
    assert found[0].stated() == "Fridays: deploy, 3 of 3 Fridays, 2 succeeded, 1 failed."
    zh = [episode(fridays_ago(number), "部署", outcome=end) for number, end in enumerate(ends)]
    assert stated(zh) == ["周五：部署，3 个周五中有 3 个，成功 2 次，失败 1 次。"]
    assert not any(word in " ".join(stated(zh)) for word in ("因为", "所以", "导致", "because"))


@pytest.mark.parametrize(
    "days",
    [
        [fridays_ago(0), fridays_ago(1)],  # twice is chance
        [fridays_ago(0), fridays_ago(8), fridays_ago(20)],  # 3 of 21 is seldom
        [date(2026, 3, 2) + timedelta(days=number) for number in range(14)],  # every day
        [TODAY + timedelta(weeks=number) for number in range(4)],  # today is not over
        [fridays_ago(40 + number) for number in range(5)],  # long ago
    ],
    ids=["twice", "seldom", "every day", "not over", "long ago"],
)
def test_what_is_no_pattern(days: list[date]) -> None:
    assert stated([episode(day) for day in days]) == []


def test_two_on_one_day_are_one_day() -> None:
    told = [episode(fridays_ago(number)) for number in (0, 0, 1, 2)]
    (found,) = mine(told, today=TODAY)
    assert (found.hits, found.base, len(found.episodes)) == (3, 3, 4)


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("周五和同事吃了火锅", "zh", {"火锅"}),
        ("Had hot pot and then played badminton", "en", {"hotpot", "badminton"}),
        ("昨天很累", "zh", set()),
        ("He is my brother and lives in Berlin", "en", set()),
    ],
)
def test_topics_are_listed_things_in_the_texts_language(
    text: str, language: str, names: set[str]
) -> None:
    assert set(topics_of(text, language=language).values()) == names


# The first draw of a date takes a second on a busy machine.
patient = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
days = st.dates(date(2026, 1, 1), date(2026, 12, 31))


@patient
@given(weekday=st.integers(0, 6), first=days, until=days)
def test_days_of_a_weekday_are_counted_one_by_one(weekday: int, first: date, until: date) -> None:
    span = (first + timedelta(days=number) for number in range((until - first).days))
    assert days_of(weekday, first, until) == sum(day.weekday() == weekday for day in span)


@patient
@given(told=st.lists(days, max_size=40), today=days)
def test_no_pattern_claims_more_than_happened(told: list[date], today: date) -> None:
    episodes = [episode(day) for day in told]
    by_id = {one.id: one.day for one in episodes}
    found: list[Pattern] = mine(episodes, today=today)
    for one in found:
        here = {by_id[id_] for id_ in one.episodes}
        assert one.hits == len(here) <= one.base
        assert all(day.weekday() == one.weekday and day < today for day in here)
        assert all((today - day).days <= PATTERN.window_days for day in here)
        assert (one.first, one.last) == (min(here), max(here))
