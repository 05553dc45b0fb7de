"""Whether a sentence ends what another says: its habit at the same time of day, and nothing beside it."""

import pytest

from memory.text.stance import Reversal

ENDS = [
    ("我不再早上跑步了", "习惯早上六点起床跑步"),
    ("I no longer run in the mornings", "I run at six every morning"),
    ("I no longer run in the mornings", "I usually get up at six and run"),
    ("我不再晚上练琴了", "我每天晚上八点练琴一小时"),
    ("我不再写日记了", "睡前写半小时日记"),
    ("I no longer swim before work", "I swim before work at 6:30"),
    ("I no longer meditate", "I meditate for twenty minutes after waking up"),
    ("I no longer run", "I run 5 km every morning"),
]
BESIDE = [
    ("我不再早上跑步了", "我晚上八点跑步"),
    ("我不再早上跑步了", "我每天跑步"),
    ("我不再早上跑步了", "早上六点起床练琴"),
    ("I no longer run in the mornings", "I run every evening at eight"),
    ("I no longer run in the mornings", "I run every day"),
    ("I no longer run in the mornings", "I run a bakery"),
    ("I no longer run in the mornings", "My sister runs every morning"),
    ("I no longer swim before work", "I swim at the club on Sundays"),
    ("我不再学法语了", "我妹妹学法语"),
]


@pytest.mark.parametrize(("new", "old"), ENDS)
def test_a_habit_ends_by_its_core(new: str, old: str) -> None:
    assert Reversal(new).of(old)


@pytest.mark.parametrize(("new", "old"), BESIDE)
def test_what_is_over_at_one_time_of_day_goes_on_at_another(new: str, old: str) -> None:
    assert not Reversal(new).of(old)


@pytest.mark.parametrize("old", [old for _, old in ENDS])
def test_a_habit_said_again_ends_nothing(old: str) -> None:
    assert not Reversal(old).of(old)
