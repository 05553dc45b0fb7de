"""Whether a statement says that one thing took another's place, and which earlier statement that ends.

"We moved to SQLite" names neither what was nor what it was for. That PostgreSQL is over follows from what
the two are: both are databases. The list (memory.text.alternatives) says so of common things; what is
neither on it nor called what it is ("the database") takes no place here. Closeness in meaning would not
do: a cache is as near to a database as another database is.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from memory.policy import CHANGE
from memory.text import exchange_signs as signs
from memory.text.ahead import ahead
from memory.text.alternatives import Mention, lists, mentions
from memory.text.changed import kin
from memory.text.concepts import tokens
from memory.text.normalise import clean
from memory.text.perspective import first_person

_BESIDE_HAN = re.compile("(?<=[\u4e00-\u9fff]) (?=[!-~])|(?<=[!-~]) (?=[\u4e00-\u9fff])")


@dataclass(frozen=True)
class Said:
    """A statement or a clause of one, as the person would say it."""

    text: str

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The listed words."""
        return tuple(mentions(self.text))

    @cached_property
    def called(self) -> frozenset[str]:
        """The sorts that are called by their names."""
        found = (listed for one in self.mentions for listed in one.listed)
        return frozenset(one.sort for one in found if not one.thing)

    @cached_property
    def sorts(self) -> frozenset[str]:
        """The sorts it speaks of. Where what a thing is for is named, it is of no other: Redis as the cache."""
        found = (listed for one in self.mentions for listed in one.listed)
        filled = frozenset(one.sort for one in found if one.thing)
        return (filled & self.called) or filled or self.called

    def things(self, sort: str, *, since: int = 0) -> frozenset[str]:
        """Return the things of a sort that it names, from the character ``since`` on."""
        later = (one for one in self.mentions if one.start >= since)
        found = (listed for one in later for listed in one.listed)
        return frozenset(one.thing for one in found if one.sort == sort and one.thing)

    def use(self, sort: str) -> frozenset[str]:
        """Return what else it speaks of than things of this sort: what they are for."""
        rest, said, end = [], set(), 0
        for one in self.mentions:
            rest.append(self.text[end : one.start])
            end = one.end
            if sort not in one.sorts:
                said.add(f"{min(one.sorts)}: {one.listed[0].thing}")
        plain = signs.IDLE.sub("\x00", "\x00".join([*rest, self.text[end:]]).lower())
        free = tokens(signs.COUNTED.sub("\x00", plain))
        return (frozenset(one.name for one in free) | said) - signs.LIGHT

    @cached_property
    def places(self) -> frozenset[str]:
        """Where or for what it is so: at work, at home, in the new project."""
        there = signs.OVER.sub("\x00", self.text)
        return frozenset(name for name, sign in signs.PLACES if sign.search(there))

    @cached_property
    def whose(self) -> frozenset[str]:
        """Whether it is the speaker's own, or a team's."""
        own, shared = signs.MINE.search(self.text), signs.OURS.search(self.text)
        return frozenset(who for who, found in (("i", own), ("we", shared)) if found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What a statement holds that is over: things of a sort; ``same_use``: both say for what they are."""

    sort: str
    things: frozenset[str]
    same_use: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A statement that something took another's place, and the clause of it that says what did.

    ``plainly``: it says so by a verb, and not only that it is so "now". ``over``: the things of each
    sort that it says are no longer.
    """

    whole: Said
    clause: Said
    since: int
    plainly: bool
    over: Mapping[str, frozenset[str]]

    def words(self) -> str:
        """Return the words of everything that it could put an end to, to look for it by."""
        return " ".join(word for sort in self.clause.sorts for word in lists().things[sort])

    def ends(self, old: str) -> Ended | None:
        """Return what of an earlier statement of the same person this puts an end to, if anything."""
        told = Said(plain(old))
        if signs.NOT_HELD.search(told.text) or kin(self.whole.text) != kin(told.text):
            return None
        if not self.whole.places <= told.places:
            return None
        for sort in sorted(self.clause.sorts & told.sorts):
            now, was = self.now(sort), told.things(sort)
            if not self._may_end(sort, now, was, told):
                continue
            mine = self.clause.use(sort)
            # What it says more is another use: "our site" goes on where "our German site" has moved.
            if mine <= told.use(sort):
                return Ended(sort=sort, things=was, same_use=bool(mine))
        return None

    def now(self, sort: str) -> frozenset[str]:
        """Return the things of a sort that it says are in use from now on."""
        return self.clause.things(sort, since=self.since) - self.over.get(sort, frozenset())

    def _may_end(self, sort: str, now: frozenset[str], was: frozenset[str], told: Said) -> bool:
        if not self._as_rule(sort):
            return False
        if sort in lists().named and sort not in told.called:
            return False
        if now & was or len(was) > 1 or not now | was or self._holds_again(sort, was):
            return False  # it is so already, it is one of several, or nothing is known of either
        if over := self.over.get(sort):
            return bool(over & was)
        called = sort in self.clause.called and sort in told.called
        if not (now and was) and (not called or sort in lists().liked | lists().named):
            return False
        return (
            called or not (self.whole.whose and told.whose) or bool(self.whole.whose & told.whose)
        )

    def _as_rule(self, sort: str) -> bool:
        """Whether it says so of the rule, and not of a moment: of one way to work, of what can be used."""
        text = self.whole.text
        if sort in lists().daily and signs.ONE_TIME.search(text):
            return False
        if self.plainly:
            return True
        if sort in lists().liked or signs.CAN.search(text):
            return False
        called = sort in self.clause.called
        if sort in lists().daily and not (called or signs.AS_RULE.search(self.clause.text)):
            return False
        start = signs.NOW.sub("", self.clause.text).lstrip()
        first = next((one for one in Said(start).mentions if sort in one.kinds), None)
        return called or first is None or first.start > 0

    def _holds_again(self, sort: str, was: frozenset[str]) -> bool:
        """Whether another clause says that it is so again or still: "… but now we're back on MySQL"."""
        clauses = (
            Said(one) for one in signs.CLAUSE.split(self.whole.text) if signs.STILL.search(one)
        )
        back = (one.things(sort) for one in clauses if one.text != self.clause.text)
        gone = self.over.get(sort, frozenset())
        return any(one & was - gone for one in back)


def plain(text: str) -> str:
    """Return a statement as the person would say it, the case of its letters kept."""
    said = first_person(clean(text[: CHANGE.longest])).replace("’", "'")
    return _BESIDE_HAN.sub("", said)


def exchange(text: str) -> Exchange | None:
    """Return what a statement says has taken another's place; None if it says no such thing."""
    said = plain(text)
    if not signs.SAYS_SO.search(said) or signs.UNDECIDED.search(said) or ahead(said):
        return None
    if signs.OCCASION.search(said):
        return None
    plainly = bool(signs.EXCHANGED.search(said))
    read = [
        Exchange(whole=Said(said), clause=clause, since=since, plainly=plainly, over=_over(said))
        for clause, since in _clauses(said)
    ]
    if signs.MOVED_THERE.search(said):
        read = [one for one in read if one.clause.called]
    named = (one for one in read if any(map(one.now, one.clause.sorts)))
    return next(named, None) or next((one for one in read if one.clause.called and one.since), None)


def in_use(text: str) -> bool:
    """Return whether a statement says which thing of a sort, called by its name, is what is used."""
    said = plain(text)
    if signs.UNDECIDED.search(said) or signs.NOT_HELD.search(said) or ahead(said):
        return False
    whole = Said(said)
    return any(whole.things(sort) for sort in whole.called)


def _clauses(said: str) -> Iterator[tuple[Said, int]]:
    """Yield each clause, and from where on it says what took the place of what: 0 if it does not say so."""
    for text in signs.CLAUSE.split(said):
        toward = signs.TOWARD.search(text)
        yield Said(text), toward.end() if toward else 0


def _over(said: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = defaultdict(frozenset)
    for match in signs.OVER.finditer(said):
        gone = Said(next(one for one in match.groups() if one is not None))
        for sort in gone.sorts:
            found[sort] |= gone.things(sort)
    return {sort: things for sort, things in found.items() if things}
