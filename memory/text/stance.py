"""What a sentence says holds and what it says does not, clause by clause, in either language.

"I love durian" and "I cannot stand durian these days" are about one thing and say opposite things of
it; "I have stopped coaching swimming" ends what "I coach fencing and swimming" says, in part. Pure.
"""

import re
from dataclasses import dataclass

from memory.text.concepts import tokens
from memory.text.normalise import clean
from memory.text.numbers import signature, without_numbers
from memory.text.perspective import plain

_DENIES, _DISLIKES = {"not", "stop"}, {"dislike", "refuse"}
# What says nothing of what it is about: verbs that go with any thing, and liking it.
_LIGHT = {
    "like",
    "used_to",
    "want",
    "have",
    "use",
    "eat",
    "drink",
    "play",
    "listen",
    "watch",
    "some",
    "all",
}
# How often and how much; what is over is over however often it was.
_OFTEN = {
    "daily", "weekly", "monthly", "yearly", "weekend", "times", "biweekly", "morning", "evening",
    "km", "kilometr", "cup", "pack", "glass", "hour", "minut",
    "杯", "瓶", "包", "根", "碗", "顿", "次", "公", "里", "盒", "罐", "支", "半",
}  # fmt: skip
# When in the day: what is over in the mornings may go on in the evenings.
_WHEN = tuple(
    (name, re.compile(f"{zh}|(?<![a-z])(?:{en})(?![a-z])"))
    for name, zh, en in (
        ("before_bed", "临?睡觉?前", "before (?:going to )?(?:bed|sleep)|at bedtime"),
        ("waking", "(?:起床|醒来|睡醒)(?:以?后)?", "(?:after )?(?:getting|waking) up|(?:get|wake) up(?= .{0,20}(?<![a-z])and(?![a-z]))"),
        ("before_work", "上[班学]前", "before (?:work|school)"),
        ("after_work", "[下放][班学](?:以?后)?", "after (?:work|school)"),
        ("meal", "(?:早|午|晚)?饭[前后]", "(?:before|after) (?:breakfast|lunch|dinner|meals)"),
        ("morning", "早上|早晨|清晨|上午|一大?早", "mornings?"),
        ("noon", "中午|午间", "noon|midday|lunch ?time"),
        ("afternoon", "下午|午后", "afternoons?"),
        ("evening", "晚上|晚间|傍晚|夜里|夜晚|深夜|(?<=每)晚", "evenings?|nights?"),
    )
)  # fmt: skip
_ANY_WHEN = re.compile("|".join(pattern.pattern for _, pattern in _WHEN))
_CLAUSE = re.compile(
    r"[，。；;!！?？：:\n]+(?![0-9])|,(?!\d)|\.(?=\s|\Z)|\s[–—-]+\s|(?<![a-z])but(?![a-z])|但是?|不过(?!敏)"
)
# Ways to be done with something, each read as "stopped".
_DONE_EN = re.compile(
    r"(?<![a-z])(?:sold|cancel+ed|got rid of|threw (?:out|away)|unsubscribed from|broke up with"
    r"|gave away|dropped out of|moved out of"
    r"|(?:am|'m|are|'re) done with|(?:am|'m|are|'re) off)(?![a-z])"
)
_DONE_ZH = re.compile(
    r"卖掉?了|取消了?|退掉?了|扔掉?了|注销了?|退订了?|丢掉了|分手了?|搬离了?|不干了|离开了"
)
_GIVEN_UP_ZH = (
    (re.compile(r"戒(?:掉|断)?了?烟|烟(?:已经)?戒(?:掉|断)?了?"), "不再抽烟"),
    (re.compile(r"戒(?:掉|断)?了?酒|酒(?:已经)?戒(?:掉|断)?了?"), "不再喝酒"),
)
# To take something up, or up again, is to do it.
_TAKEN_UP = re.compile(
    r"(?<![a-z])(?:started|starting|have come to|'ve come to|came to|come to|began|begun|back to|again"
    r"|learned to|learnt to|grown to)(?![a-z])|(?:又)?(?:重新)?开始|重新|又(?=[\u4e00-\u9fff])|慢慢|渐渐|变得|早就|早已|早(?=不)|已经|可以|能(?=[吃喝])"
)
_ANY_MORE = re.compile(r"(?<![a-z])any ?(?:more|longer)(?![a-z])")
# Only so far, or only now and then: no full reversal.
_IN_PART = re.compile(
    r"(?<![a-z])(?:after|before|except|unless|until|if|when|while|only|too much|as much|as often"
    r"|every time|always|sometimes|today|tonight|tomorrow|right now|for now|this time)(?![a-z])"
    r"|除了|除非|如果|要是|的时候|今天|今晚|明天|这次|暂时|太多|那么|总是|(?<![一两二三四五六七八九十几0-9])只(?!要)|一定要"
)
# A thing that is no longer there, whoever did away with it.
_GONE = re.compile(
    r"(?P<x>[^，。；,;.!?！？]{1,40}?)(?: (?:was|were|is|are|has been|have been|got)(?: now| already| just| since| finally)?"
    r" (?:switched off|turned off|retired|decommissioned|shut down|discontinued|scrapped|torn down|taken down|dismantled"
    r"|no longer (?:in use|used|available|there))"
    r"(?= (?:yesterday|today|last|this|on|since|for good|permanently|now|already|a|two|three)(?![a-z])|[,.;!]|\Z)"
    r"|(?:昨天|前天|今天|上周|上个?月|现在|已经?|被|就|都){0,3}(?:下线|停用|关停|退役|报废|停服|下架|拆掉?|注销|废弃|关机|撤掉)(?:了|啦|\Z))",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*")
_LIKE_A_NAME = re.compile(r"[0-9_]|[A-Za-z]-[A-Za-z0-9]|[a-z][A-Z]|\A[A-Z]{2,}\Z")
_PRONOUNS = {"it", "that", "this", "he", "she", "they", "everything", "i", "we"}


@dataclass(frozen=True, slots=True)
class Stance:
    """What one clause speaks of (concepts, in order), and whether it says that it holds.

    ``when`` are the times of day it names; they are among the concepts only where it names nothing else.
    """

    of: tuple[str, ...]
    when: frozenset[str]
    holds: bool
    stops: bool
    numbers: frozenset[str]
    in_part: bool

    @property
    def things(self) -> frozenset[str]:
        """The concepts, in no order."""
        return frozenset(self.of)

    @property
    def what(self) -> tuple[str, ...]:
        """The concepts without how often."""
        return tuple(one for one in self.of if one not in _OFTEN)


def stances(text: str) -> tuple[Stance, ...]:
    """Return what each clause of a text says holds or does not; clauses without content are left out."""
    return tuple(one for one in map(_stance, _clauses(text)) if one is not None)


def _clauses(text: str) -> list[str]:
    return _CLAUSE.split(_as_stopped(plain(text)))


def _as_stopped(text: str) -> str:
    for pattern, said in _GIVEN_UP_ZH:
        text = pattern.sub(said, text)
    return _TAKEN_UP.sub(" ", _DONE_ZH.sub("不再 ", _DONE_EN.sub(" stopped ", text)))


def _stance(clause: str) -> Stance | None:
    # "I can't stand it any more" is denied once, "I no longer hate it" is denied and turned round.
    once = _ANY_MORE.sub(" ", clause)
    when, rest = _timed(once)
    of = _topic(rest) or _topic(once)
    if not of:
        return None
    said = _said(once)
    return Stance(
        of=of,
        when=when,
        holds=_holds(said),
        stops="stop" in said or bool(_ANY_MORE.search(clause)),
        numbers=signature(clause)[0],
        in_part=bool(_IN_PART.search(rest)),
    )


def _timed(clause: str) -> tuple[frozenset[str], str]:
    """Return the times of day a clause names, and the clause without them."""
    if not _ANY_WHEN.search(clause):
        return frozenset(), clause
    when = {name for name, pattern in _WHEN if pattern.search(clause)}
    when |= {"morning"} if "waking" in when else set()
    for _, pattern in _WHEN:
        clause = pattern.sub(" ", clause)
    return frozenset(when), clause


def _said(clause: str) -> set[str]:
    return {token.name for token in tokens(clause)}


def _holds(said: set[str]) -> bool:
    return (bool(said & _DENIES) + bool(said & _DISLIKES)) % 2 == 0


def _topic(clause: str) -> tuple[str, ...]:
    """Return what a clause is about: its concepts in order, without its no and its liking."""
    names = [token.name for token in tokens(without_numbers(clause))]
    of = [name for name in names if name not in _DENIES | _DISLIKES | _LIGHT]
    if "car" in of and len(of) > 1:  # to drive a Volvo is to have one
        of.remove("car")
    return tuple(dict.fromkeys(of))


class Reversal:
    """Whether a text says the opposite of what others say first, of the same thing; read once for many.

    A refusal may leave out how it was ("I no longer run" ends "I run 5 km every morning"); one that
    names a time of day speaks of nothing at another.
    """

    def __init__(self, new: str) -> None:
        """Read what the newer text says."""
        self._said = [one for one in stances(new) if not one.in_part]
        self._turned = {not one.holds for one in self._said}

    def of(self, old: str) -> bool:
        """Whether it says the opposite of what ``old`` says first."""
        before = self._first(old) if self._said else None
        return before is not None and any(_turns(one, before) for one in self._said)

    def _first(self, old: str) -> Stance | None:
        """Return what a text says first, unless that cannot be the opposite of anything here.

        Most of what stands beside a new text agrees with it, and whether it does is quickly seen.
        """
        for clause in _clauses(old):
            once = _ANY_MORE.sub(" ", clause)
            if _holds(_said(once)) in self._turned:
                if (found := _stance(clause)) is not None:
                    return found
            elif _topic(once) or _topic(_timed(once)[1]):
                return None
        return None


def _turns(new: Stance, old: Stance) -> bool:
    if new.holds == old.holds or old.in_part:
        return False
    if new.numbers - old.numbers or new.when - old.when:
        return False
    if new.things == old.things:
        return True
    begins = frozenset(old.what[: len(new.things)])
    return old.holds and begins == new.things


def stopped(text: str) -> tuple[Stance, ...]:
    """Return the clauses that say of something that it is over, or not so any more."""
    return tuple(one for one in stances(text) if not one.holds and not one.in_part)


def stops(text: str) -> bool:
    """Whether a text says in so many words that something has come to an end."""
    return any(one.stops for one in stopped(text))


def gone(text: str) -> frozenset[str]:
    """Return the names of things a text says are done away with: words that no list knows.

    A name is what stands in other statements as well ("kiwi was switched off"); a common word
    ("the light was switched off") says nothing about them.
    """
    names: set[str] = set()
    for match in _GONE.finditer(clean(text)):
        words = _NAMED.findall(match["x"])
        if len(words) == 1 and match["x"].strip() == words[0]:
            names.add(words[0].lower())  # "kiwi was switched off": no article, so a name
        names |= {word.lower() for word in words if _LIKE_A_NAME.search(word)}
    return frozenset(names - _PRONOUNS)


def named(text: str) -> frozenset[str]:
    """Return the words of a text that may be names, in lower case."""
    return frozenset(word.lower() for word in _NAMED.findall(clean(text)))
