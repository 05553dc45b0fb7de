"""Sessions with an assistant, some of which hold something worth writing, with what should come of each.

Every choice comes from one seed. The wordings were written for this example: by hand, without a look at
what the rules read. A person tells a theme once, may say it again later, and may say that it changed.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

from memory.errors import InvalidInput
from memory.evaluation.example import talk_en, talk_zh, themes_en, themes_zh
from memory.evaluation.example.errands import ERRANDS
from memory.evaluation.example.theme import Theme

type Json = dict[str, Any]

FIRST = datetime(2026, 1, 5, 1, tzinfo=UTC)
SPAN = timedelta(days=150)
LEAST, MOST = 10, 10_000  # sessions
SHORTEST, LONGEST = 2, 5  # idle turns of the person in a session
SHARE = 0.2  # of the sessions is worth writing
PER_PERSON = 40  # sessions
MIXED = 0.12  # of the idle turns is in the other language
NESTED = re.compile(r"\{([^{}|]*\|[^{}]*)\}")
LANGUAGES: dict[str, tuple[ModuleType, Sequence[Theme]]] = {
    "zh": (talk_zh, themes_zh.THEMES),
    "en": (talk_en, themes_en.THEMES),
}
SAY, AGAIN, CHANGE = "say", "again", "change"


@dataclass(slots=True)
class Person:
    """Who talks, and what they told so far: each theme with its gold id, value and values before."""

    name: str
    tenant: str
    lang: str
    untold: list[Theme]
    told: dict[str, "Told"] = field(default_factory=dict)


@dataclass(slots=True)
class Told:
    """A theme as it stands now."""

    theme: Theme
    gold: str
    value: str
    before: list[str] = field(default_factory=list)
    repeated: bool = False


class Example:
    """Draws one example; the same seed gives the same one."""

    def __init__(self, *, sessions: int, seed: int) -> None:
        self.draw = random.Random(seed)  # noqa: S311 - an example, no secret
        self.sessions = sessions
        self.people = self._people(max(2, round(sessions / PER_PERSON)))
        self.golds = 0

    def lines(self) -> Iterator[Json]:
        """Yield the sessions in the order of their times, then the questions, then the tasks."""
        worth = set(self.draw.sample(range(self.sessions), round(self.sessions * SHARE)))
        for number in range(self.sessions):
            person = self.people[number % len(self.people)]
            at = FIRST + SPAN * number / self.sessions
            yield self._session(number, person, at, worth=number in worth)
        for person in self.people:
            yield from self._questions(person)
        for person in self.people:
            yield from _tasks(person)

    def _people(self, count: int) -> list[Person]:
        people = []
        for number in range(count):
            lang = ("zh", "en")[number % 2]
            themes = self.draw.sample(LANGUAGES[lang][1], len(LANGUAGES[lang][1]))
            tenant = ("north", "south")[number // 2 % 2]
            people.append(Person(name=f"p{number}", tenant=tenant, lang=lang, untold=themes))
        return people

    def _session(self, number: int, person: Person, at: datetime, *, worth: bool) -> Json:
        turns = [self._idle(person) for _ in range(self.draw.randint(SHORTEST, LONGEST))]
        told = [self._worth(person) for _ in range(self.draw.choice((1, 1, 1, 2)) if worth else 0)]
        places = sorted(self.draw.randint(0, len(turns)) for _ in told)
        for already, (place, one) in enumerate(zip(places, told, strict=True)):
            turns.insert(place + already, one)
        said: list[Json] = []
        write, sensitive = [], []
        for turn in turns:
            write += [one | {"turn": len(said)} for one in turn.pop("write", ())]
            sensitive += [one | {"turn": len(said)} for one in turn.pop("sensitive", ())]
            said.append({"role": "user", **turn})
            said += self._answered(person)
        return {
            "session": f"s{number}",
            "tenant": person.tenant,
            "person": person.name,
            "lang": person.lang,
            "at": at.isoformat(),
            "turns": said,
            "write": write,
            "sensitive": sensitive,
        }

    def _answered(self, person: Person) -> Iterator[Json]:
        talk = LANGUAGES[person.lang][0]
        if self.draw.random() < 0.08:  # noqa: PLR2004 - now and then a tool was asked
            yield {"role": "tool", "text": self._filled(self.draw.choice(talk.RESULTS))}
        yield {"role": "assistant", "text": self._filled(self.draw.choice(talk.REPLIES))}

    def _idle(self, person: Person) -> Json:
        other = self.draw.random() < MIXED
        lang = person.lang if not other else ("en" if person.lang == "zh" else "zh")
        talk = LANGUAGES[lang][0]
        if self.draw.random() < 0.03:  # noqa: PLR2004 - now and then somebody pastes a secret
            return self._secret(talk)
        return {"text": self._filled(self.draw.choice(talk.IDLE[self.draw.choice([*talk.IDLE])]))}

    def _secret(self, talk: ModuleType) -> Json:
        if self.draw.random() < 0.3:  # noqa: PLR2004
            frame, secret = self.draw.choice(talk.CARDS), _card(self.draw)
        else:
            frame, secret = self.draw.choice(talk.SECRETS), _password(self.draw)
        text = self._filled(frame).replace("{s}", secret)
        return {"text": text, "sensitive": [{"text": secret, "level": 50}]}

    def _worth(self, person: Person) -> Json:
        """Return a turn that holds something to write: new, said again, or changed."""
        again = [one for one in person.told.values() if one.theme.again and not one.repeated]
        changing = [one for one in person.told.values() if one.theme.change and not one.before]
        die = self.draw.random()
        if die < 0.16 and changing:  # noqa: PLR2004
            return self._told(person, self.draw.choice(changing), CHANGE)
        if (die < 0.34 and again) or not person.untold:  # noqa: PLR2004
            return self._told(person, self.draw.choice(again or [*person.told.values()]), AGAIN)
        theme = person.untold.pop()
        person.told[theme.name] = Told(theme=theme, gold="", value=self.draw.choice(theme.values))
        return self._told(person, person.told[theme.name], SAY)

    def _told(self, person: Person, told: Told, how: str) -> Json:
        self.golds += 1
        gold, talk = f"g{self.golds}", LANGUAGES[person.lang][0]
        wanted: Json = {"id": gold, "kind": told.theme.kind}
        frames = told.theme.says
        if how == CHANGE:
            told.before.append(told.value)
            told.value = self.draw.choice(
                [one for one in told.theme.values if one not in told.before]
            )
            told.repeated, frames = False, told.theme.change
            wanted["replaces"] = told.gold
        elif how == AGAIN:
            told.repeated, frames = True, told.theme.again or told.theme.says
            wanted["same_as"] = told.gold
        wanted["holds"] = told.value
        if how != AGAIN:
            told.gold = gold
        said = self._filled(self.draw.choice(frames)).replace("{v}", told.value)
        around = [self._filled(self.draw.choice(one)) for one in (talk.BEFORE, talk.AFTER)]
        turn: Json = {
            "text": f"{around[0]}{_led(said) if around[0] else said}{around[1]}",
            "write": [wanted],
        }
        if told.theme.level:
            turn["sensitive"] = [{"text": told.value, "level": told.theme.level}]
        return turn

    def _questions(self, person: Person) -> Iterator[Json]:
        for told in person.told.values():
            about: Json = {
                "ask": self.draw.choice(told.theme.asks),
                "tenant": person.tenant,
                "person": person.name,
                "lang": person.lang,
                "evidence": [told.gold],
                "now": told.value,
            }
            yield about | ({"old": told.before[-1]} if told.before else {})
        known = set(person.told)
        for theme in person.untold[:3]:
            if theme.name not in known:
                yield {
                    "ask": self.draw.choice(theme.asks),
                    "tenant": person.tenant,
                    "person": person.name,
                    "lang": person.lang,
                    "evidence": [],
                }

    def _filled(self, frame: str) -> str:
        return NESTED.sub(lambda found: self.draw.choice(found[1].split("|")), frame)


def _tasks(person: Person) -> Iterator[Json]:
    """Yield the tasks that somebody who knows what the person told could do."""
    for text, themes in ERRANDS[person.lang]:
        if set(themes) <= set(person.told):
            yield {
                "task": text,
                "tenant": person.tenant,
                "person": person.name,
                "lang": person.lang,
                "needs": [person.told[name].gold for name in themes],
            }


def write(path: Path, *, sessions: int, seed: int) -> int:
    """Write an example to a JSONL file; return how many lines it has.

    Raises:
        InvalidInput: for fewer or more sessions than make one.
    """
    if not LEAST <= sessions <= MOST:
        raise InvalidInput(f"An example has {LEAST} to {MOST} sessions.")
    lines = list(Example(sessions=sessions, seed=seed).lines())
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), "utf-8")
    return len(lines)


def _led(said: str) -> str:
    """Return a sentence as it goes on after other words."""
    begins = said.split(maxsplit=1)[0]
    return said if begins[0] == "I" else said[0].lower() + said[1:]


def _password(draw: random.Random) -> str:
    """Return something that looks like a password or token."""
    kind = draw.randrange(3)
    if kind == 0:
        word = draw.choice(("Kestrel", "Lantern", "Quartz", "Bramble"))
        return f"{word}{draw.choice('!#_')}{draw.randrange(1000, 9999)}"
    letters = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789"
    if kind == 1:
        return "sk-" + "".join(draw.choice(letters) for _ in range(32))
    return "ghp_" + "".join(draw.choice(letters) for _ in range(36))


def _card(draw: random.Random) -> str:
    """Return a card number whose check digit is right (Luhn, ISO/IEC 7812-1)."""
    digits = [4, *(draw.randrange(10) for _ in range(14))]
    doubled = [d if at % 2 else sum(divmod(d * 2, 10)) for at, d in enumerate(digits)]
    text = "".join(map(str, [*digits, -sum(doubled) % 10]))
    return " ".join(text[at : at + 4] for at in range(0, 16, 4))
