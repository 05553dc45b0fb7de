"""Things of which people have one at a time for one use: databases, editors, usual drinks. Listed beside this file."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

LISTED = Path(__file__).with_name("alternatives.txt")
LIKED, NAMED, DAILY = "~", "!", "^"
_LATIN = re.compile("[a-z]")
_HYPHEN = re.compile("(?<=[a-z0-9])-(?=[a-z0-9])")
# "Signal Hill" and "Julia's place" are where somebody is.
_SOMEWHERE = re.compile(
    r"(?: [A-Z][a-z]+)? (?:Street|St|Road|Rd|Avenue|Lane|Hill|Hills|Park|Square|Place|Court|Heights|Valley|Beach|Bay|Falls"
    r"|City|County|Island|Islands|Springs|Bridge|Arizona|AZ)(?![A-Za-z])"
    r"|['’]s (?:place|flat|house|home|room|desk|street|village|parents)(?![a-z])"
)
_MODEL = re.compile("(?: ?[A-Z0-9][A-Za-z0-9+.]*+)*+")  # "Pixel 9 Pro", "MacBook Air"


@dataclass(frozen=True, slots=True)
class Listed:
    """What a word is: a ``thing`` of a sort, or (without one) what the sort is called."""

    sort: str
    thing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """All that is listed, by its words.

    ``liked``: the sorts of which one likes several; ``named``: those whose things have other sides.
    ``daily``: those of which one is taken anew each time. ``things``: the words of each sort's things.
    """

    words: Mapping[str, Sequence[Listed]]
    things: Mapping[str, Sequence[str]]
    liked: frozenset[str]
    named: frozenset[str]
    daily: frozenset[str]
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A listed word in a text, from ``start`` to ``end``, and all that it may be."""

    start: int
    end: int
    listed: Sequence[Listed]

    @property
    def sorts(self) -> frozenset[str]:
        """The sorts it may be of."""
        return frozenset(one.sort for one in self.listed)

    @property
    def kinds(self) -> frozenset[str]:
        """The sorts of which it may be a thing."""
        return frozenset(one.sort for one in self.listed if one.thing)


@lru_cache(maxsize=1)
def lists() -> Lists:
    """Return what is listed, read once."""
    words: dict[str, list[Listed]] = defaultdict(list)
    things: dict[str, list[str]] = {}
    marks: dict[str, set[str]] = defaultdict(set)
    for line in LISTED.read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        sort, called, examples = (part.strip() for part in line.split("|"))
        marked, sort = sort, sort.lstrip(f"{LIKED}{NAMED}{DAILY} ")
        for mark in set(marked) & {LIKED, NAMED, DAILY}:
            marks[mark].add(sort)
        for word in called.split():
            words[_spaced(word)].append(Listed(sort))
        for same in examples.split():
            for word in same.split("="):
                words[_spaced(word)].append(Listed(sort, same))
        things[sort] = [_spaced(word) for same in examples.split() for word in same.split("=")]
    return Lists(
        words=MappingProxyType(dict(words)),
        things=MappingProxyType(things),
        liked=frozenset(marks[LIKED]),
        named=frozenset(marks[NAMED]),
        daily=frozenset(marks[DAILY]),
        pattern=_pattern(words),
    )


def _spaced(word: str) -> str:
    return word.replace("_", " ")


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds each word in a text in small letters, the longest first."""
    latin, han = [], []
    for word in sorted(words, key=len, reverse=True):
        spelt = re.escape(word.lower())
        if _LATIN.search(spelt):
            latin.append(spelt.replace("\\ ", "[ -]?"))
        else:
            han.append(spelt)
    return re.compile(f"(?<![a-z0-9])(?:{'|'.join(latin)})s?(?![a-z0-9])|{'|'.join(han)}")


def mentions(text: str) -> Iterator[Mention]:
    """Yield the listed words of a text; what is said of a thing at once is part of it (联想小新, Pixel 9)."""
    before: Mention | None = None
    small = text.lower()
    small = small if len(small) == len(text) else text
    for match in lists().pattern.finditer(small):
        listed = _listed(text[match.start() : match.end()])
        if not listed or (before is not None and match.start() < before.end):
            continue
        if _SOMEWHERE.match(text, match.end()):
            continue
        model = _MODEL.match(text, match.end()) if any(one.thing for one in listed) else None
        one = Mention(start=match.start(), end=model.end() if model else match.end(), listed=listed)
        if before is None or before.end < one.start or not before.kinds & one.kinds:
            yield one
        before = one


def _listed(word: str) -> Sequence[Listed]:
    """Return what a word is, as it is written, else in small letters, as one or as several of it."""
    words, small = lists().words, word.lower()
    for spelt in (word, small, _HYPHEN.sub(" ", small), small.replace(" ", "")):
        for one in (spelt, spelt.removesuffix("s")):
            if one in words:
                return words[one]
    return ()
