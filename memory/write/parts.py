"""Cutting a sentence into clauses, so that each separate fact becomes a memory of its own."""

import re
from collections.abc import Sequence

from memory.text.normalise import Span, language
from memory.write import signs
from memory.write.patterns import KIN_ZH
from memory.write.signs import compiled

_CUT = compiled(
    r"[，；;]|,(?!\d)|\s[–—-]+\s|~and (?=(?:i|i'm|i've|we|my|our|work|live|have|love|hate|like"
    r"|prefer)~)|~but (?=(?:i|i'm|my|we)~)"
    r"|~(?:and|so|but),? (?=(?:(?:can|could|would|will) you|what|which|how|where|please)~)"
)
_SUBJECT_ZH = re.compile(
    rf"\A[^我咱]{{0,4}}?(?P<s>我(?:们?的?|家的?|们家的?)?(?:{KIN_ZH})|我们|我家|我|咱们?)"
)
_HAS_SUBJECT_ZH = re.compile(r"我|咱|你|他|她|它|大家|谁")
# "I got a cat, called Moss": the name is the cat's.
_CALLED_ZH = re.compile(r"(?:它|名字|小名)?(?:就)?叫(?!我|你|他|她|上|了|醒)")
_GOT_ZH = re.compile(r"[养有生买收捡](?:了|着|过)?[一两二三四五0-9几]?[只条个匹头位名]")
_BARE_VERB_EN = compiled(
    r"\A(?:and )?(?P<s>work|live|have|love|hate|like|prefer|play|study|speak|drink|eat|own"
    r"|enjoy|grew|moved|am|was)~"
)
# Asks for something to be done now.
_ASKS = compiled(
    r"\A(?:(?:so|and|then|now|please)[, ]+)*(?:suggest|recommend|write|draft|find|book|plan|list|give me"
    r"|show me|tell me|help me|explain|make me|look up|translate|order me)~(?! (?:it|this) down~)"
    r"|\A(?:所以|那么?你?|就|请你?|麻烦你?|你|再|先|顺便){0,2}(?:推荐|介绍|写[一个份封篇段首]|来[一个份点]|订[一个张间]|找[一个家间]"
    r"|查[一下查]|列[一个出]|安排[一个下]|翻译|总结)(?!.{0,12}(?:时|的时候|都|要|别|不要|必须))"
)
_FIRST_EN = compiled(r"~(?:i|i'm|i've)~")


def clauses(sentence: Span) -> list[Span]:
    """The clauses of a sentence with their offsets in the turn."""
    out, start = [], 0
    for cut in [*_CUT.finditer(sentence.text), None]:
        end = cut.start() if cut else len(sentence.text)
        piece = sentence.text[start:end]
        text = piece.strip(" 。.!！")
        if text:
            left = sentence.start + start + piece.index(text)
            out.append(Span(left, left + len(text), text))
        start = cut.end() if cut else end
    return out


def then_asks(sentence: Span) -> tuple[Span, Span] | None:
    """ "I'm allergic to peanuts, suggest a breakfast": what is stated, and the last clause that asks."""
    *before, last = clauses(sentence)
    if not before or not _ASKS.match(last.text):
        return None
    end = before[-1].end
    said = sentence.text[: end - sentence.start]
    return Span(sentence.start, end, said), last


def with_subject(clause: str, sentence: str) -> str:
    """A clause that can stand alone: the sentence's subject is carried into an elliptic one."""
    if language(clause) == "zh":
        if _HAS_SUBJECT_ZH.search(clause[:8]) or (
            _CALLED_ZH.match(clause) and _GOT_ZH.search(sentence)
        ):
            return clause
        subject = _SUBJECT_ZH.match(sentence)
        return f"{subject['s']}{clause}" if subject else clause
    verb = _BARE_VERB_EN.match(clause)
    if verb and _FIRST_EN.search(sentence):
        return f"I {clause[verb.start('s1') :]}"
    return clause


_TURNS_AWAY = compiled(
    r"先不说|不说这个了?[，,]|言归正传|回到(?:正题|刚才)|(?:继续|接着)刚才|~(?:anyway|back to (?:the|my|our|work)|moving on)~"
)


def leads_up(sentences: Sequence[Span]) -> bool:
    """Whether a turn leads up to a request: "I'm off to Rome. Where should I eat?" is no plan to keep.

    What is turned away from is told beside it: "I take my notes in Typora now. Anyway, shorten this, please."
    """
    asks = (one.text for one in sentences[-2:] if signs.QUESTION.search(one.text))
    return any(signs.REQUEST.search(one) and not _TURNS_AWAY.search(one) for one in asks)


# What leads over to something, and says nothing of it.
_LEAD = compiled(
    r"\A(?:(?:哦|噢|啊|嗯)?[，, ]?(?:对了|顺便(?:说一?[句下声]|提一?[句下])?|说起来|还有(?:件事)?|有件事|有个事|话说(?:回来)?)[，,、：: ]++)+"
    r"|\A(?:(?:oh|ah|and|so|well|ok|okay)~,? ?)*(?:by the way|btw|before i forget|one (?:more |last )?thing|quick note|just so you know)~ ?[,:] +"
)


def without_lead(span: Span) -> Span:
    """Return a sentence without the words that only lead over to it."""
    lead = _LEAD.match(span.text)
    if lead is None or lead.end() == len(span.text):
        return span
    return Span(span.start + lead.end(), span.end, span.text[lead.end() :])
