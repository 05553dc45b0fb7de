"""Counting what happens on the same weekday again and again. Pure: episodes and a day come in.

A pattern is counts and nothing more: on so many of so many Fridays, of which so many went well. It
never says why.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from memory.policy import PATTERN, PatternPolicy
from memory.text.concepts import OPTIONAL, PERSON, lexicon, tokens
from memory.text.numbers import without_numbers

WEEK = 7
# Sections of the list of concepts whose words name something one does, has or meets.
TELLING = frozenset(("work", "learning", "animals", "food", "leisure", "software", "health"))
WEEKDAYS = {
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    "en": (
        "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """Something that happened on ``day`` (the person's). ``topics`` maps each topic to its name."""

    id: UUID
    day: date
    language: str
    outcome: str
    topics: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A topic on a weekday (0: Monday): on ``hits`` of ``base`` such days.

    ``successes`` and ``failures`` count the episodes with that outcome; most have none.
    """

    topic: str
    name: str
    weekday: int
    language: str
    hits: int
    base: int
    successes: int
    failures: int
    episodes: tuple[UUID, ...]
    first: date
    last: date

    @property
    def key(self) -> str:
        """What tells it from other patterns of the person, whatever the counts."""
        return f"{self.weekday} {self.topic}"

    @property
    def counts(self) -> dict[str, str]:
        """Return the counts as the memory's metadata carries them."""
        return {
            "weekday": str(self.weekday + 1),
            "hits": str(self.hits),
            "base": str(self.base),
            "successes": str(self.successes),
            "failures": str(self.failures),
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
        }

    def stated(self) -> str:
        """Return it as a sentence: counts, never a cause."""
        day = WEEKDAYS[self.language][self.weekday]
        judged = self.successes or self.failures
        if self.language == "zh":
            ends = f"，成功 {self.successes} 次，失败 {self.failures} 次" if judged else ""
            return f"{day}：{self.name}，{self.base} 个{day}中有 {self.hits} 个{ends}。"
        ends = f", {self.successes} succeeded, {self.failures} failed" if judged else ""
        return f"{day}: {self.name}, {self.hits} of {self.base} {day}{ends}."


def topics_of(text: str, *, language: str) -> dict[str, str]:
    """Return the listed things a text tells of, each with its name in the text's language."""
    known = lexicon()
    listed = {
        one.name
        for one in tokens(without_numbers(text.lower()))
        if one.mark not in (OPTIONAL, PERSON)
        and not one.word
        and known.topics.get(one.name) in TELLING
    }
    chinese = known.written if language == "zh" else {}
    return {name: chinese.get(name, name.replace("_", " ")) for name in sorted(listed)}


def mine(
    episodes: Sequence[Episode], *, today: date, policy: PatternPolicy = PATTERN
) -> list[Pattern]:
    """Return every topic's counts on every weekday on which it happened, strongest first.

    Only whole days count, none older than the policy's window. Whether one is worth stating is
    `recurs`'s to say.
    """
    oldest = today - timedelta(days=policy.window_days)
    whole = [one for one in episodes if oldest <= one.day < today]
    if not whole:
        return []
    first = min(one.day for one in whole)
    by_topic: dict[str, list[Episode]] = defaultdict(list)
    for one in whole:
        for topic in one.topics:
            by_topic[topic].append(one)
    found = [
        _pattern(topic, weekday, told, first=first, today=today)
        for topic, told in sorted(by_topic.items())
        for weekday in sorted({one.day.weekday() for one in told})
    ]
    return sorted(found, key=lambda one: (-one.hits / one.base, -one.hits, one.key))


def _pattern(
    topic: str, weekday: int, told: Sequence[Episode], *, first: date, today: date
) -> Pattern:
    here = sorted((one for one in told if one.day.weekday() == weekday), key=lambda one: one.day)
    newest = here[-1]
    return Pattern(
        topic=topic,
        name=newest.topics[topic],
        weekday=weekday,
        language=newest.language,
        hits=len({one.day for one in here}),
        base=days_of(weekday, first, today),
        successes=sum(one.outcome == "success" for one in here),
        failures=sum(one.outcome == "failure" for one in here),
        episodes=tuple(one.id for one in here),
        first=here[0].day,
        last=newest.day,
    )


def days_of(weekday: int, first: date, until: date) -> int:
    """Return how many such weekdays lie from ``first`` until the day before ``until``."""
    begin = first + timedelta(days=(weekday - first.weekday()) % WEEK)
    return max(0, ((until - begin).days + WEEK - 1) // WEEK)


def recurs(pattern: Pattern, others: Sequence[Pattern], *, policy: PatternPolicy = PATTERN) -> bool:
    """Whether a pattern is worth stating: often enough, and oftener than on the other weekdays.

    ``others`` are all patterns of the same person.
    """
    if pattern.hits < policy.hits or pattern.hits / pattern.base < policy.share:
        return False
    same = [one for one in others if one.topic == pattern.topic and one.key != pattern.key]
    elsewhere = sum(one.hits for one in same) / (pattern.base * (WEEK - 1))
    return pattern.hits / pattern.base >= policy.lift * elsewhere
