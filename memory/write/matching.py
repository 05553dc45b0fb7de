"""From a stretch of text to the rule that fits it and the candidate it makes."""

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from memory.choices import KIND_OF_SUBTYPE, Kind, Role, Subtype
from memory.policy import IMPORTANCE
from memory.text.ahead import ahead
from memory.text.exchanged import exchange, in_use
from memory.text.normalise import Span
from memory.text.since import since
from memory.text.stance import stances
from memory.text.when import resolve
from memory.write import (
    rules_changes,
    rules_en,
    rules_en_facts,
    rules_en_named,
    rules_en_slots,
    rules_en_tastes,
    rules_en_work,
    rules_zh,
    rules_zh_facts,
    rules_zh_named,
    rules_zh_slots,
    rules_zh_tastes,
    rules_zh_work,
)
from memory.write.attributes import CATALOGUE, FAMILIES, known_attribute, member, tidy
from memory.write.candidate import Candidate, Turn
from memory.write.patterns import Rule
from memory.write.signs import compiled, group

_ZH = tuple(
    chain(
        rules_zh_slots.SLOTS,
        rules_zh_named.NAMED,
        rules_zh.INSTRUCTIONS,
        rules_zh_facts.FACTS,
        rules_zh_tastes.TASTES,
        rules_zh_slots.ENDED,
        rules_zh_work.WORK,
        rules_changes.ZH,
    )
)
_EN = tuple(
    chain(
        rules_en_slots.SLOTS,
        rules_en_named.NAMED,
        rules_en.INSTRUCTIONS,
        rules_en_facts.FACTS,
        rules_en_tastes.TASTES,
        rules_en_slots.ENDED,
        rules_en_work.WORK,
        rules_changes.EN,
    )
)
_HAN = re.compile("[\u4e00-\u9fff]")
_BESIDE_HAN = re.compile("(?<=[\u4e00-\u9fff]) (?=[!-~])|(?<=[!-~]) (?=[\u4e00-\u9fff])")
_TAIL = compiled(
    r"(?:[, ]+(?:these days|now(?:adays)?|any ?more|at all|a lot|very much|so much|recently"
    r"|lately|too|as well|best|though|since [^,.;!?]{2,30})){1,6}\Z"
)
# What has been so since then is so: "I've lived in Porto since May" is read as "I live in Porto since May".
_STILL = compiled(
    r"~(?P<i>i|we)(?:'ve| have) (?P<v>been(?! to~)|lived|worked|studied|played|used|had|owned)~(?= [^.!?;\n]{1,80} since~)"
)
_IS_STILL = {
    "lived": "live", "worked": "work", "studied": "study", "played": "play", "used": "use", "had": "have", "owned": "own",
}  # fmt: skip
_ENGLISH = re.compile("[A-Za-z]+[^A-Za-z]{1,3}[A-Za-z]+")
_CONDITION = compiled(
    r"(?P<c>~(?:when(?:ever)?|if|unless|while|during)~ [^,.;!?]{3,60})|(?:\A"
    r"|[，,])(?P<c>[^，。,]{1,14}?(?:的时候|的话))|(?P<c>(?:如果|要是|除非|只要)[^，。,]{2,20})"
)
_WHEN_YOU = compiled(r"(?:~(?:when(?:ever)?|if|while)~ )?(?:你|you~)")
_SINCE = compiled(
    r"~(?:since|from|start(?:ing|ed)?|moved|joined|next|last|as of|quit|stopped"
    r"|adopted|bought|got|became|switched|ago|yesterday)~|起|开始|搬|入职|离职"
    r"|跳槽|领养|买|以前|之前|昨天|前天|上个?[月周]|下个?月|去年|明年|戒|换"
)
# What was so once is a fact, but not the current value of anything.
_PAST = compiled(
    r"~(?:used to|formerly|previously|back then|in the past|when i was"
    r"|as a (?:kid|child|student))~|以前|曾经?|从前|过去(?:住|在|是|做|用)|小时候|原先|那时候?"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that fits, with what it caught."""

    rule: Rule
    match: re.Match[str]

    @property
    def about(self) -> str | None:
        """The third party it speaks of."""
        return group(self.match, "who")

    @property
    def value(self) -> str | None:
        """The attribute's value, tidied."""
        caught = group(self.match, "v")
        return _TAIL.sub("", tidy(caught))[:120] if caught else None


def best(text: str, *, weak: bool = True) -> Hit | None:
    """The rule that fits a sentence or clause: the first one in order of precedence."""
    found = _by_rule(text, weak=weak)
    if weak and (found is None or _may_be_exchange(found)):
        return _exchanged(text) or found or _in_use(text)
    return found


def _by_rule(text: str, *, weak: bool) -> Hit | None:
    if _HAN.search(text):
        # People write "用 Python" and "用Python" alike.
        found = _first(_ZH, _BESIDE_HAN.sub("", text), weak=weak)
        if found:
            return found
    return _first(_EN, _STILL.sub(_still, text), weak=weak) if _ENGLISH.search(text) else None


def _may_be_exchange(hit: Hit) -> bool:
    """Whether it is read as something that happened, or as a move: "we've moved to GitLab CI" is neither."""
    return KIND_OF_SUBTYPE[hit.rule.subtype] == Kind.EPISODIC or hit.rule.attribute == "home.city"


def _exchanged(text: str) -> Hit | None:
    """That one thing took another's place, as far as the things are listed."""
    said = exchange(text)
    if said is None or not any(map(said.now, said.clause.sorts)):
        return None
    match = rules_changes.EXCHANGED.pattern.search(text)
    return Hit(rules_changes.EXCHANGED, match) if match else None


def _in_use(text: str) -> Hit | None:
    """What is used as a rule, or was settled on, as far as it is listed: 数据库我们定的是 SQLite."""
    said = (Hit(one, match) for one in rules_changes.IN_USE if (match := one.pattern.search(text)))
    hit = next(said, None)
    return hit if hit and in_use(text) else None


def _still(match: re.Match[str]) -> str:
    who, verb = group(match, "i") or "I", (group(match, "v") or "been").lower()
    if verb == "been":
        return f"{who} am" if who.lower() == "i" else f"{who} are"
    return f"{who} {_IS_STILL[verb]}"


def _first(table: tuple[Rule, ...], text: str, *, weak: bool) -> Hit | None:
    for rule in table:
        if (weak or not rule.weak) and (match := rule.pattern.search(text)):
            return Hit(rule, match)
    return None


def candidate(
    hit: Hit | None, turn: Turn, quote: Span, *, text: str, at: datetime, explicit: bool = False
) -> Candidate:
    """The proposed memory for a quote; without a rule it is a fact the person asked to keep."""
    subtype = hit.rule.subtype if hit else Subtype.FACT
    about = hit.about if hit else None
    kind = KIND_OF_SUBTYPE[subtype]
    begins = _since(hit, quote.text, at) if kind == Kind.SEMANTIC else None
    planned = ahead(quote.text) or (begins is not None and begins > at)
    name = _attribute(hit, quote.text, planned=planned)
    day = resolve(quote.text, at)
    return Candidate(
        text=text,
        kind=kind,
        subtype=subtype,
        attribute=name,
        value=hit.value if hit and name else None,
        quote=quote.text,
        quote_start=quote.start,
        quote_end=quote.end,
        event_id=turn.event_id,
        explicit=explicit,
        about=about,
        condition=_condition(hit, name, quote.text) if kind != Kind.EPISODIC else None,
        confidence=0.95 if explicit else hit.rule.confidence if hit else 0.7,
        importance=max(IMPORTANCE[subtype], IMPORTANCE[Subtype.DECISION] if explicit else 0.0),
        occurred=(day or turn.at) if kind == Kind.EPISODIC else None,
        valid_from=begins,
        pinned=_is_pinned(hit),
        tags=_tags(hit),
    )


def _since(hit: Hit | None, text: str, at: datetime) -> datetime | None:
    """The day from which a fact holds: one that its words count from, not one that is its value."""
    day = since(text, at) if _SINCE.search(text) else None
    return None if hit and hit.value and since(hit.value, at) == day else day


def by_machine(subtype: Subtype, turn: Turn, quote: Span, *, at: datetime) -> Candidate:
    """What an assistant or a tool reports: an episode, never a fact about the person."""
    return Candidate(
        text=quote.text,
        kind=Kind.EPISODIC,
        subtype=subtype,
        attribute=None,
        value=None,
        quote=quote.text,
        quote_start=quote.start,
        quote_end=quote.end,
        event_id=turn.event_id,
        explicit=False,
        about=None,
        condition=None,
        confidence=0.6 if turn.role == Role.ASSISTANT else 0.7,
        importance=IMPORTANCE[subtype],
        occurred=resolve(quote.text, at) or turn.at,
        valid_from=None,
        pinned=False,
        tags=(str(turn.role),),
    )


def _attribute(hit: Hit | None, text: str, *, planned: bool) -> str | None:
    """The person's own slot that this fills now: none for a third party, for what is past, planned or denied."""
    if hit is None or hit.about or not hit.rule.attribute:
        return None
    name = hit.rule.attribute
    if name in FAMILIES:
        called = group(hit.match, "k")
        if not called:
            return None
        return member(name, called)
    known = CATALOGUE.get(name)
    # "Not the name from before, call me Moss": what is asked for holds from now on.
    dated = known is not None and known.single and known.subtype != Subtype.INSTRUCTION
    other_time = dated and (planned or _PAST.search(text))
    return None if other_time or (name not in _SAYS_NOT and _denied(hit)) else name


# Slots whose values may say that something is not so: "don't eat", "no tables".
_SAYS_NOT = {
    "diet.preference", "taste.dislikes", "work.role", "work.employer", "project.constraint",
    "family.partner", "family.status", "instruction.language", "instruction.style",
    "instruction.boundary", "skills",
}  # fmt: skip


def _denied(hit: Hit) -> bool:
    """Whether the words that fit a rule say that it is not so, or not any more."""
    said = stances(hit.match.group())
    return bool(said) and not said[0].holds


def _condition(hit: Hit | None, name: str | None, text: str) -> str | None:
    """When it holds; what a slot with a value of its own is about goes without saying."""
    if hit and (named := group(hit.match, "c")):
        return named
    known = known_attribute(name or "")
    if known is not None and known.whole:
        return None
    found = _CONDITION.search(text)
    when = group(found, "c") if found else None
    # "I live in Dalian, mind that when you suggest shops": when the assistant acts is no condition of a fact.
    yours = when and hit and hit.rule.subtype == Subtype.FACT and _WHEN_YOU.match(when)
    return None if yours else when


def _is_pinned(hit: Hit | None) -> bool:
    """Safety facts stay in sight, a third party's too ("our youngest must not touch peanuts")."""
    known = CATALOGUE.get(hit.rule.attribute or "") if hit else None
    return bool(known and known.pinned)


def _tags(hit: Hit | None) -> tuple[str, ...]:
    if hit is None:
        return ()
    if hit.rule.tag:
        return (hit.rule.tag,)
    return (hit.rule.attribute.partition(".")[0],) if hit.rule.attribute else ()
