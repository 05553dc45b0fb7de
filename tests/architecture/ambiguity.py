"""Whether a pattern may read the same text in two ways, over and over: its time then doubles with every round.

A loop of a pattern is made a graph of its letters (V. M. Glushkov, "The abstract theory of automata", 1961). It is
ambiguous if two different ways through it read the same letters and meet again, which is the sign of exponential
backtracking (N. Weideman et al., "Analyzing matching time behavior of backtracking regular expression matchers by
using ambiguity of NFA", CIAA 2016). Looks ahead and behind are taken as true, so a loop may be named that they save.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from re import _constants as sre
from re import _parser as parser
from typing import Any

# A loop of fewer rounds cannot cost much, and some letters that stand for all the others.
FEW_ROUNDS = 6
UNROLLED = 3
OTHERS = "a0_ \n!-\u4e00\u00e9"
_LOOPS = (sre.MAX_REPEAT, sre.MIN_REPEAT)
_SAVED = (sre.POSSESSIVE_REPEAT, sre.ATOMIC_GROUP)
_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip

type Node = tuple[Any, Any]
# Where a part may begin or end: the place, and in how many ways it is come to.
type Ends = dict[int, int]


def _letters(node: Any) -> set[str]:
    """The letters that a part of a pattern names."""
    if isinstance(node, tuple) and len(node) == 2 and node[0] in (sre.LITERAL, sre.NOT_LITERAL):
        return {chr(node[1])}
    if isinstance(node, tuple) and len(node) == 2 and node[0] is sre.RANGE:
        return {chr(node[1][0]), chr(node[1][1])}
    if isinstance(node, tuple | list | parser.SubPattern):
        return set().union(*map(_letters, node))
    return set()


def _fits(one: Node, letter: str) -> bool:
    kind, value = one
    if kind is sre.LITERAL:
        return letter == chr(value)
    if kind is sre.NOT_LITERAL:
        return letter != chr(value)
    if kind is sre.RANGE:
        return value[0] <= ord(letter) <= value[1]  # type: ignore[no-any-return]
    if kind is sre.CATEGORY:
        return re.match(_CATEGORIES[value], letter) is not None
    if kind is sre.ANY:
        return letter != "\n"
    negated = bool(value) and value[0][0] is sre.NEGATE
    return any(_fits(each, letter) for each in value[negated:]) is not negated


@dataclass(slots=True)
class _Graph:
    """The places of a part, the letters that stand in them, and in how many ways one follows another."""

    alphabet: set[str]
    ignore_case: bool
    letters: list[frozenset[str]] = field(default_factory=list)
    follow: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))

    def place(self, node: Node) -> int:
        both = str.swapcase if self.ignore_case else str
        self.letters.append(
            frozenset(one for one in self.alphabet if _fits(node, one) or _fits(node, both(one)))
        )
        return len(self.letters) - 1

    def join(self, ends: Ends, begins: Ends) -> None:
        for end, ways in ends.items():
            for begin, more in begins.items():
                self.follow[end][begin] = self.follow[end].get(begin, 0) + ways * more

    def sequence(self, nodes: Any) -> tuple[Ends, Ends, int]:
        """The first and the last places, and in how many ways it reads nothing."""
        first: Ends = {}
        last: Ends = {}
        empty = 1
        for node in nodes:
            begin, end, nothing = self.part(node)
            self.join(last, begin)
            first = _add(first, begin, empty)
            last = _add(end, last, nothing)
            empty *= nothing
        return first, last, empty

    def part(self, node: Node) -> tuple[Ends, Ends, int]:
        kind, value = node
        if kind is sre.BRANCH:
            first: Ends = {}
            last: Ends = {}
            empty = 0
            for way in value[1]:
                begin, end, nothing = self.sequence(way)
                first, last, empty = _add(first, begin, 1), _add(last, end, 1), empty + nothing
            return first, last, min(empty, 1)
        if kind is sre.SUBPATTERN:
            return self.sequence(value[3])
        if kind in _LOOPS:
            return self.repeat(*value)
        if kind is sre.POSSESSIVE_REPEAT:
            begin, end, nothing = self.sequence(value[2])
            return begin, end, 1 if value[0] == 0 else nothing
        if kind is sre.ATOMIC_GROUP:
            return self.sequence(value)
        if kind in (sre.LITERAL, sre.NOT_LITERAL, sre.IN, sre.ANY):
            here = self.place(node)
            return {here: 1}, {here: 1}, 0
        return {}, {}, 1  # what stands at a place and reads nothing

    def repeat(self, least: int, most: int, body: Any) -> tuple[Ends, Ends, int]:
        """Write a loop out for its first rounds; a long one goes round in the last of them."""
        endless = most > FEW_ROUNDS
        rounds = min(max(least, 1), UNROLLED) if endless else min(most, UNROLLED)
        first: Ends = {}
        last: Ends = {}
        latest: Ends = {}
        empty = 1
        for number in range(rounds):
            begin, end, nothing = self.sequence(body)
            if endless and number == rounds - 1:
                self.join(end, begin)
            self.join(latest, begin)
            first = _add(first, begin, empty)
            latest = _add(end, latest, nothing)
            last = latest if number < least else _add(last, end, 1)
            empty *= nothing
        return first, last, empty if least else 1

    def two_ways(self) -> str | None:
        """Letters by which two ways part and meet again."""
        starts = [(place, place) for place in range(len(self.letters))]
        read = {(place, place): min(self.letters[place], default="") for place, _ in starts}
        waiting = starts
        while waiting:
            pair = waiting.pop()
            for one, other in self.steps(*pair):
                words = read[pair] + min(self.letters[one] & self.letters[other])
                if one == other:
                    return words
                if (one, other) not in read:
                    read[one, other] = words
                    waiting.append((one, other))
        return None

    def steps(self, left: int, right: int) -> Iterator[tuple[int, int]]:
        """Where two ways may go by one letter, if they are two."""
        for one, ways in self.follow[left].items():
            for other in self.follow[right]:
                together = left == right and one == other and ways < 2
                if not together and self.letters[one] & self.letters[other]:
                    yield min(one, other), max(one, other)


def _add(to: Ends, more: Ends, times: int) -> Ends:
    return {
        place: to.get(place, 0) + more.get(place, 0) * times
        for place in to.keys() | (more.keys() if times else set())
    }


def _loops(nodes: Any) -> Iterator[Any]:
    """Every outermost long loop of a pattern, and those inside of what is never gone back into."""
    if isinstance(nodes, tuple) and len(nodes) == 2 and nodes[0] in _LOOPS:
        _, most, body = nodes[1]
        if most > FEW_ROUNDS:
            yield nodes
            yield from _inner(body)
        else:
            yield from _loops(body)
    elif isinstance(nodes, tuple | list | parser.SubPattern):
        for node in nodes:
            yield from _loops(node)


def _inner(nodes: Any) -> Iterator[Any]:
    if (
        isinstance(nodes, tuple)
        and len(nodes) == 2
        and nodes[0] in (*_SAVED, sre.ASSERT, sre.ASSERT_NOT)
    ):
        yield from _loops(nodes[1])
    elif isinstance(nodes, tuple | list | parser.SubPattern):
        for node in nodes:
            yield from _inner(node)


_known: dict[tuple[str, bool], str | None] = {}


def ambiguous(pattern: str, flags: int = 0) -> str | None:
    """Return letters that a loop of the pattern reads in two ways, or None."""
    ignore_case = bool(flags & re.IGNORECASE)
    for loop in _loops(parser.parse(pattern, flags)):
        if (key := (repr(loop), ignore_case)) not in _known:
            graph = _Graph(_letters(loop) | set(OTHERS), ignore_case)
            graph.part(loop)
            _known[key] = graph.two_ways()
        if found := _known[key]:
            return found
    return None
