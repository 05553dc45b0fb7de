"""Whether a later statement retires an earlier one: the same is said of the same topic, otherwise.

"My rent is 1,350 now" retires "my rent is 1,200"; "my car insurance is with Allianz now" says nothing of
"my car is a Golf". Meaning cannot tell: both pairs are equally close for every model. So this looks at
how the later one says that something changed: it takes something back ("no longer", 不再), names what was
exchanged ("I changed advisors", 换手机了), gives the same head another value, or differs in one place
only. Where nothing says that it changed, only another number in the very same words counts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from operator import and_

from memory.policy import CHANGE
from memory.text import change_signs as signs
from memory.text.ahead import ahead
from memory.text.concepts import Token
from memory.text.guard import content
from memory.text.numbers import signature
from memory.text.perspective import plain


@dataclass(frozen=True)
class Part:
    """A clause. Each look at it is taken when it is first asked for, and once: a text meets many others."""

    text: str

    @cached_property
    def said(self) -> Sequence[Token]:
        """Its concepts in order, without what only says that something changed."""
        return content(signs.ABOUT_CHANGE.sub("\x00", self.text))

    @cached_property
    def tokens(self) -> Sequence[str]:
        """The names of its concepts."""
        return [token.name for token in self.said]

    @cached_property
    def unlisted(self) -> frozenset[str]:
        """Those of its concepts that nobody has listed."""
        return frozenset(token.name for token in self.said if token.word)

    @cached_property
    def numbers(self) -> tuple[frozenset[str], Sequence[object]]:
        """Its numbers and dates, and its times of day."""
        return signature(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The concepts that tell the clause from others."""
        return frozenset(self.tokens) - signs.GENERIC

    @cached_property
    def things(self) -> frozenset[str]:
        """Those that could be taken back: no times and no numbers."""
        return frozenset(one for one in self.names - signs.WHEN if not any(map(str.isdigit, one)))

    @cached_property
    def head(self) -> frozenset[str]:
        """What it speaks of: the concepts before its verb."""
        verb = _verb(self.text)
        return _names(self.text[: verb.start()]) if verb else frozenset()

    @cached_property
    def left(self) -> frozenset[str]:
        """What it says was exchanged for something else ("from X to")."""
        gone = signs.FROM.search(self.text)
        return _names(gone["x"] or gone["y"]) if gone else frozenset()

    @cached_property
    def states(self) -> Sequence[bool]:
        """Which of the topics with verbs of their own it is about."""
        return [bool(before.search(self.text)) for before, _ in signs.TOPICS]


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What somebody said, read once. ``parts`` are the whole and, if it has several, the clauses that tell of a change.

    ``changed``: it says that something is otherwise now; ``wrong``: that it was never so; ``adds``: that
    one more is so.
    """

    whole: Part
    parts: Sequence[Part]
    changed: bool
    wrong: bool
    adds: bool

    @cached_property
    def taken_back(self) -> Sequence[tuple[float, frozenset[str]]]:
        """What it takes back, each with the share of an earlier statement that must be named."""
        return [
            (enough, _names(match["x"]))
            for enough, patterns in ((CHANGE.ended, signs.ENDED), (CHANGE.denied, signs.DENIED))
            for pattern in patterns
            for match in signs.found(pattern, self.whole.text)
        ]

    @cached_property
    def exchanged(self) -> Sequence[tuple[frozenset[str], frozenset[str]]]:
        """What it says was exchanged as a whole, each with the concepts named before."""
        text = self.whole.text
        return [
            (_names(match["x"] or match["y"]), _names(text[: match.start()]))
            for match in signs.EXCHANGED.finditer(text)
        ]

    @cached_property
    def turns(self) -> tuple[bool, str]:
        """Whether it goes back on a change, and the verb that now has another thing."""
        verb = signs.OTHER_VERB.search(self.whole.text)
        return bool(signs.WENT_BACK.search(self.whole.text)), verb["v"] if verb else ""

    @cached_property
    def planned(self) -> bool:
        """Whether it has yet to come to be."""
        return self.changed and ahead(self.whole.text)

    @cached_property
    def topics(self) -> Sequence[bool]:
        """Of which of the topics with verbs of their own it says that they changed."""
        return [bool(later.search(self.whole.text)) for _, later in signs.TOPICS]


def read(text: str) -> Statement:
    """Return a statement, of the person or of an agent about them, ready to be compared."""
    said = signs.USER.sub("我", plain(text[: CHANGE.longest]))
    wrong = bool(signs.WRONG.search(said))
    changed = wrong or bool(signs.CHANGED.search(said))
    whole = Part(said)
    clauses = signs.CLAUSE.findall(said) if changed else []
    telling = [one for one in clauses if wrong or signs.CHANGED.search(one)]
    return Statement(
        whole=whole,
        parts=[whole, *map(Part, telling)] if len(clauses) > 1 else [whole],
        changed=changed,
        wrong=wrong,
        adds=bool(signs.ADDS.search(said)),
    )


def states_change(text: str) -> bool:
    """Whether a text says that something is otherwise now, or since when it has been so."""
    lower = text[: CHANGE.longest].lower().replace("’", "'")
    return bool(signs.CHANGED.search(lower) or signs.SINCE.search(lower))


def may_retire(text: str) -> bool:
    """Whether a text could retire anything: it says that something changed, or it has a number."""
    lower = text[: CHANGE.longest].lower().replace("’", "'")
    return any(
        sign.search(lower) for sign in (signs.CHANGED, signs.WRONG, signs.NUMBER, *signs.DENIED)
    )


def replaces(new: Statement, old: Statement) -> bool:
    """Whether ``new``, said later of the same person, retires ``old``."""
    one, other = new.whole, old.whole
    # Without a change only another number counts: most pairs end here.
    told = new.changed or new.taken_back or (any(one.numbers) and any(other.numbers))
    if not told or new.adds or one.text == other.text or not other.tokens:
        return False
    if _takes_back(new, other):
        return True
    if one.tokens == other.tokens and one.numbers == other.numbers:
        return False  # said again
    if not new.changed:
        return _another_number(one, other, changed=False)
    return (
        _exchanges(new, other)
        or (not new.planned and _otherwise(new, other))
        or any(
            _another_number(part, other, changed=True)
            or _same_head(part, other)
            or _one_place(part, other, wrong=new.wrong)
            for part in new.parts
        )
    )


def kin(text: str) -> frozenset[str]:
    """Return the relatives a text names: those one does not exchange."""
    return _told_apart(content(text.lower())) & signs.KIN if text else frozenset()


def _names(text: str) -> frozenset[str]:
    return _told_apart(content(signs.ABOUT_CHANGE.sub("\x00", text)))


def _told_apart(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.name for token in tokens) - signs.GENERIC


def _share(of: frozenset[str], among: frozenset[str]) -> float:
    return len(of & among) / len(of) if of else 0.0


def _takes_back(new: Statement, old: Part) -> bool:
    """Whether what was said is taken back: "no longer", "quit", "from X to", 不再, 取消, 分手."""
    if not new.taken_back:
        return False
    there, said = old.things, new.whole.names
    if (said - there) & signs.KIN:
        return False
    return any(
        _share(there, gone | said) >= enough and _share(gone, there) >= CHANGE.taken_back
        for enough, gone in new.taken_back
    )


def _exchanges(new: Statement, old: Part) -> bool:
    """Whether what was spoken of was exchanged as a whole: "I changed advisors", 换手机了."""
    return any(
        what
        and what <= old.names
        and not (before - old.names) & signs.KIN
        and (what == old.head or _share(old.names, what) >= CHANGE.alike)
        for what, before in new.exchanged
    )


def _turns_back(new: Statement, old: Part) -> bool:
    """Whether it goes back on a change, or has another thing with the same verb: 改喝美式, 又改回喝拿铁."""
    back, verb = new.turns
    if back and old.left and old.left <= new.whole.names:
        return True
    if signs.ONLY_WHEN.search(new.whole.text) and not signs.ONLY_WHEN.search(old.text):
        return False
    return bool(verb) and len(old.text) <= CHANGE.short and verb in old.text[:4]


def _otherwise(new: Statement, old: Part) -> bool:
    """Whether it says of the same people (a husband's new job is his) that a topic is otherwise now."""
    theirs = new.whole.names & signs.KIN != old.names & signs.KIN
    return _turns_back(new, old) or (not theirs and any(map(and_, new.topics, old.states)))


def _verb(text: str) -> re.Match[str] | None:
    """Return the first verb of being or changing, or else of having."""
    found = [one for one in (signs.IS.search(text, 1), signs.CHANGES.search(text, 1)) if one]
    return min(found, key=lambda one: one.start()) if found else signs.HAS.search(text, 1)


def _same_subject(one: str, other: str) -> bool:
    """Whether both begin with the very same words, numbers and all, and the same verb."""
    mine, theirs = _verb(one), _verb(other)
    return mine is not None and theirs is not None and one[: mine.end()] == other[: theirs.end()]


def _same_head(new: Part, old: Part) -> bool:
    head = new.head
    if not head or head != old.head:
        return False
    if not head & signs.KIN:
        return True
    # "My sister is a doctor" and "is vegan" are both so; "is called" has one answer.
    values = (frozenset(new.tokens) | frozenset(old.tokens)) - head
    return values <= new.unlisted | old.unlisted


def _another_number(new: Part, old: Part, *, changed: bool) -> bool:
    """Whether the same is said with another number or, if something is said to have changed, time."""
    if new.numbers == old.numbers or not (any(new.numbers) and any(old.numbers)):
        return False
    if new.tokens == old.tokens:
        dated = any(one.startswith(("day", "month")) for one in new.numbers[0] ^ old.numbers[0])
        same_clock = new.numbers[1] == old.numbers[1]
        return changed or (same_clock and not dated and _same_subject(new.text, old.text))
    if not changed or (new.names ^ old.names) & (signs.KIN | signs.WHEN):
        return False
    return _share(old.names, new.names) >= CHANGE.repeated


def _one_place(new: Part, old: Part, *, wrong: bool) -> bool:
    """Whether the two differ in one place only, which is not what they speak of."""
    if not wrong and signs.SEVERAL.search(old.text) and not signs.ONE.search(old.text):
        return False
    common = old.names & new.names
    if not common or _share(old.names, new.names) < CHANGE.alike:
        return False
    if _share(new.names, old.names) < CHANGE.found:
        return False
    edits = [
        edit
        for edit in SequenceMatcher(None, old.tokens, new.tokens, autojunk=False).get_opcodes()
        if edit[0] != "equal"
    ]
    if len(edits) != 1 or edits[0][0] != "replace" or edits[0][1] == 0:
        return False
    _, a, b, c, d = edits[0]
    swapped = {*old.tokens[a:b], *new.tokens[c:d]}
    if swapped & (signs.KIN | signs.WHEN):
        return False
    return not common & signs.KIN or wrong or swapped <= old.unlisted | new.unlisted
