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

from memory.policy import CHANGE
from memory.text import change_signs as signs
from memory.text.concepts import Token
from memory.text.guard import content
from memory.text.normalise import clean
from memory.text.numbers import signature
from memory.text.perspective import first_person


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause: its concepts in order without what only says that something changed, and its numbers."""

    text: str
    tokens: Sequence[str]
    unlisted: frozenset[str]
    numbers: tuple[frozenset[str], Sequence[object]]

    @property
    def names(self) -> frozenset[str]:
        """The concepts that tell the clause from others."""
        return frozenset(self.tokens) - signs.GENERIC


@dataclass(frozen=True, slots=True, kw_only=True)
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


def read(text: str) -> Statement:
    """Return a statement, of the person or of an agent about them, ready to be compared."""
    plain = signs.USER.sub(
        "我", first_person(clean(text[: CHANGE.longest])).lower().replace("’", "'")
    )
    wrong = bool(signs.WRONG.search(plain))
    changed = wrong or bool(signs.CHANGED.search(plain))
    whole = _part(plain)
    clauses = signs.CLAUSE.findall(plain) if changed else []
    telling = [one for one in clauses if wrong or signs.CHANGED.search(one)]
    return Statement(
        whole=whole,
        parts=[whole, *map(_part, telling)] if len(clauses) > 1 else [whole],
        changed=changed,
        wrong=wrong,
        adds=bool(signs.ADDS.search(plain)),
    )


def may_retire(text: str) -> bool:
    """Whether a text could retire anything: it says that something changed, or it has a number."""
    lower = text[: CHANGE.longest].lower().replace("’", "'")
    return any(
        sign.search(lower) for sign in (signs.CHANGED, signs.WRONG, signs.NUMBER, *signs.DENIED)
    )


def replaces(new: Statement, old: Statement) -> bool:
    """Whether ``new``, said later of the same person, retires ``old``."""
    one, other = new.whole, old.whole
    if new.adds or not other.tokens or one.text == other.text:
        return False
    if _takes_back(new, other):
        return True
    if one.tokens == other.tokens and one.numbers == other.numbers:
        return False  # said again
    if not new.changed:
        return _another_number(one, other, changed=False)
    return (
        _exchanges(new, other)
        or _turns_back(new, other)
        or any(_of_topic(one.text, other.text))
        or any(
            _another_number(part, other, changed=True)
            or _same_head(part, other)
            or _one_place(part, other, wrong=new.wrong)
            for part in new.parts
        )
    )


def kin(text: str) -> frozenset[str]:
    """Return the relatives a text names: those one does not exchange."""
    return _told_apart(content(text.lower())) & signs.KIN


def _part(text: str) -> Part:
    tokens = content(signs.ABOUT_CHANGE.sub("\x00", text))
    return Part(
        text=text,
        tokens=[token.name for token in tokens],
        unlisted=frozenset(token.name for token in tokens if token.word),
        numbers=signature(text),
    )


def _names(text: str) -> frozenset[str]:
    return _told_apart(content(signs.ABOUT_CHANGE.sub("\x00", text)))


def _told_apart(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.name for token in tokens) - signs.GENERIC


def _share(of: frozenset[str], among: frozenset[str]) -> float:
    return len(of & among) / len(of) if of else 0.0


def _takes_back(new: Statement, old: Part) -> bool:
    """Whether what was said is taken back: "no longer", "quit", "from X to", 不再, 取消, 分手."""
    there = frozenset(one for one in old.names - signs.WHEN if not any(map(str.isdigit, one)))
    if (new.whole.names - there) & signs.KIN:
        return False
    for enough, patterns in ((CHANGE.ended, signs.ENDED), (CHANGE.denied, signs.DENIED)):
        for match in (found for one in patterns for found in one.finditer(new.whole.text)):
            gone = _names(match["x"])
            said = _share(there, gone | new.whole.names) >= enough
            if said and _share(gone, there) >= CHANGE.taken_back:
                return True
    return False


def _exchanges(new: Statement, old: Part) -> bool:
    """Whether what was spoken of was exchanged as a whole: "I changed advisors", 换手机了."""
    head = _head(old.text)
    for match in signs.EXCHANGED.finditer(new.whole.text):
        what = _names(match["x"] or match["y"])
        if (_names(new.whole.text[: match.start()]) - old.names) & signs.KIN:
            continue
        if what and what <= old.names and (what == head or _share(old.names, what) >= CHANGE.alike):
            return True
    return False


def _turns_back(new: Statement, old: Part) -> bool:
    """Whether it goes back on a change, or has another thing with the same verb: 改喝美式, 又改回喝拿铁."""
    gone = signs.FROM.search(old.text)
    if gone and signs.WENT_BACK.search(new.whole.text):
        left = _names(gone["x"] or gone["y"])
        if left and left <= new.whole.names:
            return True
    verb = signs.OTHER_VERB.search(new.whole.text)
    return verb is not None and len(old.text) <= CHANGE.short and verb["v"] in old.text[:4]


def _of_topic(new: str, old: str) -> Iterable[bool]:
    """Where one lives and what one does have verbs of their own: "I live in", 我搬到."""
    return (bool(later.search(new) and before.search(old)) for before, later in signs.TOPICS)


def _verb(text: str) -> re.Match[str] | None:
    """Return the first verb of being or changing, or else of having."""
    found = [one for one in (signs.IS.search(text, 1), signs.CHANGES.search(text, 1)) if one]
    return min(found, key=lambda one: one.start()) if found else signs.HAS.search(text, 1)


def _head(text: str) -> frozenset[str]:
    """Return what a statement speaks of: the concepts before its verb."""
    verb = _verb(text)
    return _names(text[: verb.start()]) if verb else frozenset()


def _same_subject(one: str, other: str) -> bool:
    """Whether both begin with the very same words, numbers and all, and the same verb."""
    mine, theirs = _verb(one), _verb(other)
    return mine is not None and theirs is not None and one[: mine.end()] == other[: theirs.end()]


def _same_head(new: Part, old: Part) -> bool:
    head = _head(new.text)
    if not head or head != _head(old.text):
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
    edits = [
        edit
        for edit in SequenceMatcher(None, old.tokens, new.tokens, autojunk=False).get_opcodes()
        if edit[0] != "equal"
    ]
    if len(edits) != 1 or edits[0][0] != "replace" or edits[0][1] == 0:
        return False
    _, a, b, c, d = edits[0]
    swapped = {*old.tokens[a:b], *new.tokens[c:d]}
    common = old.names & new.names
    if swapped & (signs.KIN | signs.WHEN) or not common:
        return False
    if common & signs.KIN and not wrong and not swapped <= old.unlisted | new.unlisted:
        return False
    return (
        _share(old.names, new.names) >= CHANGE.alike
        and _share(new.names, old.names) >= CHANGE.found
    )
