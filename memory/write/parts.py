"""Cutting a sentence into clauses, so that each separate fact becomes a memory of its own."""

import re

from memory.text.normalise import Span, language
from memory.write.patterns import KIN_ZH
from memory.write.signs import compiled

_CUT = compiled(
    r"[，；;]|,(?!\d)|\s[–—-]+\s|~and (?=(?:i|i'm|i've|we|my|our|work|live|have|love|hate|like"
    r"|prefer)~)|~but (?=(?:i|i'm|my|we)~)"
)
_SUBJECT_ZH = re.compile(
    rf"\A[^我咱]{{0,4}}?(?P<s>我(?:们?的?|家的?|们家的?)?(?:{KIN_ZH})|我们|我家|我|咱们?)"
)
_HAS_SUBJECT_ZH = re.compile(r"我|咱|你|他|她|它|大家|谁")
_BARE_VERB_EN = compiled(
    r"\A(?:and )?(?P<s>work|live|have|love|hate|like|prefer|play|study|speak|drink|eat|own"
    r"|enjoy|grew|moved|am|was)~"
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


def with_subject(clause: str, sentence: str) -> str:
    """A clause that can stand alone: the sentence's subject is carried into an elliptic one."""
    if language(clause) == "zh":
        if _HAS_SUBJECT_ZH.search(clause[:8]):
            return clause
        subject = _SUBJECT_ZH.match(sentence)
        return f"{subject['s']}{clause}" if subject else clause
    verb = _BARE_VERB_EN.match(clause)
    if verb and _FIRST_EN.search(sentence):
        return f"I {clause[verb.start('s1') :]}"
    return clause
